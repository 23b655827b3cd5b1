/** `POST /compliance/notification-log/:id/replay`: sends a finished delivery again, under its own id. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import Type from 'typebox'
import { requireComplianceAdmin } from '../../identity/index.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { handAgain } from '../delivery/notify.js'
import { webhookMessage } from '../delivery/webhook.js'
import { findPreference } from '../preference/record.js'
import { type DeliveryRow, type NotificationRow, notificationTables, type PreferenceRow } from '../tables.js'

const conflict = (message: string) => new Refusal('CONFLICT', message)

export const replayDelivery = command({
  name: 'notification.notification-log.replay',
  summary: 'Send a notification again by the same channel',
  description:
    'Takes any attempt of the delivery. The delivery keeps its id, so a receiver can recognize a second copy; it is sent to the address in the current preferences. Only a delivery that has ended, sent or failed, can be replayed.',
  http: { method: 'post', path: '/compliance/notification-log/:id/replay' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: none('the delivery log is the record of a delivery'),
  rateLimit: 'notification-replay',
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ deliveryId: Uuid, channel: Type.Enum(['email', 'webhook']) }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs } = context
    requireComplianceAdmin(context.authority)
    const orgId = tenantId(context)
    const { delivery, notification } = await findByAttempt(tx, orgId, id)
    if (delivery.channel === 'in-app') throw conflict('an inbox delivery cannot be sent twice')
    if (delivery.channel === 'digest') throw conflict('it was sent in a digest: replay the delivery of the digest')
    const preference = await findPreference(tx, orgId)
    const channel = requireChannel(delivery, preference)
    const { deliveries: t } = notificationTables(tx)
    // guard: only-a-delivery-that-is-over-is-replayed
    const [reopened] = await tx
      .update(t)
      .set({ state: 'pending', attemptsBefore: sql`${t.attempts}`, updatedAtMs: nowMs })
      .where(and(eq(t.id, delivery.id), eq(t.orgId, orgId), inArray(t.state, ['sent', 'failed'])))
      .returning()
    if (reopened === undefined) throw conflict('the delivery is running: wait for its result')
    if (channel === 'webhook') await context.enqueue(webhookMessage(reopened))
    else if (preference !== null) await handAgain(context, notification, reopened, preference)
    return changed({ deliveryId: delivery.id, channel })
  },
})

/** @throws Refusal 404. */
async function findByAttempt(
  tx: Tx,
  orgId: string,
  id: string,
): Promise<{ delivery: DeliveryRow; notification: NotificationRow }> {
  const { attempts, deliveries, notifications } = notificationTables(tx)
  const [found] = await tx
    .select({ delivery: deliveries, notification: notifications })
    .from(attempts)
    .innerJoin(deliveries, and(eq(deliveries.id, attempts.deliveryId), eq(deliveries.orgId, orgId)))
    .innerJoin(notifications, and(eq(notifications.id, attempts.notificationId), eq(notifications.orgId, orgId)))
    .where(and(eq(attempts.id, id), eq(attempts.orgId, orgId)))
  if (found === undefined) throw notFound('Entry of the notification log')
  return found
}

/** @throws Refusal 409 when the preferences do not include the channel any more. */
function requireChannel({ channel }: DeliveryRow, preference: PreferenceRow | null): 'email' | 'webhook' {
  if (channel === 'webhook') {
    if (preference?.webhookUrl == null) throw conflict('no webhook is set: set `webhookUrl` first')
    return channel
  }
  if (preference?.emailEnabled !== true) throw conflict('e-mails are switched off: set `emailEnabled` first')
  return 'email'
}
