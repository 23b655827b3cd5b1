/**
 * A cache of authority records that may be a few seconds old. It runs one load per key at a time. A record that was
 * loaded before its key was dropped is not cached. Absent records are not cached, so that a person who just got access
 * has it at once.
 *
 * INVARIANT: no record is returned that was read from the database more than `ttlMs` ago (spec platform 3.7).
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../runtime/clock.js'
import type { Maybe } from '../runtime/maybe.js'

export interface FreshCache<V extends object> {
  /**
   * The record, loaded when it is not cached or too old; null when it does not exist. A plain value, not a promise,
   * when it is cached.
   */
  get(key: string, load: (key: string) => Promise<V | null>): Maybe<V | null>
  drop(key: string): void
  /** Drops every key that `matches` accepts. */
  dropWhere(matches: (key: string) => boolean): void
  clear(): void
}

export function freshCache<V extends object>(options: {
  readonly clock: Clock
  readonly max: number
  readonly ttlMs: number
}): FreshCache<V> {
  const { clock, max, ttlMs } = options
  const kept = new LRUCache<string, { readonly value: V; readonly readAtMs: number }>({ max })
  const loading = new Map<string, Promise<V | null>>()

  async function load(key: string, read: (key: string) => Promise<V | null>): Promise<V | null> {
    const readAtMs = clock.now()
    const running = read(key)
    loading.set(key, running)
    try {
      const value = await running
      if (value !== null && loading.get(key) === running) kept.set(key, { value, readAtMs })
      return value
    } finally {
      if (loading.get(key) === running) loading.delete(key)
    }
  }

  const dropWhere = (matches: (key: string) => boolean): void => {
    for (const key of [...kept.keys()]) if (matches(key)) kept.delete(key)
    for (const key of [...loading.keys()]) if (matches(key)) loading.delete(key)
  }

  return {
    get(key, read) {
      const found = kept.get(key)
      if (found !== undefined) {
        const ageMs = clock.now() - found.readAtMs
        if (ageMs >= 0 && ageMs < ttlMs) return found.value
        kept.delete(key)
      }
      return loading.get(key) ?? load(key, read)
    },
    drop(key) {
      kept.delete(key)
      loading.delete(key)
    },
    dropWhere,
    clear() {
      kept.clear()
      loading.clear()
    },
  }
}
