/** `GET /reports/execution/errors`: the errors of runs, with similar errors grouped. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { categoryOf, patternOf } from '../ingest/error.js'
import { stepsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

export const listErrors = report({
  name: 'reporting.error.list',
  summary: 'List the errors of runs, the most frequent first',
  description:
    'Errors are grouped when they differ only in ids, hashes, numbers and paths. Each run counts once for a group.',
  path: '/reports/execution/errors',
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) },
  output: {
    errors: Type.Array(
      strictObject({
        category: Type.String(),
        errorPattern: Type.String(),
        occurrences: Type.Integer({ minimum: 1 }),
        affectedPipelines: Type.Integer({ minimum: 1 }),
        lastSeen: Instant,
        sampleExecutionId: Type.String(),
        samplePipelineId: Type.String(),
      }),
    ),
  },
  forms: {
    csv: ({ errors }) =>
      tableOf(errors, [
        'category',
        'errorPattern',
        'occurrences',
        'affectedPipelines',
        'lastSeen',
        'sampleExecutionId',
      ]),
  },
  async run({ db }, query, { scope, range }) {
    const failed = (await stepsIn(db, scope, query, range.window)).filter(
      ({ status, error }) => status === 'failed' && error !== null,
    )
    const errors = [...groupBy(failed, ({ error }) => patternOf(error))].map(([errorPattern, own]) => {
      const latest = own.reduce((a, b) =>
        b.startedMs > a.startedMs || (b.startedMs === a.startedMs && b.executionId > a.executionId) ? b : a,
      )
      return {
        category: categoryOf(latest.error),
        errorPattern,
        occurrences: new Set(own.map(({ pipelineId, executionId }) => `${pipelineId} ${executionId}`)).size,
        affectedPipelines: new Set(own.map(({ pipelineId }) => pipelineId)).size,
        lastSeen: toIso(latest.startedMs),
        sampleExecutionId: latest.executionId,
        samplePipelineId: latest.pipelineId,
      }
    })
    errors.sort((a, b) => b.occurrences - a.occurrences || byText(a.errorPattern, b.errorPattern))
    return { errors: errors.slice(0, query.limit ?? 20) }
  },
})
