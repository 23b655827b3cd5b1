/**
 * `GET /reports/execution/success-rate`: the percentage of succeeded runs among those that succeeded or failed, over
 * time.
 */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { percentOf, ratesOver } from '../execution/arithmetic.js'
import { shareInterval } from '../metric/interval.js'
import { rounded } from '../metric/percentile.js'
import { chartOf } from '../report/chart.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { sourceOf, sumsByDay } from '../rollup/read.js'

const Count = Type.Integer({ minimum: 0 })
const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const getSuccessRate = report({
  name: 'reporting.success-rate.get',
  summary: 'Read the success rate of runs over time',
  description: 'Canceled, superseded and open runs are not counted. A bucket without a finished run has null.',
  path: '/reports/execution/success-rate',
  query: INTERVAL_QUERY,
  output: {
    timeline: Type.Array(
      strictObject({
        period: Type.String({ description: 'The day on which it begins' }),
        partial: Type.Boolean({ description: 'The window begins or ends inside it' }),
        succeeded: Count,
        failed: Count,
        canceled: Count,
        successPct: Percent,
        failurePct: Percent,
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
    csv: ({ timeline }) =>
      tableOf(timeline, ['period', 'partial', 'succeeded', 'failed', 'canceled', 'successPct', 'failurePct']),
    svg: ({ timeline }) =>
      chartOf({
        title: 'Runs and success rate',
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
  readsSums: true,
  async run({ db, nowMs }, query, { scope, range }) {
    const asking = { db, scope, query, window: range.window, nowMs }
    const source = await sourceOf(asking)
    const interval = query.interval ?? 'week'
    const buckets = bucketsIn(range, interval)
    const timeline = ratesOver(source.facts, buckets, interval, nowMs, await sumsByDay(asking, source))
    const sum = (key: 'succeeded' | 'failed') => timeline.reduce((total, each) => total + each[key], 0)
    const [succeeded, failed] = [sum('succeeded'), sum('failed')]
    const share = shareInterval(succeeded, succeeded + failed)
    const percent = (value: number) => rounded(100 * value, 1)
    return {
      timeline,
      totals: {
        succeeded,
        failed,
        successPct: percentOf(succeeded, succeeded + failed),
        interval: share && { low: percent(share.low), high: percent(share.high) },
      },
    }
  },
})
