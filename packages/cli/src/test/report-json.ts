/** The report for programs. INVARIANT: keys are only added, never removed or changed. */
import { ruleId } from '../input/rules.js'
import { jsonText } from '../program/print-data.js'
import { failures, formatMismatch, hasFindings, type TestReport } from './report.js'
import { placeIn } from './suite.js'

export function renderJson(report: TestReport): string {
  const { coverage, mutation } = report
  const failed = failures(report).length
  const content = {
    ok: !hasFindings(report),
    tests: report.results.length,
    passed: report.results.length - failed,
    failed,
    results: report.results.map(({ name, file, position, mismatches }) => ({
      name,
      file,
      line: position.line,
      column: position.column,
      passed: mismatches.length === 0,
      mismatches,
      messages: mismatches.flatMap(formatMismatch),
    })),
    ...(coverage && {
      coverage: {
        ...coverage.totals,
        threshold: coverage.threshold,
        byRule: coverage.rules.map(({ rule, tests, conditions }) => ({
          rule: ruleId(rule.rule),
          place: placeIn(rule, ''),
          tests,
          conditions,
        })),
      },
    }),
    ...(mutation && {
      mutation: {
        mutants: mutation.score.mutants,
        equivalent: mutation.score.equivalent,
        noticed: mutation.score.noticed,
        percent: mutation.score.percent,
        threshold: mutation.threshold,
        survivors: mutation.score.survivors.map(({ rule, mutant, untested, suggestion }) => ({
          rule: ruleId(rule.rule),
          place: placeIn(rule, mutant.pointer),
          pointer: mutant.pointer,
          change: mutant.change,
          untested,
          suggestion,
        })),
      },
    }),
  }
  return `${jsonText(content)}\n`
}
