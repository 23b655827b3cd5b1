/**
 * Inserts many records. On SQLite it runs one prepared statement for each row. On PostgreSQL, where each call is a
 * round trip, it runs a single statement with the rows as one JSON parameter: building a statement with fourteen
 * thousand parameters would cost more than sealing.
 */
import type { AuditRecord } from '@plumbline/audit-chain'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { sqliteStatement } from '../../runtime/store/sqlite-connection.js'
import { auditTables } from '../tables.js'

/** Fields of a record and their columns. `v` is 1 for every row and is not stored. */
const COLUMNS: readonly [field: keyof AuditRecord, column: string][] = Object.entries(
  auditTables.sqlite.auditEvents as unknown as Record<string, { name?: string }>,
).flatMap(([field, { name }]) =>
  typeof name === 'string' ? [[field as keyof AuditRecord, name] as const] : [],
) as never

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
const COLUMN_LIST = list(COLUMNS.map(([, column]) => sql.identifier(column) as unknown as SQL))
const SQLITE_INSERT = `INSERT INTO audit_events (${COLUMNS.map(([, column]) => `"${column}"`).join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`

/**
 * In the order of the columns. Written out, because property access by a varying name costs more than the database
 * needs for the value.
 */
function valuesOf(r: AuditRecord): unknown[] {
  return [
    r.chain,
    r.seq,
    r.id,
    r.action,
    r.actorId,
    r.actorRole,
    r.orgId,
    r.affectedOrgId,
    r.targetType,
    r.targetId,
    r.groupId,
    r.impersonatorId,
    r.outcome,
    r.requestId,
    r.traceId,
    r.idempotencyKey,
    r.occurredAt,
    r.createdAt,
    r.prevHash,
    r.actorEmail,
    r.ip,
    r.userAgent,
    r.identitySalt,
    r.identityHash,
    r.details,
    r.detailsSalt,
    r.detailsHash,
    r.hash,
  ]
}

export async function insertRecords(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  if (tx.database === 'sqlite') {
    const insert = sqliteStatement(tx, SQLITE_INSERT)
    for (const record of records) insert.run(...valuesOf(record))
    return
  }
  const rows = JSON.stringify(
    records.map((record) => Object.fromEntries(COLUMNS.map(([field, column]) => [column, record[field]]))),
  )
  await tx.rows(
    sql`INSERT INTO audit_events (${COLUMN_LIST}) SELECT ${COLUMN_LIST} FROM json_populate_recordset(NULL::audit_events, ${rows}::json)`,
  )
}
