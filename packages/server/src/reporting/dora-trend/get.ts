/** `GET /reports/execution/dora/trend`: deployments and their failures over time. */
import Type from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { NoEnvironmentField, noEnvironment } from '../dora/advice.js'
import { binnedOf, detailsOf, headlineIn } from '../dora/compute.js'
import { readFacts, readTrend } from '../dora/deliveries.js'
import { explainEnvironment } from '../dora/explain.js'
import { DORA_ACCESS } from '../dora/get.js'
import { ExplainedField } from '../dora/present.js'
import { countsDiffer, sharesDiffer } from '../metric/compare.js'
import { shareInterval } from '../metric/interval.js'
import { rounded } from '../metric/percentile.js'
import { medianSeconds } from '../metric/sample.js'
import { chartOf } from '../report/chart.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })
const Amount = nullable(Type.Number({ minimum: 0 }))
const Chance = nullable(Type.Boolean({ description: 'Null when there is too little data' }))

const Point = strictObject({
  period: Type.String({ description: 'The day on which it begins' }),
  partial: Type.Boolean(),
  deployments: Count,
  failed: Type.Integer({ minimum: 0, description: 'While they were deployed: later failures are in the metrics' }),
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
    'Of the headline environment by default. `compare` tests whether the last whole bucket differs significantly from the one before.',
  path: '/reports/execution/dora/trend',
  access: DORA_ACCESS,
  query: { ...INTERVAL_QUERY, explain: Type.Optional(Type.Boolean()), compare: Type.Optional(Type.Boolean()) },
  output: {
    environment: Type.String(),
    trend: Type.Array(Point),
    nextStep: NoEnvironmentField,
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
    const { deliveries, judged } = await (query.explain === true ? readFacts : readTrend)(context, query, asked)
    const { window } = asked.range
    const { headlineName } = headlineIn(deliveries.environments, deliveries.settings, query.environment)
    const isBinned = binnedOf(deliveries.tally(headlineName, window))
    const buckets = bucketsIn(asked.range, query.interval ?? 'week')
    const trend = buckets.map((bucket) => {
      const { succeeded, failed, leads } = deliveries.tally(headlineName, bucket, isBinned)
      const total = succeeded + failed
      const share = shareInterval(failed, total)
      const percent = (value: number) => rounded(100 * value, 1)
      return {
        period: bucket.period,
        partial: bucket.partial,
        deployments: succeeded,
        failed,
        total,
        perDay: rounded(succeeded / Math.max(1, (bucket.toMs - bucket.fromMs) / DAY_MS), 2),
        changeFailurePct: share === null ? null : percent(failed / total),
        interval: share === null ? null : { low: percent(share.low), high: percent(share.high) },
        leadTimeSeconds: leads.count === 0 ? null : rounded(medianSeconds(leads), 1),
      }
    })
    return {
      environment: headlineName,
      trend,
      nextStep: noEnvironment(
        query.environment,
        deliveries.environments.map(({ name }) => name),
      ),
      ...(query.explain === true && judged !== null
        ? {
            explain: explainEnvironment(judged, detailsOf(judged, headlineName, window, context.nowMs))
              .changeFailureRate as never,
          }
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

/** Compares the last two complete buckets. */
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
