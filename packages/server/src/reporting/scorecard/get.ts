/**
 * `GET /pipelines/:id/scorecard`: the score of a pipeline by its rules and its deliveries, and the most helpful fixes.
 */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { DORA_ACCESS } from '../dora/get.js'
import { rangeOf } from '../report/range.js'
import { scopeOf } from '../report/scope.js'
import { retentionOf } from '../retention.js'
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
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ scorecard: Scorecard }),
  errors: ['NOT_FOUND'],
  prepare: (context, { path: { id } }) => complianceOf(context, tenantId(context), id),
  async run(context, { path: { id } }, compliance) {
    const { factDays } = await retentionOf(context)
    const scope = await scopeOf(context, {})
    const subject = scope.pipelines.get(id)
    if (subject === undefined || subject.isDeleted) throw notFound('Pipeline')
    const source = await readCards(context, { scope, range: rangeOf({}, factDays, context.nowMs) })
    return { scorecard: cardOf(subject, source, compliance) }
  },
})
