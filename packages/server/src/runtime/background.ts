/**
 * The background work of one process: the worker, the scheduler, the wake-ups between them, and the services of
 * domains.
 *
 * It stops in the order of dependencies: first no new ticks, then running jobs finish, then the services end that the
 * last jobs may still have used.
 */
import { hostname } from 'node:os'
import type { AnyJob, Schedule } from './jobs/define.js'
import { createQueue } from './jobs/queue.js'
import type { JobRunner } from './jobs/run-job.js'
import { createScheduler, type Scheduler } from './jobs/scheduler.js'
import type { WakeUps } from './jobs/wake-ups.js'
import { collectJobMetrics, createWorker, type Worker } from './jobs/worker.js'
import type { Service } from './manifest.js'
import type { ProcessMetrics } from './metrics/metrics.js'

export interface BackgroundOptions extends Omit<JobRunner, 'queue'> {
  readonly jobs: readonly AnyJob[]
  readonly schedules: readonly Schedule[]
  readonly services: readonly Service[]
  readonly wakeUps: WakeUps
  readonly metrics: ProcessMetrics
}

export interface Background {
  readonly worker: Worker
  readonly scheduler: Scheduler
  start(): void
  /** Ends, before anything else, the services that send requests to this server itself. */
  leave(): Promise<void>
  drain(msMax: number): Promise<void>
  /** Ends the shutdown drain early: nothing that still runs is waited for. */
  cut(): void
}

export function createBackground(options: BackgroundOptions): Background {
  const { runtime, jobs, schedules, services, wakeUps, metrics, log } = options
  const kinds = new Set(jobs.map(({ kind }) => kind))
  for (const { name, kind } of schedules) {
    if (!kinds.has(kind)) throw new Error(`the schedule ${name} queues jobs of kind ${kind}, which nobody runs`)
  }
  const queue = createQueue(runtime)
  const concurrency = runtime.settings.JOB_CONCURRENCY
  const worker = createWorker({ ...options, definitions: jobs, queue, concurrency })
  const holder = `${hostname()}:${process.pid}:${runtime.ids.next()}`
  const scheduler = createScheduler({ runtime, schedules, holder, metrics, log })
  collectJobMetrics(metrics, queue, [...kinds])
  const isWorking = runtime.settings.PLUMBLINE_WORKERS
  return {
    worker,
    scheduler,
    start() {
      for (const service of services) service.start()
      if (!isWorking) return
      wakeUps.listen(() => worker.wake())
      worker.start()
      scheduler.start()
    },
    async leave() {
      await Promise.all(services.map((service) => service.leave?.()))
    },
    async drain(msMax) {
      const startedMs = performance.now()
      const left = () => Math.max(0, msMax - (performance.now() - startedMs))
      await scheduler.stop()
      await worker.drain(left())
      for (const service of services) await service.drain(left())
    },
    cut() {
      worker.cut()
      for (const service of services) service.cut()
    },
  }
}
