/**
 * Deliveries and their attempts. A row of the log is one attempt: written when it starts, completed when it ends. If an
 * attempt is never completed, its process died, and the next attempt closes the row.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { type AttemptRow, type DeliveryRow, type NotificationRow, notificationTables } from '../tables.js'

export type Channel = 'in-app' | 'email' | 'webhook' | 'digest'
export const CHANNELS = ['in-app', 'email', 'webhook', 'digest'] as const
export const STATUSES = ['pending', 'sent', 'retrying', 'failed'] as const
export type Status = (typeof STATUSES)[number]

export interface Result {
  readonly status: Status
  readonly responseCode?: number | null
  /** A text for people, without secrets and addresses. */
  readonly error?: string | null
  readonly nextRetryAtMs?: number | null
}

interface Writing {
  readonly tx: Tx
  readonly runtime: Pick<Runtime, 'ids'>
  readonly nowMs: number
}

/** The delivery of a notification by a channel: the existing one, else a new one. */
export async function openDelivery(
  { tx, runtime, nowMs }: Writing,
  { id: notificationId, orgId }: Pick<NotificationRow, 'id' | 'orgId'>,
  channel: Channel,
): Promise<DeliveryRow> {
  const { deliveries: t } = notificationTables(tx)
  const row: DeliveryRow = {
    id: runtime.ids.next(),
    orgId,
    notificationId,
    channel,
    state: 'pending',
    attempts: 0,
    attemptsBefore: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  await tx.insert(t).values(row)
  return row
}

/** Writes the row of the next attempt. @returns that row. */
export async function beginAttempt(
  { tx, runtime, nowMs }: Writing,
  delivery: DeliveryRow,
  event: string,
  { status, responseCode = null, error = null, nextRetryAtMs = null }: Result,
): Promise<AttemptRow> {
  const { attempts, deliveries } = notificationTables(tx)
  const [moved] = await tx
    .update(deliveries)
    .set({ attempts: sql`${deliveries.attempts} + 1`, state: status, updatedAtMs: nowMs })
    .where(and(eq(deliveries.id, delivery.id), eq(deliveries.orgId, delivery.orgId)))
    .returning({ attempt: deliveries.attempts })
  if (moved === undefined) throw new Error('a delivery is gone')
  const row: AttemptRow = {
    id: runtime.ids.next(),
    orgId: delivery.orgId,
    notificationId: delivery.notificationId,
    deliveryId: delivery.id,
    event,
    channel: delivery.channel,
    status,
    attempt: moved.attempt,
    responseCode,
    error,
    nextRetryAtMs,
    createdAtMs: nowMs,
  }
  await tx.insert(attempts).values(row)
  return row
}

/** Completes an attempt together with its delivery. */
export async function endAttempt(
  { tx, nowMs }: Writing,
  { id, orgId, deliveryId }: Pick<AttemptRow, 'id' | 'orgId' | 'deliveryId'>,
  { status, responseCode = null, error = null, nextRetryAtMs = null }: Result,
): Promise<void> {
  const { attempts, deliveries } = notificationTables(tx)
  await tx
    .update(attempts)
    .set({ status, responseCode, error, nextRetryAtMs })
    .where(and(eq(attempts.id, id), eq(attempts.orgId, orgId)))
  await tx
    .update(deliveries)
    .set({ state: status, updatedAtMs: nowMs })
    .where(and(eq(deliveries.id, deliveryId), eq(deliveries.orgId, orgId)))
}
