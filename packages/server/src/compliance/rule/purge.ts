/** Remove a deleted rule for good, with its history. */

import { and, eq } from 'drizzle-orm'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { forgetRule } from '../past/forget.js'
import { lockRules } from '../rule-stamp.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { findTombstone } from './find.js'
import { Path } from './restore.js'

export const purgeRule = command({
  name: 'compliance.rule.purge',
  summary: 'Purge a deleted rule and its history',
  http: { method: 'post', path: '/compliance/rules/:id/purge' },
  access: withStepUp(permission('compliance:write')),
  tenant: fromHeader,
  acrossOrganizations: 'subscriptions of other organizations to a published rule end with it',
  audit: ['compliance.rule.purge'],
  input: { path: Path },
  output: PurgedAnswer,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { tx } = context
    const orgId = tenantId(context)
    await lockRules(tx, orgId)
    const row = await findTombstone(tx, orgId, path.id)
    await removeRule(tx, row)
    await context.audit('compliance.rule.purge', { targetType: 'rule', targetId: row.id, details: { name: row.name } })
    return changed(purgedView(row.id, `the rule ${row.name}`))
  },
})

/** Removes a deleted rule with every row that depends on it. */
export async function removeRule(tx: Tx, { id, orgId }: Pick<RuleRow, 'id' | 'orgId'>): Promise<void> {
  const { rules, ruleHistory, subscriptions, policyRules, exemptions } = complianceTables(tx)
  await tx.delete(exemptions).where(eq(exemptions.ruleId, id))
  await tx.delete(policyRules).where(and(eq(policyRules.ruleId, id), eq(policyRules.orgId, orgId)))
  // Other organizations' subscriptions to a published rule end with it; they had no effect since it was deleted.
  await tx.delete(subscriptions).where(eq(subscriptions.ruleId, id))
  await tx.delete(ruleHistory).where(and(eq(ruleHistory.ruleId, id), eq(ruleHistory.orgId, orgId)))
  await forgetRule(tx, { id, orgId })
  await tx.delete(rules).where(and(eq(rules.id, id), eq(rules.orgId, orgId)))
}
