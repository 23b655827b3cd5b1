/** Shared by several reports: the period, levels, and the format of a figure. */
import { Badge, type Tone } from '../../ui/basics.js'
import { useFormat } from '../../ui/format.js'
import { useLabel, useWords } from '../../ui/words.js'
import { reportWords, words } from './words.js'

const DAY_MS = 86_400_000
export const PERIODS = ['7', '30', '90'] as const
export type Period = (typeof PERIODS)[number]

const MINUTE_MS = 60_000

/**
 * The last days up to now, as both ends of a window. Now is rounded up to the minute, so that renders in the same minute
 * request the same data.
 */
export function lastDays(days: Period, nowMs = Date.now()): { readonly from: string; readonly to: string } {
  const toMs = Math.ceil(nowMs / MINUTE_MS) * MINUTE_MS
  return { from: new Date(toMs - Number(days) * DAY_MS).toISOString(), to: new Date(toMs).toISOString() }
}

export const useReportLabel = () => useLabel(reportWords)

const LEVELS: Readonly<Record<string, Tone>> = { elite: 'pass', high: 'accent', medium: 'warning', low: 'error' }

export function Level({ of }: { of: string | null }) {
  const label = useReportLabel()
  if (of === null) return null
  return <Badge tone={LEVELS[of] ?? 'plain'}>{label(of)}</Badge>
}

const STATUS: Readonly<Record<string, Tone>> = { succeeded: 'pass', failed: 'error', started: 'accent' }

export function Status({ of }: { of: string }) {
  const label = useReportLabel()
  return <Badge tone={STATUS[of] ?? 'plain'}>{label(of)}</Badge>
}

export type MetricName =
  | 'deploymentFrequency'
  | 'changeFailureRate'
  | 'leadTime'
  | 'failedDeploymentRecovery'
  | 'reworkRate'
  | 'meanTimeToRestore'

/** Formats the value of a figure in its unit: per day, percent, or time. */
export function useFigure(): (name: MetricName, value: number) => string {
  const t = useWords(words)
  const format = useFormat()
  return (name, value) => {
    if (name === 'deploymentFrequency') return t('perDay', { value: format.number(value) })
    if (name === 'changeFailureRate' || name === 'reworkRate') return format.percent(value / 100)
    return format.duration(value * 1000)
  }
}
