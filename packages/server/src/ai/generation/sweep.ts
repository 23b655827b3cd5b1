/** Ends generations whose process died, deletes prompts and drafts after 30 days and rows after 400 days. */
import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { settle } from '../budget/budget.js'
import { aiTables, OPEN_STATES } from '../tables.js'
import { close } from './reserve.js'

const DRAFT_KEPT_MS = 30 * DAY_MS
const ROWS_KEPT_MS = 400 * DAY_MS
const BATCH = 200
const KIND = 'ai.sweep'

export const sweepGenerationsJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('what it ends had ended by itself'),
  concurrency: 1,
  async run(context) {
    for (;;) {
      const touched = await context.write(({ tx, nowMs }) => sweepGenerations(tx, nowMs, BATCH))
      if (touched < BATCH) return
    }
  },
})

export const sweepGenerationsSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: 60_000, payload: {} })

/** @returns the largest number of rows of one kind; below `rowsMax`, nothing is left. */
export async function sweepGenerations(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const { aiGenerations: t } = aiTables(tx)
  const dead = await tx
    .select({ id: t.id, orgId: t.orgId, rootOrgId: t.rootOrgId })
    .from(t)
    .where(and(inArray(t.state, [...OPEN_STATES]), lt(t.leaseUntilMs, nowMs)))
    .limit(rowsMax)
  for (const row of dead) {
    // The lease is read again under the lock: a round may have renewed it.
    await lockRow(tx, 'ai_generations', row.id)
    // guard: a-live-lease-is-not-swept
    if ((await tx.$count(t, and(eq(t.orgId, row.orgId), eq(t.id, row.id), lt(t.leaseUntilMs, nowMs)))) === 0) continue
    // How much the dead process had sent is unknown.
    // guard: a-dead-lease-settles-at-what-was-held
    await settle(tx, row, 'unknown')
    await close(tx, row, { state: 'failed', errorCode: 'INTERNAL_ERROR', finishedAtMs: nowMs })
  }
  // A generation that failed has a prompt and no draft.
  // guard: a-prompt-fades-as-a-draft-does
  const isKept = or(isNotNull(t.result), isNotNull(t.prompt))
  const faded = tx
    .select({ id: t.id })
    .from(t)
    .where(and(lt(t.createdAtMs, nowMs - DRAFT_KEPT_MS), isKept))
    .limit(rowsMax)
  const dropped = await tx
    .update(t)
    .set({ result: null, prompt: null })
    .where(inArray(t.id, faded))
    .returning({ id: t.id })
  const old = tx
    .select({ id: t.id })
    .from(t)
    .where(and(lt(t.createdAtMs, nowMs - ROWS_KEPT_MS), isNull(t.heldMonth)))
    .limit(rowsMax)
  const gone = await tx.delete(t).where(inArray(t.id, old)).returning({ id: t.id })
  return Math.max(dead.length, dropped.length, gone.length)
}
