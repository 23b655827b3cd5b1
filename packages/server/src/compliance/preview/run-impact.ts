/** How many stored records a rule would fail, over the whole inventory (spec compliance 6.1; ADR 81). */
import {
  type EditImpact,
  effectiveAttributes,
  type ImpactEntity,
  previewEditAsync,
  previewImpactAsync,
  type Rule,
  type RuleImpact,
} from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type PrepareContext, type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { AsOf, instantAskedFor } from '../as-of/as-of.js'
import { attributeLimits } from '../check/evaluate.js'
import { askInventory, inventory } from '../inventory.js'
import { regexLimits } from '../rule/create.js'
import { Target } from '../rule/schema.js'
import { type Asked, ruleOfThen, ruleToTry, triedInput, withoutLimits } from './candidate.js'

const SAMPLES_MAX = 10

const moved = (description: string) =>
  strictObject(
    {
      total: Type.Integer(),
      samples: Type.Array(strictObject({ entityId: Type.String(), entityName: nullable(Type.String()) }), {
        description: `The first ${SAMPLES_MAX}, by id`,
      }),
    },
    { description },
  )

const Impact = strictObject({
  ruleId: nullable(Uuid),
  ruleName: Type.String(),
  target: Target,
  total: Type.Integer({ description: 'Entities that were checked' }),
  wouldPass: Type.Integer(),
  wouldFail: Type.Integer({ description: 'Warnings count too' }),
  waiting: Type.Integer({
    description: 'Plugins whose image is not built, when the rule reads `builtImage`: they are not counted',
  }),
  truncated: Type.Boolean({ description: 'False: all of them are checked' }),
  samples: Type.Array(
    strictObject({
      entityType: Target,
      entityId: Type.String(),
      entityName: nullable(Type.String()),
      messages: Type.Array(Type.String()),
    }),
  ),
  newlyFailing: Type.Optional(moved('With `before`: they fail the draft, and do not fail the stored rule')),
  newlyPassing: Type.Optional(moved('With `before`: they fail the stored rule, and do not fail the draft')),
})

export const runPreviewImpact = query({
  name: 'compliance.preview.run-impact',
  summary: 'Count the stored entities that a rule would fail',
  description: `All entities of the organization, page by page, so the time grows with their number. An account can run two such requests at once, a server four. A request ends when its client disconnects. Dates, exemptions and gates are ignored; nothing is stored. With \`asOf\`: the rule as it was then, over the entities of now.`,
  http: { method: 'post', path: '/compliance/subscriptions/preview/impact' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {
    body: strictObject({
      ...triedInput,
      asOf: AsOf,
      /** The stored rule that `rule` is an edit of. */
      before: Type.Optional(Uuid),
    }),
  },
  output: Impact,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'REQUEST_TIMEOUT', 'VALIDATION_ERROR'],
  async prepare(context, { body }) {
    const { runtime } = context
    const atMs = instantAskedFor(context, body.asOf, '/body/asOf')
    const rule = await context.read(async (db) =>
      atMs === null ? (await ruleToTry({ ...context, db }, body)).rule : ruleOfThen({ ...context, db }, body, atMs),
    )
    const limits = { ...regexLimits(runtime.settings).limits, ...attributeLimits(runtime.settings) }
    const before =
      body.before === undefined ? null : await context.read((db) => formerRule({ ...context, db }, body, rule))
    const options = { limits, maxSamples: SAMPLES_MAX }
    return askInventory(context, () => measure(before, rule, entitiesOf(context, rule.target), options))
  },
  run: async (_context, { body }, impact) => impactRecord(impact, body.ruleId ?? null),
})

type Measured = Pick<EditImpact, 'after'> & Partial<Omit<EditImpact, 'after'>>

async function measure(
  before: Rule | null,
  rule: Rule,
  entities: AsyncIterable<ImpactEntity>,
  options: NonNullable<Parameters<typeof previewEditAsync>[3]>,
): Promise<Measured> {
  if (before !== null) return previewEditAsync(withoutLimits(before), withoutLimits(rule), entities, options)
  const [after] = await previewImpactAsync([withoutLimits(rule)], entities, options)
  if (after === undefined) throw new Error('no impact came of one rule')
  return { after }
}

/**
 * @throws Refusal 400 when `before` is given without a draft or has another target; 404 for a rule that does not exist.
 */
async function formerRule(context: ReadContext, { before, rule: draft }: Edited, rule: Rule): Promise<Rule> {
  if (draft === undefined) throw invalidField('/body/before', 'needs `rule`: the draft of its edit', 'draft')
  const former = await ruleToTry(context, before === undefined ? {} : { ruleId: before })
  if (former.rule.target === rule.target) return former.rule
  throw invalidField('/body/before', `is for a ${former.rule.target}: the target of a rule cannot change`, 'target')
}

interface Edited extends Asked {
  readonly before?: string
}

/** The stored records of a target, as rules read them. */
export async function* entitiesOf(context: PrepareContext, target: RuleImpact['target']): AsyncGenerator<ImpactEntity> {
  for await (const { id, name, attributes } of inventory(context, tenantId(context), target)) {
    // guard: a-count-of-the-inventory-reads-what-a-token-stands-for
    yield { id, name, target, attributes: effectiveAttributes(target, attributes).attributes }
  }
}

const impactRecord = ({ after, ...edit }: Measured, ruleId: string | null): Static<typeof Impact> => ({
  ...after,
  ruleId,
  ...(edit.newlyFailing === undefined ? {} : { newlyFailing: movedRecord(edit.newlyFailing) }),
  ...(edit.newlyPassing === undefined ? {} : { newlyPassing: movedRecord(edit.newlyPassing) }),
  samples: after.samples.map(({ messages, ...sample }) => ({
    ...sample,
    entityType: after.target,
    messages: [...messages],
  })),
})

const movedRecord = ({ total, samples }: EditImpact['newlyFailing']) => ({ total, samples: [...samples] })
