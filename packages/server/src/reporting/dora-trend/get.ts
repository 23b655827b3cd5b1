/** `GET /reports/execution/dora/trend`: deployments and their failures over time. */
import Type from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { sortedIn } from '../dora/compute.js'
import { explainEnvironment } from '../dora/explain.js'
import { DORA_ACCESS, metricsIn } from '../dora/get.js'
import { readHistory } from '../dora/history.js'
import { judge } from '../dora/judge.js'
import { ExplainedField } from '../dora/present.js'
import { countsDiffer, sharesDiffer } from '../metric/compare.js'
import { shareInterval } from '../metric/interval.js'
import { ascending, medianOf, rounded } from '../metric/percentile.js'
import { chartOf } from '../report/chart.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })
const Amount = nullable(Type.Number({ minimum: 0 }))
const Chance = nullable(Type.Boolean({ description: 'Null where there is too little to tell' }))

const Point = strictObject({
  period: Type.String({ description: 'The day on which it begins' }),
  partial: Type.Boolean(),
  deployments: Count,
  failed: Type.Integer({ minimum: 0, description: 'While they were deployed: what failed later is in the metrics' }),
  total: Count,
  perDay: Amount,
  changeFailurePct: Amount,
  interval: nullable(strictObject({ low: Type.Number(), high: Type.Number() })),
  leadTimeSeconds: Amount,
})

export const getDoraTrend = report({
  name: 'reporting.dora-trend.get',
  summary: 'Read deployments and their failures over time',
  description:
    'Of the headline environment unless another is named. `compare` says of the last whole bucket whether it differs from the one before by more than chance.',
  path: '/reports/execution/dora/trend',
  access: DORA_ACCESS,
  query: { ...INTERVAL_QUERY, explain: Type.Optional(Type.Boolean()), compare: Type.Optional(Type.Boolean()) },
  output: {
    environment: Type.String(),
    trend: Type.Array(Point),
    explain: ExplainedField,
    compare: Type.Optional(
      strictObject({
        period: Type.String(),
        previous: Type.String(),
        frequencyChanged: Chance,
        failureRateChanged: Chance,
      }),
    ),
  },
  forms: {
    csv: ({ trend }) =>
      tableOf(trend, [
        'period',
        'partial',
        'deployments',
        'failed',
        'total',
        'perDay',
        'changeFailurePct',
        'leadTimeSeconds',
      ]),
    svg: ({ trend, environment }) =>
      chartOf({
        title: `Deployments to ${environment}`,
        series: [
          { name: 'deployments', kind: 'bar' },
          { name: 'failed', kind: 'bar' },
          { name: 'failed, %', kind: 'line' },
        ],
        points: trend.map(({ period, deployments, failed, changeFailurePct }) => ({
          period,
          values: [deployments, failed, changeFailurePct],
        })),
      }),
  },
  async run(context, query, asked) {
    const read = await readHistory(context, query, asked)
    const judged = judge(read.history)
    const { environments, headlineName } = metricsIn(judged, query.environment, asked.range.window, read)
    const own = judged.history.deployments.filter(({ environment }) => environment === headlineName)
    const leads = environments.find(({ environment }) => environment === headlineName)
    const buckets = bucketsIn(asked.range, query.interval ?? 'week')
    const trend = buckets.map((bucket) => {
      const { succeeded, failed } = sortedIn(own, bucket, context.nowMs)
      const total = succeeded.length + failed.length
      const share = shareInterval(failed.length, total)
      const percent = (value: number) => rounded(100 * value, 1)
      const seconds = ascending(
        (leads?.leadSamples ?? []).flatMap(({ deployment: { completedAtMs }, seconds }) =>
          completedAtMs !== null && completedAtMs >= bucket.fromMs && completedAtMs < bucket.toMs ? [seconds] : [],
        ),
      )
      return {
        period: bucket.period,
        partial: bucket.partial,
        deployments: succeeded.length,
        failed: failed.length,
        total,
        perDay: rounded(succeeded.length / Math.max(1, (bucket.toMs - bucket.fromMs) / DAY_MS), 2),
        changeFailurePct: share === null ? null : percent(failed.length / total),
        interval: share === null ? null : { low: percent(share.low), high: percent(share.high) },
        leadTimeSeconds: seconds.length === 0 ? null : rounded(medianOf(seconds), 1),
      }
    })
    return {
      environment: headlineName,
      trend,
      ...(query.explain === true && leads !== undefined
        ? { explain: explainEnvironment(judged, leads).changeFailureRate as never }
        : {}),
      ...(query.compare === true ? comparedLast(trend, buckets) : {}),
    }
  },
})

type Whole = {
  readonly period: string
  readonly partial: boolean
  readonly deployments: number
  readonly failed: number
  readonly total: number
}

/** The last two whole buckets. */
function comparedLast(trend: readonly Whole[], buckets: readonly { readonly fromMs: number; readonly toMs: number }[]) {
  const whole = trend.flatMap((point, at) => (point.partial ? [] : [{ point, bucket: buckets[at] }])).slice(-2)
  const [before, last] = whole
  if (before?.bucket === undefined || last?.bucket === undefined) return {}
  const days = ({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) => (toMs - fromMs) / DAY_MS
  return {
    compare: {
      period: last.point.period,
      previous: before.point.period,
      frequencyChanged: countsDiffer(
        last.point.deployments,
        days(last.bucket),
        before.point.deployments,
        days(before.bucket),
      ),
      failureRateChanged: sharesDiffer(last.point.failed, last.point.total, before.point.failed, before.point.total),
    },
  }
}
