/** Decides which parts of a window are read from sums and which from facts. Pure. */
import { DAY_MS } from '../../runtime/clock.js'
import { groupBy } from '../group.js'
import { bucketStart, dayStart, nextStart } from '../metric/bucket.js'
import type { Window } from '../model.js'

/** A day of a pipeline whose sums are outdated. */
export interface Behind {
  readonly pipelineId: string
  readonly dayMs: number
}

export interface Plan {
  /** Complete months without a marked day, by their first day. */
  readonly months: readonly number[]
  /** Complete days outside these months. */
  readonly days: readonly Window[]
  /** All complete days, including those of the months. */
  readonly whole: Window
  /** The incomplete days at both ends of the window. */
  readonly edges: readonly Window[]
}

/** The complete past days of the window. */
export function wholeDaysOf({ fromMs, toMs }: Window, nowMs: number): Window {
  const begin = Math.ceil(fromMs / DAY_MS) * DAY_MS
  return { fromMs: begin, toMs: Math.max(begin, dayStart(Math.min(toMs, nowMs))) }
}

export function planOf(window: Window, whole: Window, behind: readonly Behind[]): Plan {
  const edges = [
    { fromMs: window.fromMs, toMs: Math.min(whole.fromMs, window.toMs) },
    { fromMs: Math.max(whole.toMs, window.fromMs), toMs: window.toMs },
  ].filter(({ fromMs, toMs }) => fromMs < toMs)
  if (whole.fromMs === whole.toMs) return { months: [], days: [], whole, edges: [window] }
  const broken = new Set(behind.map(({ dayMs }) => bucketStart(dayMs, 'month')))
  const months: number[] = []
  const days: { fromMs: number; toMs: number }[] = []
  for (let start = bucketStart(whole.fromMs, 'month'); start < whole.toMs; start = nextStart(start, 'month')) {
    const end = nextStart(start, 'month')
    if (start >= whole.fromMs && end <= whole.toMs && !broken.has(start)) {
      months.push(start)
      continue
    }
    const part = { fromMs: Math.max(start, whole.fromMs), toMs: Math.min(end, whole.toMs) }
    const last = days.at(-1)
    if (last?.toMs === part.fromMs) last.toMs = part.toMs
    else days.push(part)
  }
  return { months, days, whole, edges }
}

/** Joins consecutive days of a pipeline into periods. */
export function stretchesOf(behind: readonly Behind[]): (Window & { readonly pipelineId: string })[] {
  return [...groupBy(behind, ({ pipelineId }) => pipelineId)].flatMap(([pipelineId, own]) => {
    const stretches: { pipelineId: string; fromMs: number; toMs: number }[] = []
    for (const dayMs of [...new Set(own.map((each) => each.dayMs))].sort((a, b) => a - b)) {
      const last = stretches.at(-1)
      if (last?.toMs === dayMs) last.toMs = dayMs + DAY_MS
      else stretches.push({ pipelineId, fromMs: dayMs, toMs: dayMs + DAY_MS })
    }
    return stretches
  })
}

/** The marked days, in order. */
export const daysOf = (behind: readonly Behind[]): number[] =>
  [...new Set(behind.map(({ dayMs }) => dayMs))].sort((a, b) => a - b)

export const dayOf = (dayMs: number): Window => ({ fromMs: dayMs, toMs: dayMs + DAY_MS })
