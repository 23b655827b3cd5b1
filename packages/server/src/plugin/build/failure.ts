/** How a failure changes a build, its dead letter and its plugin. */
import { eq } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import { redactText } from '../../runtime/log/redact.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Tx } from '../../runtime/store/db.js'
import { endLog } from '../build-job/log-rows.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { evictDead } from './dead-letters.js'
import { afterFailure, type BuildCategory } from './plan.js'
import { setStatus } from './plugin-state.js'
import { tellFinished } from './report-finished.js'

export interface BuildFailure {
  readonly category: BuildCategory
  readonly message: string
  /** A retry would not help. */
  readonly isPermanent: boolean
  /** Violations of the rules that blocked the image. */
  readonly violations?: readonly ComplianceViolation[]
}

const ERROR_CHARS_MAX = 2000

/** Who follows the log would otherwise see nothing until the next attempt, which may be most of an hour away. */
const triedAgain = (error: string, runAtMs: number): string =>
  `the attempt failed: ${error.trim().split('\n').at(-1) ?? ''} (tried again at ${toIso(runAtMs)})`

export async function endInFailure(
  tx: Tx,
  runtime: Runtime,
  job: BuildJobRow,
  failure: BuildFailure,
  nowMs: number,
): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  const { PLUGIN_BUILD_MAX_ATTEMPTS, PLUGIN_DLQ_MAX_ATTEMPTS } = runtime.settings
  const next = afterFailure(job, {
    isPermanent: failure.isPermanent,
    attemptsMax: PLUGIN_BUILD_MAX_ATTEMPTS,
    roundsMax: PLUGIN_DLQ_MAX_ATTEMPTS,
    nowMs,
  })
  const isExhausted = next.state === 'dead' && next.isExhausted
  const error = redactText(failure.message).slice(0, ERROR_CHARS_MAX)
  await tx
    .update(buildJobs)
    .set({
      ...(await endLog(tx, runtime, job, 'runAtMs' in next ? triedAgain(error, next.runAtMs) : undefined)),
      state: next.state,
      phase: null,
      isExhausted,
      isPermanent: failure.isPermanent,
      runAtMs: 'runAtMs' in next ? next.runAtMs : nowMs,
      leaseUntilMs: null,
      category: failure.category,
      violations: failure.violations ?? null,
      lastError: error,
      ...(next.state === 'dead' ? { failedAtMs: nowMs } : {}),
      ...(isExhausted ? { finishedAtMs: nowMs } : {}),
    })
    .where(eq(buildJobs.id, job.id))
  if (next.state === 'dead') await evictDead(tx, job.orgId)
  await setStatus(tx, job, isExhausted ? 'failed' : 'queued')
  if (!isExhausted) return
  await tellFinished(tx, runtime, job, { category: failure.category, error }, nowMs)
  const action = failure.category === 'timeout' ? 'plugin.build.timeout' : 'plugin.build.failed'
  await writeEvidence(tx, outsideRequest(runtime), action, {
    orgId: job.orgId,
    targetType: 'plugin',
    targetId: job.pluginId,
    details: { id: job.id, name: job.pluginName, reason: failure.category },
  })
  tx.afterCommit(() => runtime.onEvidence?.())
}
