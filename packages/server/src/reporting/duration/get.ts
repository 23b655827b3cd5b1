/** `GET /reports/execution/duration`: how long runs of each pipeline take. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, durationsOf, isOver } from '../execution/arithmetic.js'
import { PIPELINE_FIELDS, pipelineOf } from '../execution/pipeline-row.js'
import { groupBy } from '../group.js'
import { executionsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Ms = nullable(Type.Number({ minimum: 0, description: 'Milliseconds' }))

export const getDuration = report({
  name: 'reporting.duration.get',
  summary: 'Read how long the runs of each pipeline take',
  description: 'Of runs that succeeded or failed. Percentiles are interpolated between ranks.',
  path: '/reports/execution/duration',
  output: {
    pipelines: Type.Array(
      strictObject({
        ...PIPELINE_FIELDS,
        avgMs: Ms,
        minMs: Ms,
        maxMs: Ms,
        p50Ms: Ms,
        p95Ms: Ms,
        executions: Type.Integer({ minimum: 0 }),
      }),
    ),
  },
  forms: {
    csv: ({ pipelines }) =>
      tableOf(pipelines, ['id', 'project', 'pipelineName', 'avgMs', 'minMs', 'maxMs', 'p50Ms', 'p95Ms', 'executions']),
  },
  async run({ db }, query, { scope, range }) {
    const executions = (await executionsIn(db, scope, query, range.window)).filter(
      (each) => isOver(each) && each.durationMs !== null,
    )
    const pipelines = [...groupBy(executions, ({ pipelineId }) => pipelineId)].map(([id, own]) => {
      const { avgMs, minMs, maxMs, p50Ms, p95Ms } = durationsOf(own)
      return {
        ...pipelineOf(scope, id, own[0]?.orgId ?? ''),
        avgMs,
        minMs,
        maxMs,
        p50Ms,
        p95Ms,
        executions: own.length,
      }
    })
    return { pipelines: pipelines.sort((a, b) => (b.avgMs ?? 0) - (a.avgMs ?? 0) || byText(a.id, b.id)) }
  },
})
