/**
 * A cache of results of the last minute, by connection and query, whose parameters name the tenant. For results that
 * may be a minute old: totals of long lists, and which way a list is read.
 */
import { LRUCache } from 'lru-cache'
import type { Db } from './db.js'

export interface Lately<V> {
  get(db: Db, question: string): V | undefined
  set(db: Db, question: string, value: V): void
}

const REMEMBERED = { max: 500, ttl: 60_000 }

export function lately<V extends NonNullable<unknown>>(): Lately<V> {
  const known = new WeakMap<object, LRUCache<string, V>>()
  return {
    get: ({ preparedFor }, question) => known.get(preparedFor)?.get(question),
    set({ preparedFor }, question, value) {
      const own = known.get(preparedFor) ?? new LRUCache<string, V>(REMEMBERED)
      known.set(preparedFor, own)
      own.set(question, value)
    },
  }
}

/** The query as it is now. Later additions to it are not part of the key. */
export const questionOf = (query: { toSQL(): unknown }): string => JSON.stringify(query.toSQL())
