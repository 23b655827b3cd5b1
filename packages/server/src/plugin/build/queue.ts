/**
 * The queue of builds: the table, and what a builder may do with it. Builders are processes of any number; each claim hands
 * out a fence, and every later statement compares it, so that a builder that was given up changes nothing.
 * Source: spec platform 11.
 *
 * INVARIANT: a job is active under one newest fence; an organization never has more active builds than it may; a failure of
 * one organization never removes what another sees.
 */
import { and, eq, lt, ne, or, sql } from 'drizzle-orm'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { announceEntity } from '../../runtime/records/entity.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { noteBuilder } from '../build-job/builders.js'
import { appendLog, endLog } from '../build-job/log-rows.js'
import type { Attestations } from '../image/attestations.js'
import type { BuiltImageFacts } from '../image/built-image.js'
import { isHighestRelease, savePlugin } from '../plugin/save.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'
import { wakeDead } from './dead-letters.js'
import { type BuildFailure, endInFailure } from './failure.js'
import { ATTEST_JOB, type BuildPhase, LEASE_MS } from './plan.js'
import { livePlugin, setStatus } from './plugin-state.js'
import { tellFinished } from './told.js'
import { nextJob } from './turns.js'

export interface BuildClaim {
  readonly jobId: string
  readonly fence: number
  readonly orgId: string
  readonly pluginId: string
  readonly pluginName: string
  readonly version: string
  readonly buildType: string
  /** Of the archive in the blob store. */
  readonly archiveKey: string
  /** 1 for the first of all rounds. */
  readonly attempt: number
  readonly leaseUntilMs: number
  /** The build is given up at this instant. */
  readonly timeoutAtMs: number
}

export interface BuiltImage {
  readonly imageRef: string
  readonly imageDigest: string
  readonly imageSizeBytes: number
  /** As the configuration of the image says it. */
  readonly usesRootUser?: boolean
  readonly builtImage?: BuiltImageFacts
  readonly attestations?: Attestations
}

export type Held = Pick<BuildClaim, 'jobId' | 'fence'>

export interface BuildQueue {
  /** The next build, in turn; null when none is due or every organization that has one is at its limit. */
  claim(worker: string): Promise<BuildClaim | null>
  /** Extends the lease by 60 s, every 20 s while it works. False: stop, the job is no longer this builder's. */
  heartbeat(held: Held, phase?: BuildPhase): Promise<boolean>
  /**
   * Adds to the log of the build, of which the first 8 KiB and the last 256 KiB of each attempt are kept. A line is shown once it
   * is whole. False as for `heartbeat`.
   * @param from the place of the text in the log of this attempt, in bytes of UTF-8; what was received before is not added again.
   * @returns the place behind what was received when `from` lies beyond it: a piece is missing.
   */
  log(held: Held, text: string, from?: number): Promise<boolean | { readonly expected: number }>
  /** The image is there: the plugin becomes ready. False as for `heartbeat`. */
  complete(held: Held, image: BuiltImage): Promise<boolean>
  /**
   * The builder says that its image lies in its staging repository. The server holds the build from now on, and looks by itself.
   * @param then queues the work in the same transaction, for who holds the build then.
   */
  takeOver(held: Held, then: (tx: Tx, held: Held, job: BuildJobRow) => Promise<void>): Promise<boolean>
  /** The next phase of a build that the server holds. False as for `heartbeat`. */
  advance(held: Held, phase: BuildPhase): Promise<boolean>
  fail(held: Held, failure: BuildFailure): Promise<boolean>
  /** Hands a job back unbuilt; the attempt does not count. */
  release(held: Held): Promise<boolean>
  /** Takes back builds of builders that went away. @returns how many. */
  reclaim(): Promise<number>
}

/** Of a build that the server looks at: its own queue of work takes up what a process left, long before. */
const SERVER_LEASE_MS = 30 * 60_000
/** A builder that is called so is not taken for the server. */
const nameOf = (worker: string): string => (worker === 'server' ? 'server (builder)' : worker.slice(0, 200))

