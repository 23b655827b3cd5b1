/**
 * The only way past the triggers of `audit_events`. On SQLite the triggers call a function that succeeds only while a
 * procedure runs. On PostgreSQL the procedures are functions that run with the rights of their owner.
 *
 * INVARIANT: the triggers let changes pass only inside `run`, which runs only the statements of one procedure.
 */

import type { ErasablePart } from '@plumbline/audit-chain'
import type Database from 'better-sqlite3'
import { sql } from 'drizzle-orm'
import type { Store, Tx } from '../../runtime/store/db.js'

/** Name of the function, as the triggers call it. */
const FUNCTION = 'plumbline_maintenance'

const doors = new WeakMap<Database.Database, { open: boolean }>()

async function maintained<T>(store: Store, run: () => Promise<T>): Promise<T> {
  const { writer } = store as Store & { readonly writer?: Database.Database }
  if (writer === undefined) throw new Error('a store on SQLite has a writer connection')
  let door = doors.get(writer)
  if (door === undefined) {
    const made = { open: false }
    writer.function(FUNCTION, () => {
      if (!made.open) throw new Error('audit events cannot be changed or deleted')
      return null
    })
    doors.set(writer, made)
    door = made
  }
  // guard: the-door-of-maintenance-is-open-for-retention
  door.open = true
  try {
    return await run()
  } finally {
    // guard: the-door-of-maintenance-is-shut-again
    door.open = false
  }
}

/** Deletes the events up to `throughSeq`. The caller has stored their anchor earlier in the same transaction. */
export async function deletePrefix(store: Store, tx: Tx, chain: string, throughSeq: number): Promise<number> {
  if (tx.database === 'pg') {
    const [row] = await tx.rows<{ gone: number | string }>(
      sql`SELECT plumbline_audit_prune(${chain}, ${throughSeq}::bigint) AS gone`,
    )
    return Number(row?.gone ?? 0)
  }
  const gone = await maintained(store, () =>
    tx.rows(sql`DELETE FROM audit_events WHERE chain = ${chain} AND seq <= ${throughSeq} RETURNING 1 AS one`),
  )
  return gone.length
}

/**
 * Sets the salted fields of one part of these events to null. The event that explains it is appended in the same
 * transaction.
 */
export async function eraseHalf(
  store: Store,
  tx: Tx,
  chain: string,
  seqs: readonly number[],
  part: ErasablePart,
): Promise<number> {
  if (tx.database === 'pg') {
    const [row] = await tx.rows<{ gone: number | string }>(
      sql`SELECT plumbline_audit_erase(${chain}, ${`{${seqs.join(',')}}`}::bigint[], ${part}) AS gone`,
    )
    return Number(row?.gone ?? 0)
  }
  const values =
    part === 'identity'
      ? sql`actor_email = NULL, ip = NULL, user_agent = NULL, identity_salt = NULL`
      : sql`details = NULL, details_salt = NULL`
  const gone = await maintained(store, () =>
    tx.rows(
      sql`UPDATE audit_events SET ${values} WHERE chain = ${chain} AND seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) RETURNING 1 AS one`,
    ),
  )
  return gone.length
}
