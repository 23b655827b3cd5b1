/**
 * Deletes outdated rows: deleted messages that can no longer be restored, uploads that no message used within a day,
 * and events of the live stream. The sweep of the blob store deletes files that no row names any more.
 */
import { and, inArray, isNull, lt, lte } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { dropMessageTexts } from '../search/search.js'
import { messageTables } from '../tables.js'

export const PENDING_MS_MAX = 24 * HOUR_MS
/** A stream can resume for 24 hours; the additional hour allows for clocks that differ. */
const EVENT_MS_MAX = 25 * HOUR_MS
const ROWS_A_BATCH = 500
const KIND = 'message.sweep'

export const sweepMessages = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('what was deleted has left its evidence then; pending uploads and events leave none'),
  concurrency: 1,
  async run({ write, nowMs, signal }) {
    for (const step of [purgeDeleted, reapPending, forgetEvents]) {
      for (let gone = 1; gone > 0 && !signal.aborted; ) gone = await write(({ tx }) => step(tx, nowMs))
    }
  },
})

export const sweepMessagesSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: 6 * HOUR_MS, payload: {} })

async function purgeDeleted(tx: Tx, nowMs: number): Promise<number> {
  const { messages: t } = messageTables(tx)
  const due = await tx.select({ id: t.id }).from(t).where(lte(t.purgeAfterMs, nowMs)).limit(ROWS_A_BATCH)
  return removeMessages(
    tx,
    due.map(({ id }) => id),
  )
}

/** Deletes messages with their attachments and read marks. @returns how many messages. */
export async function removeMessages(tx: Tx, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { messages, messageReads, messageAttachments } = messageTables(tx)
  await tx.delete(messageAttachments).where(inArray(messageAttachments.messageId, ids))
  await tx.delete(messageReads).where(inArray(messageReads.messageId, ids))
  await dropMessageTexts(tx, ids)
  const gone = await tx.delete(messages).where(inArray(messages.id, ids)).returning({ id: messages.id })
  return gone.length
}

async function reapPending(tx: Tx, nowMs: number): Promise<number> {
  const { messageAttachments: t } = messageTables(tx)
  const isOver = and(isNull(t.messageId), lt(t.createdAtMs, nowMs - PENDING_MS_MAX))
  const due = await tx.select({ id: t.id }).from(t).where(isOver).limit(ROWS_A_BATCH)
  const ids = due.map(({ id }) => id)
  if (ids.length === 0) return 0
  // The condition is checked again: a message may have used the upload meanwhile.
  const gone = await tx
    .delete(t)
    .where(and(inArray(t.id, ids), isOver))
    .returning({ id: t.id })
  return gone.length
}

async function forgetEvents(tx: Tx, nowMs: number): Promise<number> {
  const { messageEvents: t } = messageTables(tx)
  const due = await tx
    .select({ position: t.position })
    .from(t)
    .where(lt(t.createdAtMs, nowMs - EVENT_MS_MAX))
    .limit(ROWS_A_BATCH)
  const positions = due.map(({ position }) => position)
  if (positions.length > 0) await tx.delete(t).where(inArray(t.position, positions))
  return due.length
}
