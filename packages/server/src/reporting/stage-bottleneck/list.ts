/** `GET /reports/execution/stage-bottlenecks`: the stages that take the most time of their pipelines. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, durationsOf, isOver, percentOf, stageRuns } from '../execution/arithmetic.js'
import { PIPELINE_FIELDS, pipelineOf } from '../execution/pipeline-row.js'
import { groupBy } from '../group.js'
import { executionsIn, stepsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Ms = nullable(Type.Number({ minimum: 0, description: 'Milliseconds' }))

export const listStageBottlenecks = report({
  name: 'reporting.stage-bottleneck.list',
  summary: 'List the stages that take the most time',
  description: '`sharePct` is the average time of the stage as a share of the average run of its pipeline.',
  path: '/reports/execution/stage-bottlenecks',
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) },
  output: {
    stages: Type.Array(
      strictObject({
        ...PIPELINE_FIELDS,
        stageName: Type.String(),
        avgMs: Ms,
        p95Ms: Ms,
        maxMs: Ms,
        runs: Type.Integer({ minimum: 0 }),
        sharePct: nullable(Type.Number({ minimum: 0 })),
      }),
    ),
  },
  forms: {
    csv: ({ stages }) =>
      tableOf(stages, ['id', 'pipelineName', 'stageName', 'avgMs', 'p95Ms', 'maxMs', 'runs', 'sharePct']),
  },
  async run({ db }, query, { scope, range }) {
    const over = (await executionsIn(db, scope, query, range.window)).filter(isOver)
    const whole = new Map(
      [...groupBy(over, ({ pipelineId }) => pipelineId)].map(([id, own]) => [id, durationsOf(own).avgMs]),
    )
    const runs = stageRuns(await stepsIn(db, scope, query, range.window)).filter(
      ({ durationMs }) => durationMs !== null,
    )
    const stages = [...groupBy(runs, ({ pipelineId, stage }) => `${pipelineId}\n${stage}`).values()].map((own) => {
      const [first] = own
      const { avgMs, p95Ms, maxMs } = durationsOf(own)
      const pipelineId = first?.pipelineId ?? ''
      return {
        ...pipelineOf(scope, pipelineId, first?.orgId ?? ''),
        stageName: first?.stage ?? '',
        avgMs,
        p95Ms,
        maxMs,
        runs: own.length,
        sharePct: percentOf(avgMs ?? 0, whole.get(pipelineId) ?? 0),
      }
    })
    stages.sort((a, b) => (b.avgMs ?? 0) - (a.avgMs ?? 0) || byText(a.id + a.stageName, b.id + b.stageName))
    return { stages: stages.slice(0, query.limit ?? 20) }
  },
})
