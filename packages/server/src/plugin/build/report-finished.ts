/** Reports a finished build to the domain that keeps build reports, in the transaction that ends it. */
import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { finishedBuildsPort } from '../../runtime/records/finished-builds.js'
import type { Tx } from '../../runtime/store/db.js'
import type { BuildJobRow } from '../tables.js'

export async function tellFinished(
  tx: Tx,
  runtime: Runtime,
  job: BuildJobRow,
  failure: { readonly category: string; readonly error: string } | null,
  finishedMs: number,
): Promise<void> {
  // guard: a-build-that-is-over-is-told
  await findPort(runtime, finishedBuildsPort)?.finished(tx, {
    jobId: job.id,
    orgId: job.orgId,
    pluginId: job.pluginId,
    pluginName: job.pluginName,
    version: job.version,
    buildType: job.buildType,
    isSucceeded: failure === null,
    category: failure?.category ?? null,
    error: failure?.error ?? null,
    attempts: job.totalAttempts,
    startedMs: job.startedAtMs,
    finishedMs,
  })
}
