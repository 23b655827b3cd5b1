/**
 * Wakes the open streams of one process: at once for changes in this process, through the bus for those in other
 * processes (Redis or PostgreSQL), and by polling once a second while no bus connects the processes. A wake-up carries
 * no data: the stream reads the events itself, so a lost or repeated wake-up does no harm.
 */
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { type Bus, localBus } from '../../runtime/redis/redis.js'
import { type Together, together } from './coalesce.js'
import type { Look, Reader } from './read-events.js'

const CHANNEL = 'message.wake'

/** Wakes every organization; also the recipient of announcements. */
const ALL = '*'

/** The waiting streams of an organization, and the timer that wakes them without a wake-up. */
interface Waiting {
  readonly sleepers: Set<() => void>
  readonly timer: NodeJS.Timeout
}

export interface MessageHub {
  wake(orgIds: readonly string[]): void
  /** Whether other processes also wake the streams of this one. */
  isShared(): boolean
  /**
   * Resolves at the next wake-up for the organization, or when the signal is aborted. Without a wake-up, all waiting
   * streams of the organization are woken together after the time that the first of them gave, so that they share one
   * read.
   */
  next(orgId: string, msMax: number, signal: AbortSignal): Promise<void>
  /** Streams of an organization that read at the same time share one read. */
  readonly look: Together<Reader, Look>
}

export function createHub(bus: Bus): MessageHub {
  const waiting = new Map<string, Waiting>()
  const ring = (orgId: string) => {
    const own = waiting.get(orgId)
    if (own === undefined) return
    waiting.delete(orgId)
    clearTimeout(own.timer)
    for (const wake of own.sleepers) wake()
  }
  bus.subscribe(CHANNEL, (message) => {
    const orgIds = message as readonly string[]
    if (orgIds.includes(ALL)) for (const orgId of [...waiting.keys()]) ring(orgId)
    else for (const orgId of orgIds) ring(orgId)
  })
  return {
    isShared: () => bus.isShared(),
    wake: (orgIds) => bus.publish(CHANNEL, [...new Set(orgIds)]),
    next(orgId, msMax, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const own = waiting.get(orgId) ?? { sleepers: new Set(), timer: setTimeout(() => ring(orgId), msMax) }
        const leave = () => {
          own.sleepers.delete(wake)
          if (own.sleepers.size === 0 && waiting.get(orgId) === own) ring(orgId)
          resolve()
        }
        const wake = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        own.sleepers.add(wake)
        waiting.set(orgId, own)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    look: together(),
  }
}

export const hubOf = perRuntime(({ bus }) => createHub(bus ?? localBus()))

export const wakeStreams = (runtime: Runtime, orgIds: readonly string[]): void => hubOf(runtime).wake(orgIds)
