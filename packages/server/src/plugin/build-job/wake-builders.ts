/**
 * Wakes builders that wait for a build, in this process and, through the bus, in others. A wake-up only saves time: a
 * builder that hears none looks again within a second.
 */
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { localBus } from '../../runtime/redis/redis.js'

const CHANNEL = 'builds.due'

const hubOf = perRuntime((runtime: Runtime) => {
  const bus = runtime.bus ?? localBus()
  const waiting = new Set<() => void>()
  // One, because one build is due: woken together, all would ask the database for it at once.
  bus.subscribe(CHANNEL, () => {
    const [first] = waiting
    first?.()
  })
  return { bus, waiting }
})

export const announceBuild = (runtime: Runtime): void => hubOf(runtime).bus.publish(CHANNEL, null)

/** Resolves when a build is announced, or after this time. */
export function buildDue(runtime: Runtime, msMax: number): Promise<void> {
  const { waiting } = hubOf(runtime)
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      waiting.delete(wake)
      resolve()
    }
    const timer = setTimeout(wake, msMax).unref()
    waiting.add(wake)
  })
}
