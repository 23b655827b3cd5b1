/** `GET /reports/plugins/build-success-rate`: the percentage of finished builds that succeeded, over time. */
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import { percentOf } from '../execution/arithmetic.js'
import { Count, Percent, SuccessTotals, successChart, successTotals } from '../execution/success.js'
import { byBucket } from '../metric/bucket.js'
import { buildsIn, pluginReport } from '../report/plugin-report.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { tableOf } from '../report/table.js'

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
    totals: SuccessTotals,
  },
  forms: {
    csv: ({ timeline }) => tableOf(timeline, ['period', 'partial', 'succeeded', 'failed', 'successPct']),
    svg: ({ timeline }) => successChart('Builds of plugins and their success rate', timeline),
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
    return { timeline, totals: successTotals(succeeded, builds.length - succeeded) }
  },
})
