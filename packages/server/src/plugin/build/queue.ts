/**
 * The build queue: the table, and what a builder may do with it. Any number of builder processes may run. Each claim
 * returns a fence, and every later statement compares it, so that a builder whose build was reclaimed changes nothing.
 * Source: spec platform 11.
 *
 * INVARIANT: a job is active under one newest fence; an organization never has more active builds than its limit; a
 * failure in one organization never removes what another organization sees.
 */
import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { updateRow } from '../../runtime/store/prepared.js'
import { type BuilderFacts, clearFault, describeBuilder, noteBuilder, noteFault } from '../build-job/builders.js'
import { appendLog, endLog } from '../build-job/log-rows.js'
import type { BuilderFault } from '../builder-program/fault-reasons.js'
import { type BuildJobRow, pluginTables, type ResolvedBase } from '../tables.js'
import { type BuildClaim, claimNext, nameOf, reclaimIn, timeoutOf } from './claim.js'
import { type BuiltImage, completeBuild } from './complete.js'
import { type BuildFailure, endInFailure } from './failure.js'
import { type Held, inTurn, whileHeld, withHeldRow } from './held-job.js'
import { type BuildPhase, LEASE_MS } from './plan.js'
import { setStatus } from './plugin-state.js'

export type { BuildClaim } from './claim.js'
export type { BuiltImage } from './complete.js'
export type { Held } from './held-job.js'

export interface BuildQueue {
  /** The next build, in turn; null when none is due or every organization with a due build is at its limit. */
  /** @param holder the credential of the builder: no other one can act on the build then. */
  claim(worker: string, holder?: string): Promise<BuildClaim | null>
  /** What a builder says of itself, before it waits for a build. */
  describe(worker: string, facts: BuilderFacts): Promise<void>
  /**
   * Extends the lease by 60 s; a working builder calls it every 20 s. False means: stop, the builder no longer holds
   * the job.
   * @param bases the base images that the builder fetched: the first report of a job applies to all its attempts.
   */
  heartbeat(held: Held, phase?: BuildPhase, bases?: readonly ResolvedBase[]): Promise<boolean>
  /**
   * Appends to the log of the build, of which the first 8 KiB and the last 256 KiB of each attempt are kept. A line is
   * shown once it is complete. False as for `heartbeat`.
   * @param from the offset of the text in the log of this attempt, in bytes of UTF-8; bytes that were received before
   * are skipped.
   * @returns the offset after the received bytes when `from` is beyond it: a piece is missing.
   */
  log(held: Held, text: string, from?: number): Promise<boolean | { readonly expected: number }>
  /**
   * The image is published: the plugin becomes ready. False as for `heartbeat`.
   * @param judged the revision of the plugin that the rules were evaluated on.
   * @returns `changed` when the plugin has another revision: the rules have not seen what would be stored.
   */
  complete(held: Held, image: BuiltImage, judged?: number): Promise<boolean | 'changed'>
  /**
   * The builder reports that its image is in its staging repository. The server holds the build from now on, and checks
   * the image itself.
   * @param then queues the next job in the same transaction, with the fence that holds the build then.
   */
  takeOver(held: Held, then: (tx: Tx, held: Held, job: BuildJobRow) => Promise<void>): Promise<boolean>
  /** Starts the next phase of a build that the server holds. False as for `heartbeat`. */
  advance(held: Held, phase: BuildPhase): Promise<boolean>
  fail(held: Held, failure: BuildFailure): Promise<boolean>
  /**
   * Returns a job unbuilt; the attempt does not count.
   * @param fault what is wrong with the builder, if that is why.
   */
  release(held: Held, fault?: BuilderFault): Promise<boolean>
  /** Reclaims the builds of builders that are gone. @returns how many. */
  reclaim(): Promise<number>
}

/** Lease of a build that the server holds. The job queue resumes the work of a dead process long before it ends. */
const SERVER_LEASE_MS = 30 * 60_000

