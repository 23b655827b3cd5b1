/**
 * The score of a pipeline: half compliance and half delivery, or the one that is known; and the single fix that would
 * add most. Pure. Source: spec platform 18.
 *
 * INVARIANT: after a fix, the score is the one that the fix promises; no other single fix of the card adds more than
 * the first.
 */
import { LEVELS, type Level } from '../metric/band.js'

/** A card has the score of the last days, and of this number of previous weeks. */
export const DAYS = 30
export const WEEKS = 12

export interface Compliance {
  readonly rules: number
  /** Violated rules that block, and violated rules that warn; each rule is in one list, once. */
  readonly violated: readonly BrokenRule[]
  readonly warned: readonly BrokenRule[]
}

export interface BrokenRule {
  readonly id: string
  readonly name: string
  readonly message: string
}

export const SCORED = ['deploymentFrequency', 'changeFailureRate', 'leadTime', 'meanTimeToRestore'] as const
export type ScoredMetric = (typeof SCORED)[number]

export type Levels = Readonly<Record<ScoredMetric, Level | null>>

export interface Inputs {
  /** Null when no rule applies, or when the check failed. */
  readonly compliance: Compliance | null
  readonly levels: Levels
}

const POINTS: Readonly<Record<Level, number>> = { elite: 100, high: 80, medium: 55, low: 30 }
export const pointsOf = (level: Level): number => POINTS[level]

export function complianceScore(compliance: Compliance | null): number | null {
  if (compliance === null || compliance.rules === 0) return null
  const { rules, violated, warned } = compliance
  return Math.round(100 * Math.min(1, Math.max(0, (rules - violated.length - 0.5 * warned.length) / rules)))
}

/** The mean points of the known levels, not rounded. */
export function deliveryScore(levels: Levels): number | null {
  const known = SCORED.flatMap((metric) => levels[metric] ?? [])
  return known.length === 0 ? null : known.reduce((sum, level) => sum + POINTS[level], 0) / known.length
}

/** The score before rounding; null when neither part is known. */
export function exactScore({ compliance, levels }: Inputs): number | null {
  const [one, other] = [complianceScore(compliance), deliveryScore(levels)]
  if (one === null || other === null) return one ?? other
  return 0.5 * one + 0.5 * other
}

export const scoreOf = (inputs: Inputs): number | null => {
  const exact = exactScore(inputs)
  return exact === null ? null : Math.round(exact)
}

export const GRADES = ['A', 'B', 'C', 'D', 'F'] as const
export type Grade = (typeof GRADES)[number]
export function gradeOf(score: number | null): Grade | null {
  if (score === null) return null
  return score >= 90 ? 'A' : score >= 75 ? 'B' : score >= 60 ? 'C' : score >= 45 ? 'D' : 'F'
}

/** A possible fix: a rule passes, or a metric improves by one band. The deployments of a fix count in every metric. */
export type Fix =
  | { readonly kind: 'rule'; readonly rule: BrokenRule }
  | {
      readonly kind: 'metric'
      readonly metric: ScoredMetric
      readonly from: Level
      readonly to: Level
      readonly levels: Levels
    }

export function applied(inputs: Inputs, fix: Fix): Inputs {
  if (fix.kind === 'metric') return { ...inputs, levels: fix.levels }
  if (inputs.compliance === null) return inputs
  const without = (rules: readonly BrokenRule[]) => rules.filter(({ id }) => id !== fix.rule.id)
  const { rules, violated, warned } = inputs.compliance
  return { ...inputs, compliance: { rules, violated: without(violated), warned: without(warned) } }
}

export interface RankedFix {
  readonly fix: Fix
  readonly newScore: number
  readonly gain: number
}

/** @returns the levels once the metric has reached the next band. */
export type Reached = (metric: ScoredMetric, to: Level) => Levels

export function fixesOf(inputs: Inputs, reached: Reached): Fix[] {
  const { compliance, levels } = inputs
  const rules = [...(compliance?.violated ?? []), ...(compliance?.warned ?? [])]
  const metrics = SCORED.flatMap((metric): Fix[] => {
    const from = levels[metric]
    const to = from === null ? undefined : LEVELS[LEVELS.indexOf(from) - 1]
    return from === null || to === undefined ? [] : [{ kind: 'metric', metric, from, to, levels: reached(metric, to) }]
  })
  return [...rules.map((rule): Fix => ({ kind: 'rule', rule })), ...metrics]
}

/** The fixes that add most first; a fix that adds nothing is left out. */
export function nextBestFixes(inputs: Inputs, reached: Reached, most: number): RankedFix[] {
  const now = exactScore(inputs)
  if (now === null) return []
  return fixesOf(inputs, reached)
    .map((fix, at) => ({ fix, at, exact: exactScore(applied(inputs, fix)) ?? now }))
    .filter(({ exact }) => exact > now)
    .sort((a, b) => b.exact - a.exact || a.at - b.at)
    .slice(0, most)
    .map(({ fix, exact }) => ({ fix, newScore: Math.round(exact), gain: Math.round(exact) - Math.round(now) }))
}
