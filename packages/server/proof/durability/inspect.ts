/** What must hold of a database after a crash: it is whole, changes are with their evidence, nothing acknowledged is gone. */
import type BetterSqlite from 'better-sqlite3'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'

const { Database } = sqliteDriver()

/** Every sealed event but the first follows the one before it, and the head is the last. */
const BROKEN_LINKS = `
  SELECT e.seq FROM audit_events e LEFT JOIN audit_events p ON p.chain = e.chain AND p.seq = e.seq - 1
    WHERE e.seq > 1 AND e.prev_hash IS NOT p.hash
  UNION ALL
  SELECT h.seq FROM audit_heads h LEFT JOIN audit_events e ON e.chain = h.chain AND e.seq = h.seq
    WHERE e.hash IS NOT h.hash OR h.seq <> (SELECT max(seq) FROM audit_events m WHERE m.chain = h.chain)
  LIMIT 1`

/** @returns the first thing that is wrong, or null. */
export function inspect(file: string, acknowledged: Iterable<number>): string | null {
  let database: BetterSqlite.Database | undefined
  try {
    // Opening recovers the log, as the server does when it starts again.
    database = new Database(file)
    const integrity = database.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') return `integrity: ${String(integrity)}`
    const ids = (sql: string) => database?.prepare(sql).pluck().all() as string[]
    const roles = new Set(ids('SELECT id FROM roles'))
    const evidence = ids(
      "SELECT json_extract(event, '$.targetId') FROM audit_outbox UNION ALL SELECT target_id FROM audit_events",
    )
    for (const number of acknowledged) if (!roles.has(`role-${number}`)) return `acknowledged write ${number} is lost`
    if (roles.size !== evidence.length) return `${roles.size} changes with ${evidence.length} pieces of evidence`
    for (const id of evidence) if (!roles.delete(id)) return `${id} has evidence twice, or without a change`
    const [broken] = database.prepare(BROKEN_LINKS).all() as { seq: number }[]
    return broken === undefined ? null : `the chain is broken at ${broken.seq}`
  } catch (error) {
    return `the database does not open: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    database?.close()
  }
}
