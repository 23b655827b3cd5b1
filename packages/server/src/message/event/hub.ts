/**
 * Wakes the open streams of one process: at once for changes made here, through the bus for those of other processes (Redis,
 * or PostgreSQL), and by looking once a second for as long as no bus reaches them. A wake-up carries nothing: a stream
 * reads what it is to tell, so that one that is lost or comes twice does no harm.
 */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Bus } from '../../runtime/redis/redis.js'

const CHANNEL = 'message.wake'

/** Told for every organization; also the end of an answer that goes to all. */
const ALL = '*'

export interface MessageHub {
  wake(orgIds: readonly string[]): void
  /** Other processes wake the streams of this one too. */
  isShared(): boolean
  /** Resolves at the next wake-up for the organization, when the time is over, or when the signal is aborted. */
  next(orgId: string, msMax: number, signal: AbortSignal): Promise<void>
}

export function createHub(bus: Bus): MessageHub {
  const waiting = new Map<string, Set<() => void>>()
  const ring = (orgId: string) => {
    for (const resolve of waiting.get(orgId) ?? []) resolve()
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
        const own = waiting.get(orgId) ?? new Set()
        const done = () => {
          own.delete(done)
          if (own.size === 0) waiting.delete(orgId)
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, msMax)
        waiting.set(orgId, own.add(done))
        if (signal.aborted) done()
        else signal.addEventListener('abort', done)
      })
    },
  }
}

const installed = new WeakMap<Runtime, MessageHub>()

/** Once for a runtime, before its operations are mounted. */
export function installHub(runtime: Runtime, bus: Bus): MessageHub {
  const hub = createHub(bus)
  installed.set(runtime, hub)
  return hub
}

export function hubOf(runtime: Runtime): MessageHub {
  const hub = installed.get(runtime)
  if (hub === undefined) throw new Error('installMessages was not called for this runtime')
  return hub
}

/** A process without streams wakes none. */
export const wakeStreams = (runtime: Runtime, orgIds: readonly string[]): void => installed.get(runtime)?.wake(orgIds)
