/** `POST /compliance/notification-log/:id/replay`: a delivery that is over is made once more, under its own id. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { handAgain } from '../notification/notify.js'
import { findPreference } from '../notification/preference.js'
import {
  type DeliveryRow,
  type NotificationRow,
  notificationTables,
  type PreferenceRow,
} from '../notification/tables.js'
import { webhookMessage } from '../notification/webhook.js'

const conflict = (message: string) => new Refusal('CONFLICT', message)

export const replayDelivery = command({
  name: 'compliance.notification-log.replay',
  summary: 'Deliver a notification once more by the same channel',
  description:
    'Takes any attempt of the delivery. The delivery keeps its id, so that a receiver can tell a second copy; it goes where the preferences say now. Only a delivery that is over, sent or failed, is replayed.',
  http: { method: 'post', path: '/compliance/notification-log/:id/replay' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: none('the delivery log is the record of a delivery'),
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ deliveryId: Uuid, channel: Type.Enum(['email', 'webhook']) }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs } = context
    const orgId = tenantId(context)
    const { delivery, notification } = await findByAttempt(tx, orgId, id)
    if (delivery.channel === 'in-app') throw conflict('what stands in the inbox is not put there twice')
    if (delivery.channel === 'digest') throw conflict('it goes with its digest: replay the delivery of that')
    const preference = await findPreference(tx, orgId)
    const channel = requireChannel(delivery, preference)
    const { deliveries: t } = notificationTables(tx)
    // guard: only-a-delivery-that-is-over-is-replayed
    const [reopened] = await tx
      .update(t)
      .set({ state: 'pending', attemptsBefore: sql`${t.attempts}`, updatedAtMs: nowMs })
      .where(and(eq(t.id, delivery.id), eq(t.orgId, orgId), inArray(t.state, ['sent', 'failed'])))
      .returning()
    if (reopened === undefined) throw conflict('the delivery is under way')
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

/** @throws Refusal 409 when the preferences no longer have the channel. */
function requireChannel({ channel }: DeliveryRow, preference: PreferenceRow | null): 'email' | 'webhook' {
  if (channel === 'webhook') {
    if (preference?.webhookUrl == null) throw conflict('no webhook is set')
    return channel
  }
  if (preference?.emailEnabled !== true) throw conflict('e-mails are switched off')
  return 'email'
}
