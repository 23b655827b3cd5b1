/** Retries failed deliveries, and deletes texts and rows that are older than 30 days. */
import { and, asc, inArray, isNotNull, lte, notInArray, or } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { settlingIn } from '../call/job.js'
import type { Settling } from '../call/said.js'
import { type DeliveryRow, providerTables } from '../provider-tables.js'
import { claimAgain, failDelivery, KEPT_MS } from './delivery.js'
import { handleDelivery } from './handle.js'

const KIND = 'billing.webhooks'
const AT_ONCE = 50

export const webhooksJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context) {
    const { runtime, read, write, signal } = context
    if (!runtime.settings.BILLING_ENABLED || runtime.settings.BILLING_PROVIDER === 'stub') return
    const settling = settlingIn(context)
    const seen: string[] = []
    for (;;) {
      const due = await read((db) => dueDeliveries(db, runtime.clock.now(), seen))
      for (const row of due) {
        if (signal.aborted) return
        seen.push(row.id)
        await tryAgain(settling, row)
      }
      if (due.length < AT_ONCE) break
    }
    await write(async ({ tx, nowMs }) => {
      const { billingWebhookEvents: t } = providerTables(tx)
      const isOld = lte(t.receivedAtMs, nowMs - KEPT_MS)
      await tx
        .update(t)
        .set({ payload: null })
        .where(and(isOld, isNotNull(t.payload)))
      // The ids of what is done stay known for 30 days after the last day on which a delivery is accepted.
      const isGone = lte(t.receivedAtMs, nowMs - 2 * KEPT_MS)
      await tx.delete(t).where(and(isGone, inArray(t.state, ['done', 'ignored'])))
    })
  },
})

export const webhooksSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: 30_000, payload: {} })

/** @returns What was done; null while another process has it. */
export async function tryAgain(settling: Settling, known: DeliveryRow): Promise<string | null> {
  const row = await settling.write((writing) => claimAgain(writing, known))
  if (row === null) return null
  try {
    return (await handleDelivery(settling, row)).effect
  } catch (error) {
    settling.runtime.log?.write('billing.delivery_failed', { error, event: row.eventId })
    await settling.write((writing) => failDelivery(writing, row, error))
    return null
  }
}

async function dueDeliveries(db: Db, nowMs: number, seen: readonly string[]): Promise<DeliveryRow[]> {
  const { billingWebhookEvents: t } = providerTables(db)
  const isDue = or(
    and(inArray(t.state, ['failed']), lte(t.nextAtMs, nowMs)),
    and(inArray(t.state, ['in_progress']), lte(t.leaseUntilMs, nowMs)),
  )
  return db
    .select()
    .from(t)
    .where(and(isDue, isNotNull(t.payload), seen.length === 0 ? undefined : notInArray(t.id, [...seen])))
    .orderBy(asc(t.sentAtMs), asc(t.id))
    .limit(AT_ONCE)
}
