/** Queues the build of a plugin in the transaction of its row. An unfinished build of the same plugin is cancelled. */
import type { WriteContext } from '../../runtime/operation/context.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'
import { cancelBuilds } from './cancel-builds.js'
import { announceBuild } from './wake-builders.js'

/** @returns the id of the job. */
export async function enqueueBuild(
  context: Pick<WriteContext<'plugin.build.cancel'>, 'tx' | 'runtime' | 'nowMs' | 'actor' | 'authority' | 'audit'>,
  { id, orgId, name, version, buildType, archiveKey }: PluginRow,
): Promise<string> {
  if (archiveKey === null) throw new Error(`${name} ${version} has no archive to build from`)
  const { tx, runtime, nowMs, actor, authority } = context
  await cancelBuilds(context, { id, orgId }, 'the plugin is built again')
  const job: BuildJobRow = {
    id: runtime.ids.next(),
    orgId,
    pluginId: id,
    pluginName: name,
    version,
    buildType,
    archiveKey,
    tier: authority.org?.tier ?? 'developer',
    state: 'waiting',
    round: 0,
    attempts: 0,
    totalAttempts: 0,
    isExhausted: false,
    isPermanent: false,
    runAtMs: nowMs,
    startedAtMs: null,
    leaseUntilMs: null,
    secretsFence: 0,
    secretsGiven: null,
    fence: 0,
    worker: null,
    holder: null,
    category: null,
    lastError: null,
    violations: null,
    bases: null,
    phase: null,
    logEnd: 0,
    logStart: 0,
    logBytes: 0,
    logTail: null,
    createdAtMs: nowMs,
    createdBy: actor.id,
    failedAtMs: null,
    finishedAtMs: null,
  }
  await tx.insert(pluginTables(tx).buildJobs).values(job)
  tx.afterCommit(() => announceBuild(runtime))
  return job.id
}
