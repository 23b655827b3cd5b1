/**
 * `GET /reports/execution/success-rate`: the percentage of succeeded runs among those that succeeded or failed, over
 * time.
 */
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import { ratesOver } from '../execution/arithmetic.js'
import { Count, Percent, SuccessTotals, successChart, successTotals } from '../execution/success.js'
import { bucketsIn, INTERVAL_QUERY } from '../report/range.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { sourceOf, sumsByDay } from '../rollup/read.js'

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
    totals: SuccessTotals,
  },
  forms: {
    csv: ({ timeline }) =>
      tableOf(timeline, ['period', 'partial', 'succeeded', 'failed', 'canceled', 'successPct', 'failurePct']),
    svg: ({ timeline }) => successChart('Runs and success rate', timeline),
  },
  readsSums: true,
  async run({ db, nowMs }, query, { scope, range }) {
    const asking = { db, scope, query, window: range.window, nowMs }
    const source = await sourceOf(asking, 'day')
    const interval = query.interval ?? 'week'
    const buckets = bucketsIn(range, interval)
    const days = (await sumsByDay(asking, source)).map((each) => ({ ...each, atMs: each.dayMs }))
    const facts = source.facts.map((each) => ({ ...each, atMs: each.firstMs }))
    const timeline = ratesOver([...days, ...facts], buckets, interval)
    const sum = (key: 'succeeded' | 'failed') => timeline.reduce((total, each) => total + each[key], 0)
    const [succeeded, failed] = [sum('succeeded'), sum('failed')]
    return { timeline, totals: successTotals(succeeded, failed) }
  },
})
