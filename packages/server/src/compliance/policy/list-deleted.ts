/** List the deleted policies that can be restored. */
import { deletedList } from '../../runtime/records/deleted-list.js'
import { complianceTables } from '../tables.js'
import { PolicyRecord, policyRecord } from './record.js'

export const listDeletedPolicies = deletedList({
  name: 'compliance.policy.list-deleted',
  summary: 'List the deleted policies that can be restored',
  path: '/compliance/policies/deleted',
  permission: 'compliance:read',
  key: 'policies',
  item: PolicyRecord,
  sortBy: ['deletedAt', 'name', 'createdAt'],
  table: (db) => complianceTables(db).policies,
  columns: (t) => ({ deletedAt: t.updatedAtMs, name: t.nameKey, createdAt: t.createdAtMs }),
  present: (row, orgId) => policyRecord(row, [], orgId),
})
