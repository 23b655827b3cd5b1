/** A stored row as the record that was sealed: exactly its fields, which is what the verifier accepts. */
import type { AuditRecord } from '@plumbline/audit-chain'
import type { auditTables } from '../tables.js'

export type EventRow = (typeof auditTables.sqlite.auditEvents)['$inferSelect']

export const recordOf = (row: EventRow): AuditRecord => ({
  v: 1,
  ...row,
  outcome: row.outcome as AuditRecord['outcome'],
})
