/**
 * Keeps a process busy with the jobs that are due: it claims what there is room for, runs it, and looks again after each
 * wake-up, after each job, and every five seconds without a reason.
 */
import type { ProcessMetrics } from '../metrics/metrics.js'
import type { AnyJob } from './define.js'
import type { Queue } from './queue.js'
import { ATTEMPTS_MAX, type JobRunner, LEASE_MS, runJob, STOPPED } from './run-job.js'

export const SWEEP_EVERY_MS = 5000
const CONCURRENCY = 4
const FORGET_EVERY_SWEEPS = 120

export interface WorkerOptions extends JobRunner {
  readonly definitions: readonly AnyJob[]
  /** Jobs at a time, over all kinds. */
  readonly concurrency: number
  readonly metrics: ProcessMetrics
}

export interface Worker {
  /** There may be something to do. Cheap; call it as often as that is so. */
  wake(): void
  /** Begins to sweep. */
  start(): void
  /** Looks until nothing is due and nothing runs: for tests, and for commands that work a queue off. */
  settle(): Promise<void>
  /** One sweep: takes back what died, and looks. */
  sweep(): Promise<void>
  /** Claims nothing more and waits for what runs; after `msMax` tells it to stop and hands it back. */
  drain(msMax: number): Promise<void>
  /** Tells what runs to stop now, also while it is drained. */
  cut(): void
  readonly running: number
}

export function createWorker(options: WorkerOptions): Worker {
  const { definitions, queue, metrics, log } = options
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  if (byKind.size < definitions.length) throw new Error('two jobs have the same kind')
  const attemptsMax = new Map(definitions.map((each) => [each.kind, each.attemptsMax ?? ATTEMPTS_MAX]))
  const lanes = new Map<string, string>()
  const running = new Map<string, number>()
  const runs = new Set<Promise<void>>()
  const stop = new AbortController()
  let isWanted = false
  let looking: Promise<void> | null = null
  let isDraining = false
  let timer: NodeJS.Timeout | null = null
  let sweeps = 0

  async function look(): Promise<void> {
    while (isWanted && !isDraining) {
      isWanted = false
      for (const kind of await queue.dueKinds()) {
        const definition = byKind.get(kind)
        if (definition !== undefined) await claim(definition)
      }
    }
  }

  async function claim(definition: AnyJob): Promise<void> {
    const { kind } = definition
    const room = Math.min(
      (definition.concurrency ?? CONCURRENCY) - (running.get(kind) ?? 0),
      options.concurrency - runs.size,
    )
    if (room <= 0 || isDraining) return
    const leaseMs = definition.leaseMs ?? LEASE_MS
    const jobs = await queue.claim({ kind, leaseMs, jobsMax: room, afterLane: lanes.get(kind) ?? '' })
    for (const job of jobs) {
      lanes.set(kind, job.lane)
      running.set(kind, (running.get(kind) ?? 0) + 1)
      const startedMs = options.runtime.clock.now()
      const run = runJob(options, definition, job, stop.signal).then((result) => {
        metrics.count('jobs_total', { kind, result })
        metrics.observe('job_duration_seconds', (options.runtime.clock.now() - startedMs) / 1000, { kind })
        running.set(kind, (running.get(kind) ?? 1) - 1)
        runs.delete(run)
        wake()
      })
      runs.add(run)
    }
  }

  function wake(): void {
    isWanted = true
    if (looking !== null || isDraining) return
    looking = look()
      .catch((error: unknown) => log.write('queue.poll_failed', { error }))
      .finally(() => {
        looking = null
        // Woken between the last look at the wish and here.
        if (isWanted) wake()
      })
  }

  async function sweep(): Promise<void> {
    try {
      const taken = await queue.reclaim(attemptsMax)
      if (taken > 0) log.write('queue.leases_expired', { jobs: taken })
      if (sweeps++ % FORGET_EVERY_SWEEPS === 0) while ((await queue.forget()) > 0);
      wake()
    } catch (error) {
      log.write('queue.sweep_failed', { error })
    }
  }

  return {
    wake,
    sweep,
    get running() {
      return runs.size
    },
    start() {
      timer ??= setInterval(() => void sweep(), SWEEP_EVERY_MS).unref()
      void sweep()
    },
    cut: () => stop.abort(STOPPED),
    async settle() {
      wake()
      while (looking !== null || runs.size > 0) {
        await looking
        await Promise.all(runs)
      }
    },
    async drain(msMax) {
      isDraining = true
      if (timer !== null) clearInterval(timer)
      await looking
      const late = setTimeout(() => stop.abort(STOPPED), msMax)
      await Promise.all(runs)
      clearTimeout(late)
    },
  }
}

/** Sets the gauges of the queue at each scrape. */
export function collectJobMetrics(metrics: ProcessMetrics, queue: Queue, kinds: readonly string[]): void {
  metrics.onScrape(async () => {
    const counts = await queue.counts()
    for (const kind of kinds) {
      const of = (state: string) => counts.find((each) => each.kind === kind && each.state === state)?.count ?? 0
      metrics.gauge('jobs_waiting', of('waiting'), { kind })
      metrics.gauge('jobs_running', of('running'), { kind })
      metrics.gauge('jobs_dead', of('dead'), { kind })
    }
    metrics.gauge('jobs_oldest_due_seconds', (await queue.oldestDueMs()) / 1000)
  })
}
