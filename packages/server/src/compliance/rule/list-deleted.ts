/** List the deleted rules that can be restored. */
import { deletedList } from '../../runtime/records/deleted-list.js'
import { complianceTables } from '../tables.js'
import { RuleRecord, ruleRecord } from './record.js'

export const listDeletedRules = deletedList({
  name: 'compliance.rule.list-deleted',
  summary: 'List the deleted rules that can be restored',
  path: '/compliance/rules/deleted',
  permission: 'compliance:read',
  key: 'rules',
  item: RuleRecord,
  sortBy: ['deletedAt', 'name', 'createdAt'],
  table: (db) => complianceTables(db).rules,
  columns: (t) => ({ deletedAt: t.updatedAtMs, name: t.nameKey, createdAt: t.createdAtMs }),
  present: (row, orgId) => ruleRecord(row, orgId),
})
