/** `GET /reports/plugins/build-success-rate`: the percentage of finished builds that succeeded, over time. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { percentOf } from '../execution/arithmetic.js'
import { byBucket } from '../metric/bucket.js'
import { shareInterval } from '../metric/interval.js'
import { rounded } from '../metric/percentile.js'
import { chartOf } from '../report/chart.js'
import { buildsIn, pluginReport } from '../report/plugin-report.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })
const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const getPluginSuccessRate = pluginReport({
  name: 'reporting.plugin-success-rate.get',
  summary: 'Read the success rate of builds of plugins over time',
  description: 'A build that was retried counts once, by its last result. Cancelled builds are not counted.',
  path: '/reports/plugins/build-success-rate',
  query: INTERVAL_QUERY,
  output: {
    timeline: Type.Array(
      strictObject({
        period: Type.String({ description: 'The day on which it begins' }),
        partial: Type.Boolean({ description: 'The window begins or ends inside it' }),
        succeeded: Count,
        failed: Count,
        successPct: Percent,
      }),
    ),
    totals: strictObject({
      succeeded: Count,
      failed: Count,
      successPct: Percent,
      interval: nullable(strictObject({ low: Type.Number(), high: Type.Number() }, { description: '95 %, Wilson' })),
    }),
  },
  forms: {
    csv: ({ timeline }) => tableOf(timeline, ['period', 'partial', 'succeeded', 'failed', 'successPct']),
    svg: ({ timeline }) =>
      chartOf({
        title: 'Builds of plugins and their success rate',
        series: [
          { name: 'succeeded', kind: 'bar' },
          { name: 'failed', kind: 'bar' },
          { name: 'success, %', kind: 'line' },
        ],
        points: timeline.map(({ period, succeeded, failed, successPct }) => ({
          period,
          values: [succeeded, failed, successPct],
        })),
      }),
  },
  async run(context, query, asked) {
    const builds = await buildsIn(context, query, asked)
    const interval = query.interval ?? 'week'
    const buckets = bucketsIn(asked.range, interval)
    const filled = byBucket(buckets, interval, builds, ({ finishedMs }) => finishedMs)
    const timeline = buckets.map(({ period, partial }, at) => {
      const own = filled[at] ?? []
      const succeeded = own.filter(({ isSucceeded }) => isSucceeded).length
      const successPct = percentOf(succeeded, own.length)
      return { period, partial, succeeded, failed: own.length - succeeded, successPct }
    })
    const succeeded = builds.filter(({ isSucceeded }) => isSucceeded).length
    const share = shareInterval(succeeded, builds.length)
    const percent = (value: number) => rounded(100 * value, 1)
    return {
      timeline,
      totals: {
        succeeded,
        failed: builds.length - succeeded,
        successPct: percentOf(succeeded, builds.length),
        interval: share && { low: percent(share.low), high: percent(share.high) },
      },
    }
  },
})
