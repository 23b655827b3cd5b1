/**
 * Queues one job for each tick of each job schedule, in the replica that holds the scheduler lease. The transaction
 * that queues compares the holder's fencing token and the newest tick, so a leader that was paused and resumes writes
 * nothing.
 *
 * INVARIANT: each (schedule, tick) is queued at most once, by any number of processes.
 */
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Log } from '../log/log.js'
import type { Metrics } from '../metrics/port.js'
import type { Runtime } from '../operation/context.js'
import type { Tx } from '../store/db.js'
import type { Schedule } from './define.js'
import { enqueue } from './enqueue.js'
import { jobTables } from './tables.js'

export const SCHEDULER_LEASE_MS = 15_000
const RENEW_EVERY_MS = 5000
const LOOK_EVERY_MS = 1000
const LEASE = 'scheduler'

export interface SchedulerOptions {
  readonly runtime: Runtime
  readonly schedules: readonly Schedule[]
  /** Identifies this process among the replicas. */
  readonly holder: string
  readonly metrics: Metrics
  readonly log: Log
}

export interface Scheduler {
  start(): void
  /**
   * Takes or renews the lease when it is time, and queues what is due.
   *
   * @returns The ticks that were queued.
   */
  look(): Promise<readonly string[]>
  /** Stops the scheduler and releases the lease, so that another replica need not wait until it ends. */
  stop(): Promise<void>
}

export function createScheduler({ runtime, schedules, holder, metrics, log }: SchedulerOptions): Scheduler {
  const { clock, store } = runtime
  const queued = new Map<string, number>()
  let fence: number | null = null
  let askAtMs = 0
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> = Promise.resolve()

  async function lead(nowMs: number): Promise<void> {
    if (nowMs < askAtMs) return
    askAtMs = nowMs + RENEW_EVERY_MS
    const mine = fence
    fence = await store.system.write((tx) => takeLease(tx, { holder, fence: mine, nowMs }))
    if (fence !== mine) {
      queued.clear()
      if (fence !== null) log.write('scheduler.leader_acquired', { fence })
    }
    metrics.gauge('scheduler_is_leader', fence === null ? 0 : 1)
  }

  async function look(): Promise<readonly string[]> {
    const nowMs = clock.now()
    await lead(nowMs)
    const done: string[] = []
    for (const schedule of schedules) {
      const tick = Math.floor(nowMs / schedule.everyMs)
      const held = fence
      if (held === null) break
      if ((queued.get(schedule.name) ?? -1) >= tick) continue
      const outcome = await store.system.write((tx) => queueTick(tx, runtime, schedule, tick, { holder, fence: held }))
      if (outcome === 'not leader') {
        fence = null
        askAtMs = nowMs + RENEW_EVERY_MS
        log.write('scheduler.leader_lost', {})
        break
      }
      queued.set(schedule.name, tick)
      if (outcome === 'queued') {
        metrics.count('scheduler_ticks_total', { schedule: schedule.name })
        done.push(`${schedule.name}:${tick}`)
      }
    }
    return done
  }

  return {
    look,
    start() {
      timer ??= setInterval(() => {
        running = running.then(look).catch((error: unknown) => log.write('scheduler.poll_failed', { error }))
      }, LOOK_EVERY_MS).unref()
    },
    async stop() {
      if (timer !== null) clearInterval(timer)
      timer = null
      await running
      const held = fence
      fence = null
      if (held === null) return
      await store.system.write(async (tx) => {
        const { leases } = jobTables(tx)
        await tx
          .update(leases)
          .set({ untilMs: 0 })
          .where(isHeld(leases, { holder, fence: held }))
      })
    },
  }
}

interface Held {
  readonly holder: string
  readonly fence: number
}

type Leases = ReturnType<typeof jobTables>['leases']

const isHeld = (leases: Leases, { holder, fence }: Held) =>
  and(eq(leases.name, LEASE), eq(leases.holder, holder), eq(leases.fence, fence))

/** @returns the fence when the lease is held now, else null. */
async function takeLease(
  tx: Tx,
  { holder, fence, nowMs }: { holder: string; fence: number | null; nowMs: number },
): Promise<number | null> {
  const { leases } = jobTables(tx)
  const untilMs = nowMs + SCHEDULER_LEASE_MS
  if (fence !== null) {
    const kept = await tx
      .update(leases)
      .set({ untilMs })
      .where(isHeld(leases, { holder, fence }))
      .returning({ fence: leases.fence })
    if (kept[0] !== undefined) return kept[0].fence
  }
  const taken = await tx
    .update(leases)
    .set({ holder, untilMs, fence: sql`${leases.fence} + 1` })
    .where(and(eq(leases.name, LEASE), lt(leases.untilMs, nowMs)))
    .returning({ fence: leases.fence })
  if (taken[0] !== undefined) return taken[0].fence
  const made = await tx
    .insert(leases)
    .values({ name: LEASE, holder, untilMs, fence: 1 })
    .onConflictDoNothing()
    .returning({ fence: leases.fence })
  return made[0]?.fence ?? null
}

async function queueTick(
  tx: Tx,
  runtime: Runtime,
  { name, kind, payload }: Schedule,
  tick: number,
  held: Held,
): Promise<'queued' | 'known' | 'not leader'> {
  const { leases, scheduleTicks } = jobTables(tx)
  // An update and not a read: on PostgreSQL it locks the row until this transaction ends.
  const still = await tx
    .update(leases)
    .set({ holder: held.holder })
    .where(isHeld(leases, held))
    .returning({ name: leases.name })
  if (still.length === 0) return 'not leader'
  const moved = await tx
    .insert(scheduleTicks)
    .values({ name, tick })
    .onConflictDoUpdate({ target: scheduleTicks.name, set: { tick }, setWhere: lt(scheduleTicks.tick, tick) })
    .returning({ name: scheduleTicks.name })
  if (moved.length === 0) return 'known'
  // One waiting job for each schedule is enough, so ticks that were not worked off do not accumulate.
  await enqueue(tx, runtime, { kind, payload: payload ?? {}, uniqueKey: `schedule:${name}` })
  return 'queued'
}
