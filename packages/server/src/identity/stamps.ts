/**
 * How a process without Redis learns that another one changed what it remembers: a number in the database for each kind of
 * record, counted up after each change and read at most every two seconds, by the next caller (spec platform 26.3).
 *
 * Counted up in a small write after the commit of the change, because one row that every change touched would make them
 * wait for one another. A process that dies between the two leaves the age limit of the records, 5 s.
 */
import { sql } from 'drizzle-orm'
import type { Runtime } from '../runtime/operation/context.js'
import { identityTables } from './tables.js'

export const STAMPS_EVERY_MS = 2000

export const STAMPED = ['users', 'organizations', 'sessions', 'tokens', 'services'] as const
export type Stamped = (typeof STAMPED)[number]

export interface Stamps {
  /** Null while the last look is young enough; else resolves when what is remembered may be used. */
  look(): Promise<void> | null
  /** Something was committed here. */
  changed(kinds: Iterable<Stamped>): void
  /** Waits until what changed is written; before the store is closed. */
  settle(): Promise<void>
}

export interface StampsOptions {
  readonly runtime: Pick<Runtime, 'store' | 'clock'>
  /** Another process changed records of this kind: nothing of it may be used any more. */
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
      // What cannot be compared is not used; loading it again says what is wrong.
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
        // One more than known: only we counted, and what changed is dropped here already.
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
      // A database that cannot count is one that others cannot read either.
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
