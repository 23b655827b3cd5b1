/** A rule tried out before it counts (compliance decisions 6.1): on given attributes, or over the whole inventory. */
import { compileRules, previewImpact, type Rule, type RuleImpact, validateRule } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Entity } from '../../runtime/records/entity.js'
import { excessOf, refuseAttributes } from '../check/evaluate.js'
import { VerdictRecord, verdictOf } from '../check/verdict.js'
import { heldOf } from '../held.js'
import { regexLimits } from '../rule/create.js'
import { findVisibleRule } from '../rule/find.js'
import { refuseRule } from '../rule/issues.js'
import { engineRule, RuleRecord, ruleRecord } from '../rule/record.js'
import { RuleDraft, Target } from '../rule/schema.js'
import { checkFeature } from '../subscription/gate.js'
import type { RuleRow } from '../tables.js'

const ENTITIES_MAX = 1000
const SAMPLES_MAX = 10
const PAGE = 500

interface Asked {
  readonly ruleId?: string
  readonly rule?: Static<typeof RuleDraft>
}

interface Tried {
  /** With its gates taken as open: the question is the check itself. */
  readonly rule: Rule
  readonly row: RuleRow | null
}

/** @throws Refusal 400 unless there is one rule, sound by itself; 404 for one that is not there; 403 without its feature. */
async function ruleToTry(context: ReadContext, { ruleId, rule: sent }: Asked): Promise<Tried> {
  if ((ruleId === undefined) === (sent === undefined)) {
    throw invalidField('/body/ruleId', 'is wanted, or `rule`: one of them', 'required')
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

const DRAFT_ID = 'draft'

const withoutLimits = (rule: Rule): Rule => {
  const { effectiveFrom: _from, effectiveUntil: _until, conditions, ...rest } = rule
  const checks = conditions?.flatMap(({ dependsOnRule: _gate, ...check }) => (check.field === undefined ? [] : [check]))
  return { ...rest, isActive: true, isTemplate: false, ...(checks === undefined ? {} : { conditions: checks }) }
}

const input = {
  ruleId: Type.Optional(Uuid),
  rule: Type.Optional(RuleDraft),
}

export const previewRule = query({
  name: 'compliance.subscription.preview',
  summary: 'Try a rule on attributes',
  description: 'Without attributes: the rule. Dates and gates are left aside; nothing is stored.',
  http: { method: 'post', path: '/compliance/subscriptions/preview' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {
    body: strictObject({
      ...input,
      sampleAttributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  },
  output: strictObject({ rule: Type.Optional(RuleRecord), preview: Type.Optional(VerdictRecord) }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { settings } = context.runtime
    const { rule, row } = await ruleToTry(context, body)
    const { sampleAttributes } = body
    if (sampleAttributes === undefined) {
      if (row === null) throw invalidField('/body/sampleAttributes', 'is required for a draft', 'required')
      return { rule: ruleRecord(row, tenantId(context)) }
    }
    const excess = excessOf(sampleAttributes, settings)
    if (excess !== null) throw refuseAttributes(excess, '/body/sampleAttributes')
    const ruleSet = compileRules([withoutLimits(rule)], regexLimits(settings))
    const verdict = verdictOf(ruleSet.evaluate(sampleAttributes, { target: rule.target }), new Map())
    return { preview: verdict as unknown as Static<typeof VerdictRecord> }
  },
})

const Impact = strictObject({
  ruleId: nullable(Uuid),
  ruleName: Type.String(),
  target: Target,
  total: Type.Integer({ description: 'Entities that were looked at' }),
  wouldPass: Type.Integer(),
  wouldFail: Type.Integer({ description: 'Warnings count too' }),
  truncated: Type.Boolean({ description: `There are more than the first ${ENTITIES_MAX} by id` }),
  samples: Type.Array(
    strictObject({
      entityType: Target,
      entityId: Type.String(),
      entityName: nullable(Type.String()),
      messages: Type.Array(Type.String()),
    }),
  ),
})

export const previewRuleImpact = query({
  name: 'compliance.subscription.preview-impact',
  summary: 'Count the stored entities that a rule would fail',
  description: `The first ${ENTITIES_MAX} by id. Dates, exemptions and gates are left aside; nothing is stored.`,
  http: { method: 'post', path: '/compliance/subscriptions/preview/impact' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { body: strictObject(input) },
  output: Impact,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { rule, row } = await ruleToTry(context, body)
    const entities = await firstEntities(context, rule.target)
    const [impact] = previewImpact(
      [withoutLimits(rule)],
      entities.map(({ id, name, attributes }) => ({ id, name, target: rule.target, attributes })),
      { ...regexLimits(context.runtime.settings), maxEntities: ENTITIES_MAX, maxSamples: SAMPLES_MAX },
    )
    if (impact === undefined) throw new Error('no impact came of one rule')
    return impactRecord(impact, row)
  },
})

/** One more than are looked at, so that it is known whether there are more. */
async function firstEntities(context: ReadContext, target: Rule['target']): Promise<Entity[]> {
  const { db, runtime } = context
  const orgId = tenantId(context)
  const source = runtime.entities?.find((each) => each.target === target)
  const found: Entity[] = []
  while (source !== undefined && found.length <= ENTITIES_MAX) {
    const limit = Math.min(PAGE, ENTITIES_MAX + 1 - found.length)
    const page = await source.page(db, orgId, { afterId: found.at(-1)?.id ?? '', limit })
    found.push(...page)
    if (page.length < limit) break
  }
  return found
}

const impactRecord = (impact: RuleImpact, row: RuleRow | null): Static<typeof Impact> => ({
  ...impact,
  ruleId: row?.id ?? null,
  samples: impact.samples.map(({ messages, ...sample }) => ({
    ...sample,
    entityType: impact.target,
    messages: [...messages],
  })),
})
