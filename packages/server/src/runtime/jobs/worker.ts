/**
 * Runs the jobs that are due: it claims as many as it has room for, runs them, and looks again after each wake-up,
 * after each job, and every five seconds.
 */
import type { ProcessMetrics } from '../metrics/metrics.js'
import type { AnyJob } from './define.js'
import type { ClaimedJob, Queue } from './queue.js'
import { ATTEMPTS_MAX, type JobRunner, LEASE_MS, runJob, STOPPED } from './run-job.js'

export const SWEEP_EVERY_MS = 5000
const CONCURRENCY = 4
const FORGET_EVERY_SWEEPS = 120

export interface WorkerOptions extends JobRunner {
  readonly definitions: readonly AnyJob[]
  /** The most jobs at a time, of all kinds together. */
  readonly concurrency: number
  readonly metrics: ProcessMetrics
}

export interface Worker {
  /** Signals that there may be a job. It is cheap; call it whenever that is so. */
  wake(): void
  /** Begins to sweep. */
  start(): void
  /** Works until nothing is due and nothing runs: for tests, and for commands that empty a queue. */
  settle(): Promise<void>
  /** Sweeps once: takes back jobs of dead workers, and looks for due jobs. */
  sweep(): Promise<void>
  /** Claims nothing more and waits for running jobs. After `msMax` it tells them to stop and releases them. */
  drain(msMax: number): Promise<void>
  /** Tells running jobs to stop now, also during a drain. */
  cut(): void
  readonly running: number
}

export const createWorker = (options: WorkerOptions): Worker => new QueueWorker(options)

class QueueWorker implements Worker {
  readonly #options: WorkerOptions
  readonly #byKind: ReadonlyMap<string, AnyJob>
  readonly #attemptsMax: ReadonlyMap<string, number>
  /** The lane that was served last, by kind. */
  readonly #lanes = new Map<string, string>()
  readonly #runningOf = new Map<string, number>()
  readonly #runs = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  #isWanted = false
  #looking: Promise<void> | null = null
  #isDraining = false
  #timer: NodeJS.Timeout | null = null
  #sweeps = 0

  constructor(options: WorkerOptions) {
    const { definitions } = options
    this.#options = options
    this.#byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
    if (this.#byKind.size < definitions.length) throw new Error('two jobs have the same kind')
    this.#attemptsMax = new Map(definitions.map((each) => [each.kind, each.attemptsMax ?? ATTEMPTS_MAX]))
  }

  get running(): number {
    return this.#runs.size
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.sweep(), SWEEP_EVERY_MS).unref()
    void this.sweep()
  }

  wake(): void {
    this.#isWanted = true
    if (this.#looking !== null || this.#isDraining) return
    this.#looking = this.#look()
      .catch((error: unknown) => this.#options.log.write('queue.poll_failed', { error }))
      .finally(() => {
        this.#looking = null
        // A wake-up arrived between the last check and here.
        if (this.#isWanted) this.wake()
      })
  }

  async sweep(): Promise<void> {
    const { queue, log } = this.#options
    try {
      const taken = await queue.reclaim(this.#attemptsMax)
      if (taken > 0) log.write('queue.leases_expired', { jobs: taken })
      if (this.#sweeps++ % FORGET_EVERY_SWEEPS === 0) while ((await queue.forget()) > 0);
      this.wake()
    } catch (error) {
      log.write('queue.sweep_failed', { error })
    }
  }

  async settle(): Promise<void> {
    this.wake()
    while (this.#looking !== null || this.#runs.size > 0) {
      await this.#looking
      await Promise.all(this.#runs)
    }
  }

  async drain(msMax: number): Promise<void> {
    this.#isDraining = true
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#looking
    const late = setTimeout(() => this.cut(), msMax)
    await Promise.all(this.#runs)
    clearTimeout(late)
  }

  cut(): void {
    this.#stop.abort(STOPPED)
  }

  async #look(): Promise<void> {
    while (this.#isWanted && !this.#isDraining) {
      this.#isWanted = false
      for (const kind of await this.#options.queue.dueKinds()) {
        const definition = this.#byKind.get(kind)
        if (definition !== undefined) await this.#claim(definition)
      }
    }
  }

  async #claim(definition: AnyJob): Promise<void> {
    const { kind } = definition
    const room = Math.min(
      (definition.concurrency ?? CONCURRENCY) - (this.#runningOf.get(kind) ?? 0),
      this.#options.concurrency - this.#runs.size,
    )
    if (room <= 0 || this.#isDraining) return
    const leaseMs = definition.leaseMs ?? LEASE_MS
    const afterLane = this.#lanes.get(kind) ?? ''
    for (const job of await this.#options.queue.claim({ kind, leaseMs, jobsMax: room, afterLane })) {
      this.#lanes.set(kind, job.lane)
      this.#run(definition, job)
    }
  }

  #run(definition: AnyJob, job: ClaimedJob): void {
    const { kind } = definition
    const { metrics, runtime } = this.#options
    this.#runningOf.set(kind, (this.#runningOf.get(kind) ?? 0) + 1)
    const startedMs = runtime.clock.now()
    const run = runJob(this.#options, definition, job, this.#stop.signal).then((result) => {
      metrics.count('jobs_total', { kind, result })
      metrics.observe('job_duration_seconds', (runtime.clock.now() - startedMs) / 1000, { kind })
      this.#runningOf.set(kind, (this.#runningOf.get(kind) ?? 1) - 1)
      this.#runs.delete(run)
      this.wake()
    })
    this.#runs.add(run)
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
