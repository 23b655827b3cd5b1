/** What the success rates of runs and of builds share: the totals with their interval, and the chart. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { shareInterval } from '../metric/interval.js'
import { rounded } from '../metric/percentile.js'
import { chartOf } from '../report/chart.js'
import { percentOf } from './arithmetic.js'

export const Count = Type.Integer({ minimum: 0 })
export const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const SuccessTotals = strictObject({
  succeeded: Count,
  failed: Count,
  successPct: Percent,
  interval: nullable(strictObject({ low: Type.Number(), high: Type.Number() }, { description: '95 %, Wilson' })),
})

export function successTotals(succeeded: number, failed: number) {
  const share = shareInterval(succeeded, succeeded + failed)
  const percent = (value: number) => rounded(100 * value, 1)
  return {
    succeeded,
    failed,
    successPct: percentOf(succeeded, succeeded + failed),
    interval: share && { low: percent(share.low), high: percent(share.high) },
  }
}

interface Point {
  readonly period: string
  readonly succeeded: number
  readonly failed: number
  readonly successPct: number | null
}

export const successChart = (title: string, timeline: readonly Point[]): string =>
  chartOf({
    title,
    series: [
      { name: 'succeeded', kind: 'bar' },
      { name: 'failed', kind: 'bar' },
      { name: 'success, %', kind: 'line' },
    ],
    points: timeline.map(({ period, succeeded, failed, successPct }) => ({
      period,
      values: [succeeded, failed, successPct],
    })),
  })
