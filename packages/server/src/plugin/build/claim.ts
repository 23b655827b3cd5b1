/** Claims the next build for a builder, in turn, and reclaims the builds of builders that are gone. */
import { and, eq, inArray, lt, ne, or } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRows } from '../../runtime/store/postgres.js'
import { noteBuilder } from '../build-job/builders.js'
import { type BuildJobRow, pluginTables, type ResolvedBase } from '../tables.js'
import { wakeDead } from './dead-letters.js'
import { endInFailure } from './failure.js'
import { LEASE_MS } from './plan.js'
import { setStatus } from './plugin-state.js'
import { nextJob } from './turns.js'

export interface BuildClaim {
  readonly jobId: string
  readonly fence: number
  readonly orgId: string
  readonly pluginId: string
  readonly pluginName: string
  readonly version: string
  readonly buildType: string
  /** Key of the archive in the blob store. */
  readonly archiveKey: string
  /** The base images that an earlier attempt resolved. */
  readonly bases: readonly ResolvedBase[]
  /** Counted over all rounds, from 1. */
  readonly attempt: number
  readonly leaseUntilMs: number
  /** The build is aborted at this instant. */
  readonly timeoutAtMs: number
}

/** A builder with the name `server` must not be taken for the server itself. */
export const nameOf = (worker: string): string => (worker === 'server' ? 'server (builder)' : worker.slice(0, 200))

export const timeoutOf = ({ settings }: Pick<Runtime, 'settings'>): number =>
  settings.PLUGIN_BUILD_TIMEOUT_SECONDS * 1000

export async function claimNext(
  tx: Tx,
  runtime: Runtime,
  { worker, holder }: { readonly worker: string; readonly holder: string | null },
  nowMs: number,
): Promise<BuildClaim | null> {
  await noteBuilder(tx, nameOf(worker), nowMs)
  await reclaimIn(tx, runtime, nowMs)
  await wakeDead(tx, nowMs)
  const job = await nextJob(tx, nowMs, runtime.settings.PLUGIN_MAX_BUILDS_PER_ORG)
  if (job === null) return null
  const { buildJobs } = pluginTables(tx)
  const active = {
    state: 'active',
    attempts: job.attempts + 1,
    totalAttempts: job.totalAttempts + 1,
    fence: job.fence + 1,
    startedAtMs: nowMs,
    leaseUntilMs: nowMs + LEASE_MS,
    worker: nameOf(worker),
    holder,
    phase: 'fetching',
    logStart: job.logEnd,
    logBytes: 0,
  }
  await tx.update(buildJobs).set(active).where(eq(buildJobs.id, job.id))
  await setStatus(tx, job, 'building')
  return claimOf(job, active, nowMs + timeoutOf(runtime))
}

/** @param active the columns that the claim changed. */
const claimOf = (
  job: BuildJobRow,
  active: Pick<BuildJobRow, 'fence' | 'totalAttempts'> & { readonly leaseUntilMs: number },
  timeoutAtMs: number,
): BuildClaim => ({
  jobId: job.id,
  fence: active.fence,
  orgId: job.orgId,
  pluginId: job.pluginId,
  pluginName: job.pluginName,
  version: job.version,
  buildType: job.buildType,
  archiveKey: job.archiveKey,
  bases: job.bases ?? [],
  attempt: active.totalAttempts,
  leaseUntilMs: active.leaseUntilMs,
  timeoutAtMs,
})

/** Reclaims the builds of builders that are gone. @returns how many. */
export async function reclaimIn(tx: Tx, runtime: Runtime, nowMs: number): Promise<number> {
  const timeoutMs = timeoutOf(runtime)
  const { buildJobs } = pluginTables(tx)
  const isGone = and(
    eq(buildJobs.state, 'active'),
    or(
      lt(buildJobs.leaseUntilMs, nowMs),
      // The build timeout does not apply while the server processes the image.
      and(lt(buildJobs.startedAtMs, nowMs - timeoutMs), ne(buildJobs.worker, 'server')),
    ),
  )
  const found = await tx.select({ id: buildJobs.id }).from(buildJobs).where(isGone).limit(100)
  const ids = found.map(({ id }) => id)
  // A cancellation and a heartbeat do not take the queue lock; they lock only the row of the build.
  // guard: what-is-taken-back-holds-still
  await lockRows(tx, 'build_jobs', ids)
  // guard: what-is-taken-back-is-looked-at-again
  const isStillGone = and(inArray(buildJobs.id, ids), isGone)
  const gone = ids.length === 0 ? [] : await tx.select().from(buildJobs).where(isStillGone)
  for (const job of gone) {
    const isLate = job.worker !== 'server' && (job.startedAtMs ?? nowMs) < nowMs - timeoutMs
    const message = isLate ? 'the build took longer than PLUGIN_BUILD_TIMEOUT_SECONDS' : 'the builder stopped answering'
    await endInFailure(
      tx,
      runtime,
      job,
      { category: isLate ? 'timeout' : 'unknown', message, isPermanent: false },
      nowMs,
    )
  }
  return gone.length
}
