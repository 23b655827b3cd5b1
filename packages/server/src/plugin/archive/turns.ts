/**
 * Runs one task at a time, in turns by organization: a caller with many tasks waits for its own earlier tasks, and
 * between two of them for at most one task of each other organization.
 */
import { Refusal } from '../../runtime/errors.js'

export interface TurnsMax {
  readonly all: number
  /** Limit for one organization. */
  readonly each: number
}

export interface Turns {
  /** Runs the task when its turn comes. @throws Refusal `SERVICE_UNAVAILABLE` when too many tasks already wait. */
  take<T>(orgId: string, run: () => Promise<T>): Promise<T>
}

export function createTurns({ all, each }: TurnsMax): Turns {
  /** Waiting tasks by organization, in the order of the organizations' turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>()
  let count = 0
  let isRunning = false

  async function drain(): Promise<void> {
    isRunning = true
    for (;;) {
      const [next] = waiting
      if (next === undefined) break
      const [orgId, own] = next
      const run = own.shift()
      // The organization moves to the end of the order.
      waiting.delete(orgId)
      // guard: organizations-take-turns-at-the-reader-of-archives
      if (own.length > 0) waiting.set(orgId, own)
      count -= 1
      await run?.()
    }
    isRunning = false
  }

  return {
    take(orgId, run) {
      const own = waiting.get(orgId) ?? []
      // guard: so-many-archives-of-one-organization-wait
      if (count >= all || own.length >= each) {
        const whose = own.length >= each ? 'of your organization ' : ''
        const refusal = new Refusal(
          'SERVICE_UNAVAILABLE',
          `too many archives ${whose}are waiting to be read: try again`,
          {
            headers: { 'Retry-After': '10' },
          },
        )
        return Promise.reject(refusal)
      }
      return new Promise((resolve, reject) => {
        own.push(() => run().then(resolve, reject))
        waiting.set(orgId, own)
        count += 1
        if (!isRunning) void drain()
      })
    },
  }
}
