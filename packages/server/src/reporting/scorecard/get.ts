/** `GET /pipelines/:id/scorecard`: how a pipeline does by its rules and its deliveries, and what would help most. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { DORA_ACCESS } from '../dora/get.js'
import { readHistory } from '../dora/history.js'
import { judge } from '../dora/judge.js'
import { rangeOf } from '../report/range.js'
import { scopeOf } from '../report/scope.js'
import { retentionOf } from '../retention.js'
import { cardOf, Scorecard } from './card.js'
import { complianceOf } from './comply.js'

export const getScorecard = query({
  name: 'reporting.scorecard.get',
  summary: 'Read the scorecard of a pipeline',
  description:
    'Half is compliance, by a dry run on the record as it is now, half delivery in the last 30 days; where one is not known the other is the whole.',
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
    const read = await readHistory(context, {}, { scope, range: rangeOf({}, factDays, context.nowMs) })
    return { scorecard: cardOf(subject, judge(read.history), read, compliance) }
  },
})
