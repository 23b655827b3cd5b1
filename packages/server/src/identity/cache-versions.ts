/**
 * How a process without Redis learns that another process changed what it caches: the database holds a counter for each
 * kind of record. A change increments it, and each process reads it at most every two seconds, on the next call (spec
 * platform 26.3).
 *
 * The counter is incremented in a small transaction after the commit of the change, because a row that every change
 * updates would make the changes wait for one another. If a process dies in between, the cached records still expire
 * after 5 s.
 */
import { sql } from 'drizzle-orm'
import type { Runtime } from '../runtime/operation/context.js'
import { identityTables } from './tables.js'

export const STAMPS_EVERY_MS = 2000

export const STAMPED = ['users', 'organizations', 'sessions', 'tokens', 'services'] as const
export type Stamped = (typeof STAMPED)[number]

export interface Stamps {
  /** Null while the last read is recent enough; otherwise resolves when cached records may be used. */
  look(): Promise<void> | null
  /** Called after a commit in this process. */
  changed(kinds: Iterable<Stamped>): void
  /** Waits until the counters are written; called before the store is closed. */
  settle(): Promise<void>
}

export interface StampsOptions {
  readonly runtime: Pick<Runtime, 'store' | 'clock'>
  /** Another process changed records of this kind, so cached ones must be dropped. */
  readonly onForeign: (kind: Stamped) => void
}

export function createStamps({ runtime, onForeign }: StampsOptions): Stamps {
  const { store, clock } = runtime
  const known = new Map<string, number>()
  const due = new Set<Stamped>()
  let readAtMs: number | null = null
  let looking: Promise<void> | null = null
  let writing: Promise<void> | null = null

  async function read(): Promise<void> {
    const startedMs = clock.now()
    try {
      const rows = await store.system.read((db) => db.select().from(identityTables(db).identityStamps))
      const found = new Map(rows.map(({ kind, stamp }) => [kind, stamp]))
      for (const kind of STAMPED) {
        const stamp = found.get(kind) ?? 0
        if (known.get(kind) !== stamp) onForeign(kind)
        known.set(kind, stamp)
      }
      readAtMs = startedMs
    } catch {
      // The counters could not be read, so nothing cached is used; the next load reports the error.
      for (const kind of STAMPED) onForeign(kind)
    }
  }

  async function write(): Promise<void> {
    while (due.size > 0) {
      const kinds = [...due].sort()
      due.clear()
      const written = await store.system.write(async (tx) => {
        const { identityStamps: t } = identityTables(tx)
        return tx
          .insert(t)
          .values(kinds.map((kind) => ({ kind, stamp: 1 })))
          .onConflictDoUpdate({ target: t.kind, set: { stamp: sql`${t.stamp} + 1` } })
          .returning()
      }, 'identity.stamps')
      for (const { kind, stamp } of written) {
        // Exactly one more than known: only this process incremented it, and has already dropped the record.
        if (known.get(kind) === stamp - 1) known.set(kind, stamp)
      }
    }
  }

  return {
    look() {
      const ageMs = readAtMs === null ? Number.POSITIVE_INFINITY : clock.now() - readAtMs
      if (ageMs >= 0 && ageMs < STAMPS_EVERY_MS) return null
      looking ??= read().finally(() => {
        looking = null
      })
      return looking
    },
    changed(kinds) {
      for (const kind of kinds) due.add(kind)
      // If the counter cannot be written, other processes cannot read the database either.
      writing ??= write()
        .catch(() => undefined)
        .finally(() => {
          writing = null
        })
    },
    async settle() {
      await writing
    },
  }
}
