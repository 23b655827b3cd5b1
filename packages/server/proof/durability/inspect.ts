/** What must hold of a database after a crash: it is whole, changes are with their evidence, nothing acknowledged is gone. */
import Database from 'better-sqlite3'

/** @returns the first thing that is wrong, or null. */
export function inspect(file: string, acknowledged: Iterable<number>): string | null {
  let database: Database.Database | undefined
  try {
    // Opening recovers the log, as the server does when it starts again.
    database = new Database(file)
    const integrity = database.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') return `integrity: ${String(integrity)}`
    const ids = (sql: string) => new Set(database?.prepare(sql).pluck().all() as string[])
    const roles = ids('SELECT id FROM roles')
    const evidence = ids("SELECT json_extract(event, '$.targetId') FROM audit_outbox")
    for (const number of acknowledged) if (!roles.has(`role-${number}`)) return `acknowledged write ${number} is lost`
    if (roles.size !== evidence.size) return `${roles.size} changes with ${evidence.size} pieces of evidence`
    for (const id of roles) if (!evidence.has(id)) return `${id} has no evidence`
    return null
  } catch (error) {
    return `the database does not open: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    database?.close()
  }
}
