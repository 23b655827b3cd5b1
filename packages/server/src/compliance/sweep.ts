/** Purges deleted rules and policies whose restore period has ended; each purge writes an audit event. */
import { sweepOf } from '../runtime/records/soft-delete.js'
import { removePolicy } from './policy/purge.js'
import { removeRule } from './rule/purge.js'
import { complianceTables } from './tables.js'

const rules = sweepOf({
  kind: 'compliance.purge-rules',
  tables: (db) => complianceTables(db).rules,
  async purge(tx, orgId, ids) {
    for (const id of ids) await removeRule(tx, { id, orgId })
  },
  evidence: { action: 'compliance.rule.purge', targetType: 'rule' },
})

const policies = sweepOf({
  kind: 'compliance.purge-policies',
  tables: (db) => complianceTables(db).policies,
  async purge(tx, orgId, ids) {
    for (const id of ids) await removePolicy(tx, { id, orgId })
  },
  evidence: { action: 'compliance.policy.purge', targetType: 'policy' },
})

export const SWEEP_JOBS = [rules.job, policies.job]
export const SWEEP_SCHEDULES = [rules.schedule, policies.schedule]
