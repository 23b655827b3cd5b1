/**
 * The queue of jobs is the table: claiming, completing, retrying and dead-lettering are statements on it, and no other
 * place stores the state of a job. Every change by a worker compares the fencing token that the claim returned.
 *
 * INVARIANT: a job is waiting, running under exactly one newest fence, done, or dead. Only the holder of that fence, or
 * the reclaim after its lease ended, changes it.
 */
import { and, asc, count, eq, gt, inArray, lt, lte, min, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../clock.js'
import type { Store, Tx } from '../store/db.js'
import { skippingLocked } from '../store/postgres.js'
import { prepared } from '../store/prepared.js'
import { LeaseLost } from './define.js'
import { mayBegin } from './key-lock.js'
import { jobTables } from './tables.js'

export interface ClaimedJob {
  readonly id: string
  readonly kind: string
  readonly orgId: string | null
  readonly lane: string
  readonly payload: unknown
  readonly traceparent: string | null
  /** 1 for the first. */
  readonly attempt: number
  readonly fence: number
}

export interface ClaimRequest {
  readonly kind: string
  readonly leaseMs: number
  /** At most this many jobs. */
  readonly jobsMax: number
  /** Lanes take turns: the search begins after this lane and wraps around. */
  readonly afterLane: string
}

export interface Ending {
  readonly state: 'done' | 'dead' | 'waiting'
  readonly error?: string
  /** For a job that goes back to waiting. */
  readonly runAtMs?: number
  /** The attempt does not count, because the worker was told to stop. */
  readonly uncounted?: boolean
  readonly forgetPayload?: boolean
}

export interface JobCount {
  readonly kind: string
  readonly state: string
  readonly count: number
}

export type Queue = ReturnType<typeof createQueue>

const DONE_KEPT_MS = 86_400_000
const DEAD_KEPT_MS = 30 * 86_400_000
const BATCH = 500

export function createQueue({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const system = store.system
  return {
    /** Returns the kinds that have a job to run now. */
    dueKinds: (): Promise<string[]> =>
      system.read(async (db) => (await db.rows<{ kind: string }>(dueKinds(clock.now()))).map(({ kind }) => kind)),

    claim: (request: ClaimRequest): Promise<ClaimedJob[]> => system.write((tx) => claimIn(tx, request, clock.now())),

    /**
     * Extends the lease.
     *
     * @returns False when the job is not this worker's any more.
     */
    renew: ({ id, fence }: ClaimedJob, leaseMs: number): Promise<boolean> =>
      system.write(async (tx) => (await extend(tx, { id, fence, leaseUntilMs: clock.now() + leaseMs })).length > 0),

    /** Ends an attempt without an effect. @throws LeaseLost */
    end: (job: ClaimedJob, ending: Ending): Promise<void> => system.write((tx) => endIn(tx, job, ending, clock.now())),

    /**
     * Takes back jobs whose worker died: they wait again, or become dead letters after their last attempt.
     *
     * @param attemptsMax By kind. A kind that this process does not know is left to processes that do.
     * @returns The number of jobs taken back.
     */
    reclaim: (attemptsMax: ReadonlyMap<string, number>): Promise<number> => reclaim(store, clock.now(), attemptsMax),

    /**
     * Deletes jobs that were done for a day or dead for thirty days.
     *
     * @returns The number of deleted jobs.
     */
    forget: (): Promise<number> => forget(store, clock.now()),

    counts: (): Promise<JobCount[]> =>
      system.read(async (db) => {
        const { jobs } = jobTables(db)
        return db
          .select({ kind: jobs.kind, state: jobs.state, count: count() })
          .from(jobs)
          .where(inArray(jobs.state, ['waiting', 'running', 'dead']))
          .groupBy(jobs.kind, jobs.state)
      }),

    /** Returns how long the oldest due job has waited, in ms. */
    oldestDueMs: (): Promise<number> =>
      system.read(async (db) => {
        const { jobs } = jobTables(db)
        const [row] = await db
          .select({ runAtMs: min(jobs.runAtMs) })
          .from(jobs)
          .where(eq(jobs.state, 'waiting'))
        return Math.max(0, clock.now() - Number(row?.runAtMs ?? clock.now()))
      }),
  }
}

/**
 * Steps from kind to kind along the index, because `DISTINCT` would read every job of a backlog each time. The plus
 * keeps SQLite from using the index by time, which contains the backlogs of other kinds.
 */
const dueKinds = (nowMs: number): SQL => sql`WITH RECURSIVE kinds (kind) AS (
    SELECT min(kind) FROM jobs WHERE state = 'waiting'
    UNION ALL
    SELECT (SELECT min(jobs.kind) FROM jobs WHERE state = 'waiting' AND jobs.kind > kinds.kind) FROM kinds WHERE kinds.kind IS NOT NULL
  )
  SELECT kind FROM kinds WHERE EXISTS (
    SELECT 1 FROM jobs WHERE state = 'waiting' AND jobs.kind = kinds.kind AND +run_at_ms <= ${nowMs}
  )`

// Claiming and ending are prepared statements: each job does both, and building a statement costs more than running it.

const claimOne = prepared((db, value: (name: 'id' | 'leaseUntilMs') => Placeholder) => {
  const { jobs } = jobTables(db)
  return db
    .update(jobs)
    .set({
      state: 'running',
      attempts: sql`${jobs.attempts} + 1`,
      fence: sql`${jobs.fence} + 1`,
      leaseUntilMs: sql`${value('leaseUntilMs')}`,
      // Frees the key when the job starts. This run may have read its data already, so a new request for the same work
      // must be queued.
      uniqueKey: null,
    })
    .where(and(eq(jobs.id, value('id')), eq(jobs.state, 'waiting')))
    .returning()
})

/** Selects the first due job of the next lane. `round` begins again at the first lane. */
const nextInTurn = (round: boolean) =>
  prepared((db, value: (name: 'kind' | 'lane' | 'nowMs') => Placeholder) => {
    const { jobs } = jobTables(db)
    const next = db
      .select({ id: jobs.id, uniqueKey: jobs.uniqueKey })
      .from(jobs)
      .where(
        and(
          eq(jobs.state, 'waiting'),
          eq(jobs.kind, value('kind')),
          (round ? lte : gt)(jobs.lane, value('lane')),
          lte(jobs.runAtMs, value('nowMs')),
        ),
      )
      .orderBy(asc(jobs.lane), asc(jobs.runAtMs), asc(jobs.id))
      .limit(1)
    // Rows that another worker is claiming are skipped, not waited for.
    return skippingLocked(db, next)
  })
const nextBehind = nextInTurn(false)
const nextRound = nextInTurn(true)

async function claimIn(tx: Tx, request: ClaimRequest, nowMs: number): Promise<ClaimedJob[]> {
  const claimed: ClaimedJob[] = []
  const { kind } = request
  let lane = request.afterLane
  while (claimed.length < request.jobsMax) {
    const turn = { kind, lane, nowMs }
    const found = (await nextBehind(tx, turn))[0] ?? (await nextRound(tx, turn))[0]
    // It is claimed when it is looked for again, which is within seconds.
    if (found === undefined || !(await mayBegin(tx, kind, found.uniqueKey))) break
    const [row] = await claimOne(tx, { id: found.id, leaseUntilMs: nowMs + request.leaseMs })
    if (row === undefined) continue
    lane = row.lane
    claimed.push({
      id: row.id,
      kind: row.kind,
      orgId: row.orgId,
      lane: row.lane,
      payload: row.payload,
      traceparent: row.traceparent,
      attempt: row.attempts,
      fence: row.fence,
    })
  }
  return claimed
}

const endDone = prepared((db, value: (name: 'id' | 'fence' | 'nowMs') => Placeholder) => {
  const { jobs } = jobTables(db)
  return db
    .update(jobs)
    .set({ state: 'done', leaseUntilMs: null, finishedAtMs: sql`${value('nowMs')}` })
    .where(and(eq(jobs.id, value('id')), eq(jobs.fence, value('fence')), eq(jobs.state, 'running')))
    .returning({ id: jobs.id })
})

/**
 * Ends a running job in the transaction of its effect, so that both are committed or neither.
 *
 * @throws LeaseLost
 */
export async function endIn(tx: Tx, job: ClaimedJob, ending: Ending, nowMs: number): Promise<void> {
  const isPlain = ending.state === 'done' && ending.error === undefined && !ending.forgetPayload
  const rows = isPlain
    ? await endDone(tx, { id: job.id, fence: job.fence, nowMs })
    : await endOther(tx, job, ending, nowMs)
  if (rows.length === 0) throw new LeaseLost(job.kind)
}

function endOther(tx: Tx, job: ClaimedJob, ending: Ending, nowMs: number): Promise<{ id: string }[]> {
  const { jobs } = jobTables(tx)
  return tx
    .update(jobs)
    .set({
      state: ending.state,
      leaseUntilMs: null,
      ...(ending.state === 'waiting' ? { runAtMs: ending.runAtMs ?? nowMs } : { finishedAtMs: nowMs }),
      ...(ending.error === undefined ? {} : { lastError: ending.error }),
      ...(ending.uncounted ? { attempts: job.attempt - 1 } : {}),
      ...(ending.forgetPayload ? { payload: {} } : {}),
    })
    .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence), eq(jobs.state, 'running')))
    .returning({ id: jobs.id })
}

