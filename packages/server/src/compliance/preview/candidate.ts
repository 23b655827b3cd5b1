/**
 * The rule that a preview evaluates: a visible rule, a rule as it was at an instant, or a draft (spec compliance 6.1).
 */
import { type Rule, validateRule } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { invalidField, notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { ruleAt } from '../as-of/load.js'
import { heldOf } from '../held.js'
import { checkToldAt } from '../past/start.js'
import { regexLimits } from '../rule/create.js'
import { findVisibleRule } from '../rule/find.js'
import { refuseRule } from '../rule/issues.js'
import { engineRule } from '../rule/record.js'
import { RuleDraft } from '../rule/schema.js'
import { checkFeature } from '../subscription/gate.js'
import type { RuleRow } from '../tables.js'

export interface Asked {
  readonly ruleId?: string
  readonly rule?: Static<typeof RuleDraft>
}

export interface Tried {
  /** All its gates count as open: a preview evaluates the check itself. */
  readonly rule: Rule
  readonly row: RuleRow | null
}

/**
 * @throws Refusal 400 unless exactly one valid rule is given; 404 for a rule that does not exist; 403 without its
 * feature.
 */
export async function ruleToTry(context: ReadContext, { ruleId, rule: sent }: Asked): Promise<Tried> {
  if ((ruleId === undefined) === (sent === undefined)) {
    throw invalidField('/body/ruleId', 'or `rule` is required: send one of them', 'required')
  }
  if (ruleId !== undefined) {
    const row = await findVisibleRule(context.db, heldOf(context), ruleId)
    if (row.orgId === SYSTEM_ORG_ID && row.scope === 'published') checkFeature(context, row)
    return { rule: engineRule(row), row }
  }
  const { mode: _mode, policyId: _policyId, ...draft } = sent as Static<typeof RuleDraft>
  const issues = validateRule(draft, regexLimits(context.runtime.settings))
  if (issues.length > 0) throw refuseRule(issues, [], '/body/rule')
  return { rule: { ...(draft as Rule), id: DRAFT_ID }, row: null }
}

/**
 * @throws Refusal 400 for a draft, which has no history; 404 for an id that was not a rule then; 409 before the history
 * horizon.
 */
export async function ruleOfThen(context: ReadContext, { ruleId }: Asked, atMs: number): Promise<Rule> {
  if (ruleId === undefined) throw invalidField('/body/asOf', 'needs `ruleId`: a draft has no past', 'draft')
  const held = heldOf(context)
  const rule = await ruleAt(context.db, held, ruleId, atMs)
  await checkToldAt(context.db, held, atMs)
  if (rule === null) throw notFound('Rule')
  if (rule.scope === 'published') checkFeature(context, { tags: rule.tags ?? [] })
  return rule
}

const DRAFT_ID = 'draft'

export const withoutLimits = (rule: Rule): Rule => {
  const { effectiveFrom: _from, effectiveUntil: _until, conditions, ...rest } = rule
  const checks = conditions?.flatMap(({ dependsOnRule: _gate, ...check }) => (check.field === undefined ? [] : [check]))
  return { ...rest, isActive: true, isTemplate: false, ...(checks === undefined ? {} : { conditions: checks }) }
}

export const triedInput = {
  ruleId: Type.Optional(Uuid),
  rule: Type.Optional(RuleDraft),
}