export function createBuildQueue(runtime: Runtime): BuildQueue {
  const { store, clock, settings } = runtime
  const timeoutMs = settings.PLUGIN_BUILD_TIMEOUT_SECONDS * 1000

  const write = <T>(run: (tx: Tx, nowMs: number) => Promise<T>): Promise<T> =>
    store.system.write(async (tx) => {
      // Claims and endings take turns, so that limits and turns are seen as they are. They are few: a build takes minutes.
      // guard: claims-of-several-processes-take-turns
      if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtext('plumbline.build_jobs'))`)
      return run(tx, clock.now())
    }, 'plugin.build')

  /** For what changes nothing but the job itself: builders that say that they live do not wait for one another's claims. */
  const holdingRow = <T>(
    held: Held,
    run: (tx: Tx, job: BuildJobRow, nowMs: number) => Promise<T>,
  ): Promise<T | false> =>
    store.system.write(async (tx) => {
      await lockRow(tx, 'build_jobs', held.jobId)
      const job = await heldJob(tx, held)
      return job === null ? false : run(tx, job, clock.now())
    }, 'plugin.build')

  const holding = <T>(held: Held, run: (tx: Tx, job: BuildJobRow, nowMs: number) => Promise<T>): Promise<T | false> =>
    write(async (tx, nowMs) => {
      const job = await heldJob(tx, held)
      return job === null ? false : run(tx, job, nowMs)
    })

  const fail = (tx: Tx, job: BuildJobRow, failure: BuildFailure, nowMs: number) =>
    endInFailure(tx, runtime, job, failure, nowMs)

  async function reclaimIn(tx: Tx, nowMs: number): Promise<number> {
    const { buildJobs } = pluginTables(tx)
    const gone = await tx
      .select()
      .from(buildJobs)
      .where(
        and(
          eq(buildJobs.state, 'active'),
          or(
            lt(buildJobs.leaseUntilMs, nowMs),
            // What the server looks at is not late by the builder's time.
            and(lt(buildJobs.startedAtMs, nowMs - timeoutMs), ne(buildJobs.worker, 'server')),
          ),
        ),
      )
      .limit(100)
    for (const job of gone) {
      const isLate = job.worker !== 'server' && (job.startedAtMs ?? nowMs) < nowMs - timeoutMs
      const message = isLate ? 'the build took too long' : 'the builder did not answer any more'
      await fail(tx, job, { category: isLate ? 'timeout' : 'unknown', message, isPermanent: false }, nowMs)
    }
    return gone.length
  }

  return {
    claim: (worker) =>
      write(async (tx, nowMs) => {
        await noteBuilder(tx, nameOf(worker), nowMs)
        await reclaimIn(tx, nowMs)
        await wakeDead(tx, nowMs)
        const job = await nextJob(tx, nowMs, settings.PLUGIN_MAX_BUILDS_PER_ORG)
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
          phase: 'fetching',
          logStart: job.logEnd,
          logBytes: 0,
        }
        await tx.update(buildJobs).set(active).where(eq(buildJobs.id, job.id))
        await setStatus(tx, job, 'building')
        return {
          jobId: job.id,
          fence: active.fence,
          orgId: job.orgId,
          pluginId: job.pluginId,
          pluginName: job.pluginName,
          version: job.version,
          buildType: job.buildType,
          archiveKey: job.archiveKey,
          attempt: active.totalAttempts,
          leaseUntilMs: active.leaseUntilMs,
          timeoutAtMs: nowMs + timeoutMs,
        }
      }),
    heartbeat: (held, phase) =>
      holdingRow(held, async (tx, job, nowMs) => {
        // guard: a-build-ends-in-time
        if ((job.startedAtMs ?? nowMs) < nowMs - timeoutMs || (job.leaseUntilMs ?? 0) < nowMs) return false
        await noteBuilder(tx, job.worker ?? '', nowMs)
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({ leaseUntilMs: nowMs + LEASE_MS, ...(phase !== undefined && { phase }) })
          .where(eq(buildJobs.id, job.id))
        return true
      }),
    log: (held, text, from) =>
      holdingRow(held, async (tx, job) => {
        const bytes = Buffer.from(text)
        const known = from === undefined ? 0 : job.logBytes - from
        // guard: a-piece-of-a-log-is-added-once
        if (known < 0) return { expected: job.logBytes }
        if (known >= bytes.length && bytes.length > 0) return true
        const { buildJobs } = pluginTables(tx)
        const written = await appendLog(tx, runtime, job, known === 0 ? text : bytes.subarray(known).toString())
        await tx
          .update(buildJobs)
          .set({ ...written, logBytes: job.logBytes + bytes.length - known })
          .where(eq(buildJobs.id, job.id))
        return true
      }),
    complete: (held, image) =>
      holding(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
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
        const row = await livePlugin(tx, job)
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
        const system = { runtime, nowMs, actor: { id: 'system', email: null, role: null, impersonatorId: null } }
        await announceEntity({ ...system, enqueue: (message) => enqueue(tx, runtime, message) }, job.orgId, {
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
      }),
    takeOver: (held, then) =>
      holding(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
        // guard: what-a-builder-completed-is-not-its-any-more
        const fence = job.fence + 1
        await tx
          .update(buildJobs)
          .set({ fence, phase: 'verifying', worker: 'server', leaseUntilMs: nowMs + SERVER_LEASE_MS })
          .where(eq(buildJobs.id, job.id))
        await then(tx, { jobId: job.id, fence }, job)
        return true
      }),
    advance: (held, phase) =>
      holdingRow(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({ phase, leaseUntilMs: nowMs + SERVER_LEASE_MS })
          .where(eq(buildJobs.id, job.id))
        return true
      }),
    fail: (held, failure) =>
      holding(held, async (tx, job, nowMs) => {
        await fail(tx, job, failure, nowMs)
        return true
      }),
    release: (held) =>
      holding(held, async (tx, job, nowMs) => {
        const { buildJobs } = pluginTables(tx)
        await tx
          .update(buildJobs)
          .set({
            ...(await endLog(tx, runtime, job)),
            state: 'waiting',
            phase: null,
            attempts: job.attempts - 1,
            totalAttempts: job.totalAttempts - 1,
            leaseUntilMs: null,
            runAtMs: nowMs,
          })
          .where(eq(buildJobs.id, job.id))
        await setStatus(tx, job, 'queued')
        return true
      }),
    reclaim: () => write(reclaimIn),
  }
}

async function heldJob(tx: Tx, { jobId, fence }: Held): Promise<BuildJobRow | null> {
  const { buildJobs } = pluginTables(tx)
  // guard: one-builder-holds-a-build
  // guard: a-build-that-is-over-stays-so
  const [job] = await tx
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, jobId), eq(buildJobs.fence, fence), eq(buildJobs.state, 'active')))
  return job ?? null
}