const extend = prepared((db, value: (name: 'id' | 'fence' | 'leaseUntilMs') => Placeholder) => {
  const { jobs } = jobTables(db)
  return db
    .update(jobs)
    .set({ leaseUntilMs: sql`${value('leaseUntilMs')}` })
    .where(and(eq(jobs.id, value('id')), eq(jobs.fence, value('fence')), eq(jobs.state, 'running')))
    .returning({ id: jobs.id })
})

/**
 * Verifies in a transaction that the job is still this worker's, and extends the lease.
 *
 * @throws LeaseLost
 */
export async function holdIn(tx: Tx, { id, fence, kind }: ClaimedJob, leaseUntilMs: number): Promise<void> {
  const rows = await extend(tx, { id, fence, leaseUntilMs })
  if (rows.length === 0) throw new LeaseLost(kind)
}

async function reclaim(store: Store, nowMs: number, attemptsMax: ReadonlyMap<string, number>): Promise<number> {
  const kinds = [...attemptsMax.keys()]
  if (kinds.length === 0) return 0
  const ended = await store.system.read((db) => {
    const { jobs } = jobTables(db)
    return db
      .select({ id: jobs.id, kind: jobs.kind, fence: jobs.fence, attempts: jobs.attempts })
      .from(jobs)
      .where(and(eq(jobs.state, 'running'), inArray(jobs.kind, kinds), lt(jobs.leaseUntilMs, nowMs)))
      .orderBy(asc(jobs.leaseUntilMs))
      .limit(BATCH)
  })
  if (ended.length === 0) return 0
  return store.system.write(async (tx) => {
    const { jobs } = jobTables(tx)
    let taken = 0
    for (const { id, kind, fence, attempts } of ended) {
      const isOver = attempts >= (attemptsMax.get(kind) ?? 1)
      const rows = await tx
        .update(jobs)
        .set({
          ...(isOver ? { state: 'dead', finishedAtMs: nowMs } : { state: 'waiting', runAtMs: nowMs }),
          leaseUntilMs: null,
          lastError: 'the worker did not finish before its lease ended',
        })
        // Compares the fence, because the worker may have finished or renewed since the job was read.
        .where(and(eq(jobs.id, id), eq(jobs.fence, fence), eq(jobs.state, 'running'), lt(jobs.leaseUntilMs, nowMs)))
        .returning({ id: jobs.id })
      taken += rows.length
    }
    return taken
  })
}

async function forget(store: Store, nowMs: number): Promise<number> {
  const over = await store.system.read(async (db) => {
    const { jobs } = jobTables(db)
    const find = (state: string, keptMs: number) =>
      db
        .select({ id: jobs.id })
        .from(jobs)
        .where(and(eq(jobs.state, state), lt(jobs.finishedAtMs, nowMs - keptMs)))
        .limit(BATCH)
    return [...(await find('done', DONE_KEPT_MS)), ...(await find('dead', DEAD_KEPT_MS))].map(({ id }) => id)
  })
  if (over.length === 0) return 0
  await store.system.write(async (tx) => {
    const { jobs } = jobTables(tx)
    // A job that was replayed meanwhile is waiting, and stays.
    await tx.delete(jobs).where(and(inArray(jobs.id, over), inArray(jobs.state, ['done', 'dead'])))
  })
  return over.length
}