export const createBuildQueue = (runtime: Runtime): BuildQueue => ({
  claim: (worker, holder) =>
    inTurn(runtime, (tx, nowMs) => claimNext(tx, runtime, { worker, holder: holder ?? null }, nowMs)),
  describe: (worker, facts) =>
    runtime.store.system.write((tx) => describeBuilder(tx, nameOf(worker), facts, runtime.clock.now()), 'plugin.build'),
  heartbeat: (held, phase, bases) =>
    withHeldRow(runtime, held, (tx, job, nowMs) =>
      extendLease(tx, job, { phase, bases, nowMs, timeoutMs: timeoutOf(runtime) }),
    ),
  log: (held, text, from) => withHeldRow(runtime, held, (tx, job) => addToLog(tx, runtime, job, text, from)),
  complete: (held, image, judged) =>
    whileHeld(runtime, held, (tx, job, nowMs) => completeBuild(tx, runtime, job, { image, judged }, nowMs)),
  takeOver: (held, then) =>
    whileHeld(runtime, held, async (tx, job, nowMs) => {
      await clearFault(tx, job.worker ?? '')
      const { buildJobs } = pluginTables(tx)
      // guard: what-a-builder-completed-is-not-its-any-more
      const fence = job.fence + 1
      await tx
        .update(buildJobs)
        .set({ fence, phase: 'verifying', worker: 'server', holder: null, leaseUntilMs: nowMs + SERVER_LEASE_MS })
        .where(eq(buildJobs.id, job.id))
      await then(tx, { jobId: job.id, fence }, job)
      return true
    }),
  advance: (held, phase) =>
    withHeldRow(runtime, held, async (tx, job, nowMs) => {
      const { buildJobs } = pluginTables(tx)
      await tx
        .update(buildJobs)
        .set({ phase, leaseUntilMs: nowMs + SERVER_LEASE_MS })
        .where(eq(buildJobs.id, job.id))
      return true
    }),
  fail: (held, failure) =>
    whileHeld(runtime, held, async (tx, job, nowMs) => {
      await clearFault(tx, job.worker ?? '')
      await endInFailure(tx, runtime, job, failure, nowMs)
      return true
    }),
  release: (held, fault) =>
    whileHeld(runtime, held, async (tx, job, nowMs) => {
      if (fault !== undefined) await noteFault(tx, job.worker ?? '', fault, nowMs)
      return handBack(tx, runtime, job, nowMs)
    }),
  reclaim: () => inTurn(runtime, (tx, nowMs) => reclaimIn(tx, runtime, nowMs)),
})

interface Sign {
  readonly phase: BuildPhase | undefined
  readonly bases: readonly ResolvedBase[] | undefined
  readonly nowMs: number
  readonly timeoutMs: number
}

async function extendLease(tx: Tx, job: BuildJobRow, { phase, bases, nowMs, timeoutMs }: Sign): Promise<boolean> {
  // guard: a-build-ends-in-time
  if ((job.startedAtMs ?? nowMs) < nowMs - timeoutMs || (job.leaseUntilMs ?? 0) < nowMs) return false
  await noteBuilder(tx, job.worker ?? '', nowMs)
  const { buildJobs } = pluginTables(tx)
  await tx
    .update(buildJobs)
    .set({ leaseUntilMs: nowMs + LEASE_MS, ...(phase !== undefined && { phase }), ...basesOf(job, bases) })
    .where(eq(buildJobs.id, job.id))
  return true
}

async function addToLog(tx: Tx, runtime: Runtime, job: BuildJobRow, text: string, from: number | undefined) {
  const bytes = Buffer.from(text)
  const known = from === undefined ? 0 : job.logBytes - from
  // guard: a-piece-of-a-log-is-added-once
  if (known < 0) return { expected: job.logBytes }
  if (known >= bytes.length && bytes.length > 0) return true
  const { buildJobs } = pluginTables(tx)
  const written = await appendLog(tx, runtime, job, known === 0 ? text : bytes.subarray(known).toString())
  await updateRow(tx, buildJobs, job.id, { ...written, logBytes: job.logBytes + bytes.length - known })
  return true
}

async function handBack(tx: Tx, runtime: Runtime, job: BuildJobRow, nowMs: number): Promise<true> {
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
}

// guard: a-tag-of-a-base-is-resolved-once
const basesOf = (job: BuildJobRow, bases: readonly ResolvedBase[] | undefined) =>
  bases === undefined || job.bases !== null ? {} : { bases }
