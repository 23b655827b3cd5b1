/**
 * Tells some process that a job is due: one of all through BullMQ, and without Redis this one. A wake-up is only for
 * speed: lost, doubled or late, the sweeper finds the row. Source: spec platform 26.3.
 */
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { Clock } from '../clock.js'
import type { Log } from '../log/log.js'

export interface QueuedJob {
  readonly id: string
  readonly kind: string
  readonly runAtMs: number
}

export interface WakeUps {
  announce(job: QueuedJob): void
  /** Calls `wake` for each announcement that comes here. */
  listen(wake: () => void): void
  close(): Promise<void>
}

/** Without Redis: this process hears itself. */
export function localWakeUps(clock: Clock): WakeUps {
  const listeners: (() => void)[] = []
  return {
    announce({ runAtMs }) {
      // Later ones are for the sweeper.
      if (runAtMs <= clock.now()) for (const wake of listeners) wake()
    },
    listen: (wake) => void listeners.push(wake),
    close: async () => undefined,
  }
}

const QUEUE = 'plumbline-wake-ups'

export function redisWakeUps(url: string, clock: Clock, log: Log, prefix: string): WakeUps {
  const sending = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  const quiet = (error: Error) => log.write('queue.wake_up_failed', { error })
  sending.on('error', quiet)
  let queue: Queue | null = null
  // BullMQ asks Redis for its version when a queue is made, and never again: made earlier, it would never send anything.
  sending.once('ready', () => {
    queue = new Queue(QUEUE, { connection: sending, prefix, skipWaitingForReady: true })
    queue.on('error', quiet)
  })
  let worker: Worker | null = null
  let receiving: Redis | null = null
  // While Redis is away this process still hears itself.
  const alone = localWakeUps(clock)
  return {
    announce(job) {
      if (queue === null) return alone.announce(job)
      const delay = Math.max(0, job.runAtMs - clock.now())
      queue
        .add(job.kind, {}, { jobId: job.id, attempts: 1, delay, removeOnComplete: true, removeOnFail: true })
        .catch((error: Error) => {
          quiet(error)
          alone.announce(job)
        })
    },
    listen(wake) {
      alone.listen(wake)
      receiving = new Redis(url, { maxRetriesPerRequest: null })
      receiving.on('error', quiet)
      worker = new Worker(QUEUE, async () => wake(), { connection: receiving, prefix, concurrency: 16 })
      worker.on('error', quiet)
    },
    async close() {
      await worker?.close(true).catch(() => undefined)
      await queue?.close().catch(() => undefined)
      receiving?.disconnect()
      sending.disconnect()
    },
  }
}
