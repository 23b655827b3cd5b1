/** Evaluates a rule on given attributes before the rule counts (spec compliance 6.1). */
import { compileRules, effectiveAttributes, rulesInForce } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { deferredOf, excessOf, refuseAttributes } from '../check/evaluate.js'
import { VerdictRecord, verdictOf } from '../check/verdict.js'
import { regexLimits } from '../rule/create.js'
import { RuleRecord, ruleRecord } from '../rule/record.js'
import { ruleToTry, triedInput, withoutLimits } from './candidate.js'

export const runPreview = query({
  name: 'compliance.preview.run',
  summary: 'Try a rule with attributes',
  description:
    'Without `attributes`, the answer holds only the rule. Dates and gates are ignored; nothing is stored. A rule about the built image is left out when the attributes hold no `builtImage`.',
  http: { method: 'post', path: '/compliance/subscriptions/preview' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {
    body: strictObject({
      ...triedInput,
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
    const excess = excessOf(rule.target, sampleAttributes, settings)
    if (excess !== null) throw refuseAttributes(excess, '/body/sampleAttributes')
    const ruleSet = compileRules([withoutLimits(rule)], regexLimits(settings))
    const { attributes } = effectiveAttributes(rule.target, sampleAttributes)
    const inForce = rulesInForce(ruleSet, rule.target, attributes)
    const evaluation = inForce.ruleSet.evaluate(attributes, { target: rule.target, now: context.nowMs })
    const verdict = { ...verdictOf(evaluation, new Map()), ...deferredOf(inForce, attributes) }
    return { preview: verdict as unknown as Static<typeof VerdictRecord> }
  },
})
