/** `POST /compliance/subscriptions/clone`: an editable copy of a published rule, independent from then on. */
import { cloneRules } from '@plumbline/engine'
import { and, eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { addRule } from '../rule/create.js'
import { nameTaken } from '../rule/issues.js'
import { engineRule, RuleRecord, ruleRecord } from '../rule/record.js'
import { complianceTables } from '../tables.js'
import { checkFeature, checkSubscriber, publishedRule } from './gate.js'

export const cloneRule = command({
  name: 'compliance.subscription.clone',
  summary: 'Copy a published rule into an own one',
  description:
    'Named `<name>-custom` unless a name is given. What it depends on stays a reference to the published rule.',
  http: { method: 'post', path: '/compliance/subscriptions/clone', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.create'],
  idempotent: true,
  input: { body: strictObject({ ruleId: Uuid, name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) }) },
  output: strictObject({ rule: RuleRecord }),
  errors: ['DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { ruleId, name } }) {
    const { tx } = context
    const orgId = tenantId(context)
    checkSubscriber(context)
    const published = await publishedRule(tx, context, ruleId)
    checkFeature(context, published)
    const names = await liveNames(tx, orgId)
    if (name !== undefined && names.includes(name.trim())) throw nameTaken()
    const { rules } = cloneRules([engineRule(published)], {
      names,
      newId: ({ id }) => id ?? ruleId,
      nameOf: (rule) => name?.trim() ?? `${rule.name.slice(0, NAME_KEPT)}-custom`,
    })
    const [copy] = rules
    if (copy === undefined) throw new Refusal('NOT_FOUND', 'Rule not found')
    const { id: _id, forkedFromRuleId: _from, policyId: _policy, policyIds: _policies, ...draft } = copy
    const row = await addRule(context, draft, 'enforce', { forkedFromRuleId: ruleId })
    await context.audit('compliance.rule.create', {
      targetType: 'rule',
      targetId: row.id,
      details: { name: row.name, reason: `copied from the published rule ${ruleId}` },
    })
    return changed({ rule: ruleRecord(row, orgId) })
  },
})

/** Room for `-custom` within the longest name. */
const NAME_KEPT = 240

export async function liveNames(db: Db, orgId: string): Promise<string[]> {
  const { rules: t } = complianceTables(db)
  const rows = await db
    .select({ name: t.name })
    .from(t)
    .where(and(eq(t.orgId, orgId), isNotNull(t.liveName)))
  return rows.map(({ name }) => name)
}
