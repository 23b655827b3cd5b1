/**
 * What was found out in the last minute, by the connection and the question, whose parameters name the tenant. For what may be
 * a minute old: totals of long lists, and which way a list takes.
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

/** A query as it is now: what is added to it later is not in the question. */
export const questionOf = (query: { toSQL(): unknown }): string => JSON.stringify(query.toSQL())
