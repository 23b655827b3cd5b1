/** `POST /compliance/subscriptions/clone`: an editable copy of a published rule, independent from then on. */
import { cloneRules, type Target } from '@plumbline/engine'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { name as nameSchema } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { heldOf } from '../held.js'
import { addRule } from '../rule/create.js'
import { nameTaken } from '../rule/issues.js'
import { engineRule, RuleRecord, ruleRecord } from '../rule/record.js'
import { loadRules } from '../rule-set/load.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { checkFeature, checkSubscriber, publishedRule } from './gate.js'

const CloneWarning = strictObject({
  code: Type.Enum(['DEPENDENCY_NOT_ENFORCED']),
  ruleId: Uuid,
  message: Type.String(),
})

/** Rules that the copy depends on and that the organization does not enforce: until it does, the copy is skipped. */
async function closedGates(context: WriteContext, row: RuleRow): Promise<Static<typeof CloneWarning>[]> {
  const { tx } = context
  const named = new Set(engineRule(row).conditions?.flatMap(({ dependsOnRule }) => dependsOnRule ?? []))
  if (named.size === 0) return []
  const { rules } = await loadRules(tx, heldOf(context), row.target as Target)
  for (const { id } of rules) named.delete(id ?? '')
  const { rules: t } = complianceTables(tx)
  const missing =
    named.size === 0
      ? []
      : await tx
          .select()
          .from(t)
          .where(inArray(t.id, [...named]))
  return missing.map(({ id, name }) => ({
    code: 'DEPENDENCY_NOT_ENFORCED' as const,
    ruleId: id,
    message: `the copy is skipped while \`${name}\` is not enforced: subscribe to it and activate it, or remove \`dependsOnRule\` from the copy`,
  }))
}

export const cloneSubscription = command({
  name: 'compliance.subscription.clone',
  summary: 'Copy a published rule into your organization',
  description:
    'The copy is named `<name>-custom` unless a name is given. A rule that it depends on stays a reference to the published rule. `warnings` lists each such rule that is not enforced; until it is enforced, the copy is skipped.',
  http: { method: 'post', path: '/compliance/subscriptions/clone', status: 201 },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: ['compliance.rule.create'],
  idempotent: true,
  input: { body: strictObject({ ruleId: Uuid, name: Type.Optional(nameSchema(1, 255)) }) },
  output: strictObject({ rule: RuleRecord, warnings: Type.Array(CloneWarning) }),
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
    return changed({ rule: ruleRecord(row, orgId), warnings: await closedGates(context, row) })
  },
})

/** Leaves room for the suffix `-custom` within the maximum length of a name. */
const NAME_KEPT = 240

export async function liveNames(db: Db, orgId: string): Promise<string[]> {
  const { rules: t } = complianceTables(db)
  const rows = await db
    .select({ name: t.name })
    .from(t)
    .where(and(eq(t.orgId, orgId), isNotNull(t.liveName)))
  return rows.map(({ name }) => name)
}
