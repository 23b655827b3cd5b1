/**
 * Transactions of the build queue, and which build a builder holds. Each claim returns a fence, and every later
 * statement compares it, so that a builder whose build was reclaimed changes nothing.
 */
import { and, eq, type Placeholder } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockName, lockRow } from '../../runtime/store/postgres.js'
import { prepared } from '../../runtime/store/prepared.js'
import { type BuildJobRow, pluginTables } from '../tables.js'

export interface Held {
  readonly jobId: string
  readonly fence: number
  /** The credential of the builder that asks. Absent for the server itself. */
  readonly holder?: string
}

type Queue = Pick<Runtime, 'store' | 'clock'>
type Run<T> = (tx: Tx, job: BuildJobRow, nowMs: number) => Promise<T>

/**
 * Claims and endings are serialized, so that limits and turns are read as they are. There are few: a build takes
 * minutes.
 */
export const inTurn = <T>({ store, clock }: Queue, run: (tx: Tx, nowMs: number) => Promise<T>): Promise<T> =>
  store.system.write(async (tx) => {
    // guard: claims-of-several-processes-take-turns
    await lockName(tx, 'plumbline.build_jobs')
    return run(tx, clock.now())
  }, 'plugin.build')

/** @returns false when the builder no longer holds the build. */
export const whileHeld = <T>(queue: Queue, held: Held, run: Run<T>): Promise<T | false> =>
  inTurn(queue, async (tx, nowMs) => {
    // A cancellation does not take the queue lock; it locks the row of the build.
    // guard: an-ending-sees-what-was-cancelled
    await lockRow(tx, 'build_jobs', held.jobId)
    const job = await heldJob(tx, held)
    return job === null ? false : run(tx, job, nowMs)
  })

/** For changes of the job alone: heartbeats do not wait for the claims of other builders. */
export const withHeldRow = <T>({ store, clock }: Queue, held: Held, run: Run<T>): Promise<T | false> =>
  store.system.write(async (tx) => {
    await lockRow(tx, 'build_jobs', held.jobId)
    const job = await heldJob(tx, held)
    return job === null ? false : run(tx, job, clock.now())
  }, 'plugin.build')

async function heldJob(tx: Tx, { jobId, fence, holder }: Held): Promise<BuildJobRow | null> {
  const [job] = await active(tx, { jobId, fence })
  // A fence can be guessed: it is a small number.
  if (job === undefined || (holder !== undefined && job.holder !== holder)) return null
  return job
}

const active = prepared((db, value: (name: 'jobId' | 'fence') => Placeholder) => {
  const { buildJobs } = pluginTables(db)
  // guard: one-builder-holds-a-build
  // guard: a-build-that-is-over-stays-so
  return db
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, value('jobId')), eq(buildJobs.fence, value('fence')), eq(buildJobs.state, 'active')))
})
