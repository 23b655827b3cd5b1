/** Completes a build whose image is published: the plugin becomes ready. */
import { eq } from 'drizzle-orm'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { announceEntity } from '../../runtime/records/entity.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { lockPluginName } from '../build-job/lock-plugins.js'
import { endLog } from '../build-job/log-rows.js'
import type { Attestations } from '../image/attestations.js'
import type { BuiltImageFacts } from '../image/built-image.js'
import { isHighestRelease, savePlugin } from '../plugin/save.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'
import { ATTEST_JOB } from './plan.js'
import { livePlugin } from './plugin-state.js'
import { tellFinished } from './report-finished.js'

export interface BuiltImage {
  readonly imageRef: string
  readonly imageDigest: string
  readonly imageSizeBytes: number
  /** According to the configuration of the image. */
  readonly usesRootUser?: boolean
  readonly builtImage?: BuiltImageFacts
  readonly attestations?: Attestations
}

/**
 * @param judged the revision of the plugin that the rules were evaluated on; absent where no rule was asked.
 * @returns `changed` when the plugin has another revision now. Nothing was written then.
 */
export async function completeBuild(
  tx: Tx,
  runtime: Runtime,
  job: BuildJobRow,
  { image, judged }: { readonly image: BuiltImage; readonly judged: number | undefined },
  nowMs: number,
): Promise<true | 'changed'> {
  const { buildJobs } = pluginTables(tx)
  // Other versions of the name are written too: the default and the latest.
  // guard: the-end-of-a-build-takes-its-name
  await lockPluginName(tx, job.orgId, job.pluginName)
  // All columns of the plugin are written, so a change of this moment waits, or is seen.
  await lockRow(tx, 'plugins', job.pluginId)
  const row = await livePlugin(tx, job)
  // guard: what-was-judged-is-what-becomes-ready
  if (row !== null && judged !== undefined && row.revision !== judged) return 'changed'
  await tx
    .update(buildJobs)
    .set({
      ...(await endLog(tx, runtime, job)),
      state: 'completed',
      phase: null,
      leaseUntilMs: null,
      finishedAtMs: nowMs,
      category: null,
      lastError: null,
      violations: null,
    })
    .where(eq(buildJobs.id, job.id))
  await tellFinished(tx, runtime, job, null, nowMs)
  if (row === null) return true
  const ready: PluginRow = {
    ...row,
    ...image,
    buildStatus: 'ready',
    isActive: true,
    revision: row.revision + 1,
    updatedAtMs: nowMs,
    updatedBy: 'system',
  }
  const isDefault = row.isDefault || row.wantsDefault || (await isHighestRelease(tx, ready))
  await savePlugin(tx, { ...ready, isDefault })
  await writeEvidence(tx, outsideRequest(runtime), 'plugin.build.completed', {
    orgId: job.orgId,
    targetType: 'plugin',
    targetId: job.pluginId,
    details: { id: job.id, name: job.pluginName },
  })
  const bySystem = { runtime, nowMs, actor: { id: 'system', email: null, role: null, impersonatorId: null } }
  await announceEntity({ ...bySystem, enqueue: (message) => enqueue(tx, runtime, message) }, job.orgId, {
    target: 'plugin',
    entityId: job.pluginId,
    eventType: 'updated',
  })
  if (image.attestations !== undefined) {
    const { orgId, pluginId } = job
    await enqueue(tx, runtime, {
      kind: ATTEST_JOB,
      orgId: null,
      payload: { orgId, pluginId, digest: image.imageDigest },
    })
  }
  tx.afterCommit(() => runtime.onEvidence?.())
  return true
}
