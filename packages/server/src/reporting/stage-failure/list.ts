/** `GET /reports/execution/stage-failures`: how often each stage fails, over time. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, percentOf, stageRuns } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { byBucket } from '../metric/bucket.js'
import { chartOf } from '../report/chart.js'
import { stepsIn } from '../report/facts.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })

export const listStageFailures = report({
  name: 'reporting.stage-failure.list',
  summary: 'List how often each stage fails',
  description: 'Each run of a stage counts once. Canceled and open runs are not counted in rates.',
  path: '/reports/execution/stage-failures',
  query: INTERVAL_QUERY,
  output: {
    stages: Type.Array(
      strictObject({
        stageName: Type.String(),
        failures: Count,
        total: Count,
        failurePct: nullable(Type.Number()),
        pipelines: Count,
      }),
    ),
    heatmap: Type.Array(
      strictObject({
        stageName: Type.String(),
        period: Type.String(),
        partial: Type.Boolean(),
        failures: Count,
        total: Count,
      }),
    ),
  },
  forms: {
    csv: ({ heatmap }) => tableOf(heatmap, ['stageName', 'period', 'partial', 'failures', 'total']),
    svg: ({ heatmap, stages }) => {
      const shown = stages.slice(0, 4).map(({ stageName }) => stageName)
      const periods = groupBy(heatmap, ({ period }) => period)
      return chartOf({
        title: 'Failures of stages',
        series: shown.map((name) => ({ name, kind: 'bar' })),
        points: [...periods].map(([period, cells]) => ({
          period,
          values: shown.map((name) => cells.find(({ stageName }) => stageName === name)?.failures ?? 0),
        })),
      })
    },
  },
  async run({ db }, query, { scope, range }) {
    const runs = stageRuns(await stepsIn(db, scope, query, range.window)).filter(
      ({ isFailed, isSucceeded }) => isFailed || isSucceeded,
    )
    const interval = query.interval ?? 'week'
    const buckets = bucketsIn(range, interval)
    const failuresOf = (own: readonly { readonly isFailed: boolean }[]) => own.filter(({ isFailed }) => isFailed).length
    const byStage = groupBy(runs, ({ stage }) => stage)
    const stages = [...byStage].map(([stageName, own]) => ({
      stageName,
      failures: failuresOf(own),
      total: own.length,
      failurePct: percentOf(failuresOf(own), own.length),
      pipelines: new Set(own.map(({ pipelineId }) => pipelineId)).size,
    }))
    stages.sort((a, b) => b.failures - a.failures || byText(a.stageName, b.stageName))
    const heatmap = stages.flatMap(({ stageName }) => {
      const filled = byBucket(buckets, interval, byStage.get(stageName) ?? [], ({ startedMs }) => startedMs)
      return buckets.map(({ period, partial }, at) => {
        const own = filled[at] ?? []
        return { stageName, period, partial, failures: failuresOf(own), total: own.length }
      })
    })
    return { stages, heatmap }
  },
})
