/**
 * Tells the workers of all processes that a job is due: this process at once, the others over the bus. A wake-up only
 * saves time: when it is lost, doubled or late, the sweep finds the row. Source: spec platform 26.3; ADR 109.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Bus } from '../redis/redis.js'

export interface QueuedJob {
  readonly id: string
  readonly kind: string
  readonly runAtMs: number
}

export interface WakeUps {
  announce(job: QueuedJob): void
  /** Calls `wake` for each announcement that arrives here. Several that arrive together may cause one call. */
  listen(wake: () => void): void
}

const CHANNEL = 'jobs.due'

export function busWakeUps(bus: Bus, clock: Clock): WakeUps {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const wake of listeners) wake()
  }
  const self = randomUUID()
  let isTelling = false
  return {
    announce({ runAtMs }) {
      // The sweep finds jobs that are due later.
      if (runAtMs > clock.now()) return
      wakeAll()
      if (isTelling || !bus.isShared()) return
      isTelling = true
      setImmediate(() => {
        isTelling = false
        bus.publish(CHANNEL, self)
      })
    },
    listen(wake) {
      listeners.push(wake)
      if (listeners.length > 1) return
      bus.subscribe(CHANNEL, (from) => {
        if (from !== self) wakeAll()
      })
    },
  }
}
