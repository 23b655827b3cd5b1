/**
 * `GET /pipelines/:id/scorecard`: the score of a pipeline by its rules and its deliveries, and the most helpful fixes.
 */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { KnownPipeline } from '../../runtime/records/deployed-pipelines.js'
import { asIn } from '../account.js'
import { DORA_ACCESS } from '../dora/get.js'
import { OVER_TEAMS } from '../report/report.js'
import { SCOPE_QUERY, scopeOf } from '../report/scope.js'
import { cardOf, Scorecard } from './card.js'
import { complianceOf } from './comply.js'
import { readCards } from './read.js'

export const getScorecard = query({
  name: 'reporting.scorecard.get',
  summary: 'Read the scorecard of a pipeline',
  description:
    'One half is compliance, from a dry run on the current record; the other is delivery in the last 30 days. If one is unknown, the other is the whole score.',
  http: { method: 'get', path: '/pipelines/:id/scorecard' },
  access: DORA_ACCESS,
  tenant: fromHeader,
  acrossWhen: OVER_TEAMS,
  snapshot: true,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({ includeDescendants: SCOPE_QUERY.includeDescendants }),
  },
  output: strictObject({ scorecard: Scorecard }),
  errors: ['NOT_FOUND'],
  async prepare(context, { path: { id }, query: asked }) {
    return complianceOf(context, await context.read((db) => subjectOf({ ...context, db }, id, asked)))
  },
  async run(context, { path: { id }, query: asked }, compliance) {
    const subject = await subjectOf(context, id, asked)
    const source = await readCards(asIn(context, subject.orgId))
    return { scorecard: cardOf(subject, source, compliance) }
  },
})

/** @throws Refusal 404 for a pipeline that is deleted or that the caller may not see. */
async function subjectOf(
  context: ReadContext,
  pipelineId: string,
  { includeDescendants = false }: { readonly includeDescendants?: boolean },
): Promise<KnownPipeline> {
  const { pipelines } = await scopeOf(context, { pipelineId, includeDescendants })
  const subject = pipelines.get(pipelineId)
  if (subject === undefined || subject.isDeleted) {
    throw notFound(
      'Pipeline',
      'it is deleted, and only other pipelines have a scorecard; `plumbline pipelines list` lists them',
    )
  }
  return subject
}
