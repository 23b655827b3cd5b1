/** How many stored records several rules would fail, each alone and together, in one pass over the inventory. */
import { type ImpactEntity, previewSetAsync, type Rule } from '@plumbline/engine'
import { and, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { invalid } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import type { PrepareContext, ReadContext } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { attributeLimits } from '../check/evaluate.js'
import { heldOf } from '../held.js'
import { askInventory } from '../inventory.js'
import { regexLimits } from '../rule/create.js'
import { isVisible } from '../rule/find.js'
import { engineRule } from '../rule/record.js'
import { TARGETS, Target } from '../rule/schema.js'
import { checkFeature } from '../subscription/gate.js'
import { complianceTables } from '../tables.js'
import { withoutLimits } from './candidate.js'
import { entitiesOf } from './run-impact.js'

const RULES_MAX = 100
const SAMPLES_MAX = 10

const Count = Type.Integer({ minimum: 0 })

export const runPreviewSetImpact = query({
  name: 'compliance.preview.run-set-impact',
  summary: 'Count the stored entities that several rules would fail, each alone and together',
  description:
    'One pass over the entities of each target that a rule has, under the limits of the impact of one rule. Dates, exemptions and gates are ignored; nothing is stored. One rule that the plan does not unlock, or that does not exist, refuses the whole request.',
  http: { method: 'post', path: '/compliance/subscriptions/preview/impact/set' },
  // guard: the-impact-of-a-set-needs-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {
    body: strictObject({ ruleIds: Type.Array(Uuid, { minItems: 1, maxItems: RULES_MAX, uniqueItems: true }) }),
  },
  output: strictObject({
    rules: Type.Array(
      strictObject({
        ruleId: Uuid,
        ruleName: Type.String(),
        target: Target,
        total: Type.Integer({ description: 'Entities that were checked' }),
        wouldPass: Count,
        wouldFail: Type.Integer({ description: 'Warnings count too' }),
        waiting: Type.Integer({ description: 'Plugins whose image is not built, when the rule reads `builtImage`' }),
      }),
      { description: 'In the order of `ruleIds`' },
    ),
    together: strictObject({
      total: Type.Integer({ description: 'Entities of the targets of the rules' }),
      wouldFail: Type.Integer({ description: 'Entities that fail at least one rule' }),
      samples: Type.Array(
        strictObject({ entityType: Target, entityId: Type.String(), entityName: nullable(Type.String()) }),
        { description: `The first ${SAMPLES_MAX} that fail, by target and id` },
      ),
    }),
  }),
  errors: ['INSUFFICIENT_PERMISSIONS', 'REQUEST_TIMEOUT', 'VALIDATION_ERROR'],
  async prepare(context, { body: { ruleIds } }) {
    const rules = await context.read((db) => rulesToTry({ ...context, db }, ruleIds))
    const { settings } = context.runtime
    const limits = { ...regexLimits(settings).limits, ...attributeLimits(settings) }
    return askInventory(context, () =>
      previewSetAsync(rules.map(withoutLimits), entitiesFor(context, rules), { limits, maxSamples: SAMPLES_MAX }),
    )
  },
  async run(_context, { body: { ruleIds } }, { rules, total, wouldFail, samples }) {
    const byId = new Map(rules.map((rule) => [rule.ruleId, rule]))
    return {
      rules: ruleIds.flatMap((id) => {
        const { truncated: _, samples: __, ...counts } = byId.get(id) ?? raise()
        return [counts]
      }),
      together: {
        total,
        wouldFail,
        samples: samples.map(({ entityType, ...sample }) => ({ ...sample, entityType: entityType ?? raise() })),
      },
    }
  },
})

async function* entitiesFor(context: PrepareContext, rules: readonly Rule[]): AsyncGenerator<ImpactEntity> {
  for (const target of TARGETS) {
    if (rules.some((rule) => rule.target === target)) yield* entitiesOf(context, target)
  }
}

/** @throws Refusal 400 that names each rule that is not visible; 403 that names the first locked one. */
async function rulesToTry(context: ReadContext, ruleIds: readonly string[]): Promise<Rule[]> {
  const { rules: t } = complianceTables(context.db)
  // guard: the-impact-of-a-set-is-of-visible-rules
  const wanted = and(inArray(t.id, [...ruleIds]), isVisible(t, heldOf(context)))
  const rows = await context.db.select().from(t).where(wanted)
  const found = new Map(rows.map((row) => [row.id, row]))
  const missing = ruleIds.flatMap((id, at) =>
    found.has(id) ? [] : [{ path: `/body/ruleIds/${at}`, message: 'is not a rule of this organization', code: 'rule' }],
  )
  if (missing.length > 0) throw invalid(missing)
  for (const id of ruleIds) {
    const row = found.get(id)
    // guard: the-impact-of-a-set-needs-the-features-of-its-rules
    if (row?.orgId === SYSTEM_ORG_ID && row.scope === 'published')
      checkFeature(context, row, `the rule \`${row.name}\``)
  }
  return rows.map(engineRule)
}

function raise(): never {
  throw new Error('the impact of a set has no count of one of its rules')
}
