/** Which parts of a window are read from sums, and which from facts. Pure. */
import { DAY_MS } from '../../runtime/clock.js'
import { groupBy } from '../group.js'
import { bucketStart, dayStart, nextStart } from '../metric/bucket.js'
import type { Window } from '../model.js'

/** A day of a pipeline whose sums are not good. */
export interface Behind {
  readonly pipelineId: string
  readonly dayMs: number
}

export interface Plan {
  /** Whole months without a marked day, by their first day. */
  readonly months: readonly number[]
  /** Whole days that are in none of these months. */
  readonly days: readonly Window[]
  /** The whole days, months too. */
  readonly whole: Window
  /** What is left at both ends of the window. */
  readonly edges: readonly Window[]
}

/** The whole days of the window that are over. */
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

/** Days that follow each other as one stretch of a pipeline. */
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
