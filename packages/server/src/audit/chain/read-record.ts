/**
 * Turns a stored row into the record that was sealed, with exactly its fields, because the verifier accepts no others.
 */
import type { AuditRecord } from '@plumbline/audit-chain'
import type { auditTables } from '../tables.js'

export type EventRow = (typeof auditTables.sqlite.auditEvents)['$inferSelect']

export const recordOf = (row: EventRow): AuditRecord => ({
  v: 1,
  ...row,
  outcome: row.outcome as AuditRecord['outcome'],
})
