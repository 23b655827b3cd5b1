/**
 * Notifies an account once per period that a quota is 80 or 100 percent used. The transaction that reaches a threshold
 * stores a mark and queues a job, which writes the audit event and the message. Source: spec platform 12.3.
 */
import type { QuotaType } from '@plumbline/billing-core'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { quotaTables } from '../tables.js'
import { NEAR_LIMIT_JOB } from './job.js'

/** Percent of the limit. */
export const THRESHOLDS = [80, 100] as const

export interface Reached {
  /** The organization whose limit it is: the account's root, or a team with its own limit. */
  readonly orgId: string
  readonly type: QuotaType
  readonly limit: number
  readonly used: number
  /** Start of the running period, for capacity too: it limits how often a notification is sent. */
  readonly periodStartMs: number
}

export const isNear = ({ limit, used }: Pick<Reached, 'limit' | 'used'>): boolean =>
  limit > 0 && used >= (limit / 100) * THRESHOLDS[0]

export async function noteThresholds(tx: Tx, runtime: Runtime, reached: Reached): Promise<void> {
  if (!isNear(reached)) return
  const { orgId, type, limit, used, periodStartMs } = reached
  const { quotaNotices } = quotaTables(tx)
  const crossed = THRESHOLDS.filter((threshold) => used >= (limit / 100) * threshold)
  const marked = await tx
    .insert(quotaNotices)
    .values(crossed.map((threshold) => ({ orgId, type, periodStartMs, threshold, createdAtMs: runtime.clock.now() })))
    .onConflictDoNothing()
    .returning({ threshold: quotaNotices.threshold })
  // When one change crosses both thresholds, only the higher one is notified.
  const threshold = Math.max(0, ...marked.map((row) => row.threshold))
  // guard: a-threshold-is-told-of-once
  if (threshold === 0) return
  await enqueue(tx, runtime, { kind: NEAR_LIMIT_JOB, orgId, payload: { type, limit, used, threshold } })
}
