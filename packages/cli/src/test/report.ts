/** The result of a test run, independent of the output format. */
import type { Position } from '../input/position.js'
import type { CoverageTotals, RuleCoverage } from './coverage.js'
import type { Mismatch } from './judge.js'
import type { MutationScore } from './mutation-score.js'

export interface TestResult {
  readonly file: string
  readonly position: Position
  readonly name: string
  /** Empty when the test passed. */
  readonly mismatches: readonly Mismatch[]
}

export interface TestReport {
  readonly results: readonly TestResult[]
  readonly coverage: {
    readonly rules: readonly RuleCoverage[]
    readonly totals: CoverageTotals
    /** In percent; null if there is no threshold. */
    readonly threshold: number | null
  } | null
  readonly mutation: { readonly score: MutationScore; readonly threshold: number | null } | null
}

export function failures(report: TestReport): readonly TestResult[] {
  return report.results.filter((result) => result.mismatches.length > 0)
}

/** A failed test, or coverage or score below its threshold. */
export function hasFindings(report: TestReport): boolean {
  const { coverage, mutation } = report
  return (
    failures(report).length > 0 ||
    (coverage !== null && isBelow(coverage.totals.percent, coverage.threshold)) ||
    (mutation !== null && isBelow(mutation.score.percent, mutation.threshold))
  )
}

export function isBelow(percent: number, threshold: number | null): boolean {
  return threshold !== null && percent < threshold
}

/** Rounded down, so that only complete coverage is shown as 100 %. */
export function formatPercent(percent: number): string {
  return `${(Math.floor(percent * 10 + 1e-9) / 10).toFixed(1)} %`
}

export function formatMismatch(mismatch: Mismatch): string[] {
  if (mismatch.kind === 'value') {
    const { what, expected, actual, why } = mismatch
    return [`${what}: expected ${expected}, got ${actual}`, ...(why === null ? [] : [`because ${why}`])]
  }
  return [
    `${mismatch.what} differ:`,
    ...mismatch.missing.map((name) => `- ${name} was expected and did not happen`),
    ...mismatch.unexpected.map((name) => `+ ${name} happened and was not expected`),
  ]
}
