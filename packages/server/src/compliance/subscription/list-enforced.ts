/** List every rule that applies to the organization, now or at an instant in the past. */
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { AsOf, instantAskedFor } from '../as-of/as-of.js'
import { loadRulesAt } from '../as-of/load.js'
import { heldOf } from '../held.js'
import { checkToldAt } from '../past/start.js'
import { Modes, TARGETS, Target } from '../rule/schema.js'
import { loadRules } from '../rule-set/load.js'

const EnforcedRule = strictObject({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  target: Target,
  severity: Type.String(),
  priority: Type.Integer(),
  tags: Type.Array(Type.String()),
  policyIds: Type.Array(Type.String()),
  source: Type.Enum(['own', 'inherited', 'subscribed']),
  mode: Modes,
  pinned: Type.Boolean(),
  version: Type.Integer(),
})

export const listEnforcedSubscriptions = query({
  name: 'compliance.subscription.list-enforced',
  summary: 'List every rule that applies to the organization, now or at a past instant',
  description: 'Own rules, inherited rules and active subscriptions. Each check evaluates the effective dates.',
  http: { method: 'get', path: '/compliance/subscriptions/enforced' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: Type.Object({ target: Type.Optional(Target), asOf: AsOf }) },
  output: strictObject({ rules: Type.Array(EnforcedRule), total: Type.Integer() }),
  errors: ['CONFLICT', 'VALIDATION_ERROR'],
  async run(context, { query: { target, asOf } }) {
    const { db } = context
    const held = heldOf(context)
    const atMs = instantAskedFor(context, asOf, '/query/asOf')
    const rules: Static<typeof EnforcedRule>[] = []
    for (const each of target === undefined ? TARGETS : [target]) {
      const {
        rules: merged,
        modes,
        pinned,
      } = atMs === null ? await loadRules(db, held, each) : await loadRulesAt(db, held, each, atMs)
      for (const rule of merged) {
        const id = rule.id ?? rule.name
        rules.push({
          id,
          name: rule.name,
          description: rule.description ?? null,
          target: rule.target,
          severity: rule.severity ?? 'error',
          priority: rule.priority ?? 0,
          tags: [...(rule.tags ?? [])],
          policyIds: [...(rule.policyIds ?? [])],
          source: rule.source,
          mode: modes.get(id) ?? 'enforce',
          pinned: pinned.has(id),
          version: rule.version ?? 1,
        })
      }
    }
    if (atMs !== null) await checkToldAt(db, held, atMs)
    return { rules, total: rules.length }
  },
})
