/** How many stored records a rule would fail, over the whole inventory (spec compliance 6.1; ADR 81). */
import { effectiveAttributes, type ImpactEntity, previewImpactAsync, type RuleImpact } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { AsOf, instantAskedFor } from '../as-of/as-of.js'
import { attributeLimits } from '../check/evaluate.js'
import { askInventory, inventory } from '../inventory.js'
import { regexLimits } from '../rule/create.js'
import { Target } from '../rule/schema.js'
import { ruleOfThen, ruleToTry, triedInput, withoutLimits } from './candidate.js'

const SAMPLES_MAX = 10

const Impact = strictObject({
  ruleId: nullable(Uuid),
  ruleName: Type.String(),
  target: Target,
  total: Type.Integer({ description: 'Entities that were looked at' }),
  wouldPass: Type.Integer(),
  wouldFail: Type.Integer({ description: 'Warnings count too' }),
  waiting: Type.Integer({
    description: 'Plugins whose image is not built, where the rule reads `builtImage`: they count neither way',
  }),
  truncated: Type.Boolean({ description: 'False: all of them are looked at' }),
  samples: Type.Array(
    strictObject({
      entityType: Target,
      entityId: Type.String(),
      entityName: nullable(Type.String()),
      messages: Type.Array(Type.String()),
    }),
  ),
})

export const runPreviewImpact = query({
  name: 'compliance.preview.run-impact',
  summary: 'Count the stored entities that a rule would fail',
  description: `All of the organization, page after page, so that it takes the longer the more there are; of an account two such questions are answered at once, of a server four, and one that nobody waits for any more ends. Dates, exemptions and gates are left aside; nothing is stored. With \`asOf\`: the rule as it was then, over the entities of now.`,
  http: { method: 'post', path: '/compliance/subscriptions/preview/impact' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { body: strictObject({ ...triedInput, asOf: AsOf }) },
  output: Impact,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'REQUEST_TIMEOUT', 'VALIDATION_ERROR'],
  async prepare(context, { body }) {
    const { runtime } = context
    const atMs = instantAskedFor(context, body.asOf, '/body/asOf')
    const rule = await context.read(async (db) =>
      atMs === null ? (await ruleToTry({ ...context, db }, body)).rule : ruleOfThen({ ...context, db }, body, atMs),
    )
    const limits = { ...regexLimits(runtime.settings).limits, ...attributeLimits(runtime.settings) }
    const [impact] = await askInventory(context, () =>
      previewImpactAsync([withoutLimits(rule)], entitiesOf(context, rule.target), { limits, maxSamples: SAMPLES_MAX }),
    )
    if (impact === undefined) throw new Error('no impact came of one rule')
    return impact
  },
  run: async (_context, { body }, impact) => impactRecord(impact, body.ruleId ?? null),
})

async function* entitiesOf(context: PrepareContext, target: RuleImpact['target']): AsyncGenerator<ImpactEntity> {
  for await (const { id, name, attributes } of inventory(context, tenantId(context), target)) {
    // guard: a-count-of-the-inventory-reads-what-a-token-stands-for
    yield { id, name, target, attributes: effectiveAttributes(target, attributes).attributes }
  }
}

const impactRecord = (impact: RuleImpact, ruleId: string | null): Static<typeof Impact> => ({
  ...impact,
  ruleId,
  samples: impact.samples.map(({ messages, ...sample }) => ({
    ...sample,
    entityType: impact.target,
    messages: [...messages],
  })),
})
