/**
 * The report as JUnit XML, one suite for each test file. Coverage and score below a threshold are failed cases of their
 * own suite, so that a build server that reads only this file sees them.
 */

import { xml } from '../report/junit.js'
import { formatMismatch, formatPercent, isBelow, type TestReport, type TestResult } from './report.js'

interface JUnitCase {
  readonly name: string
  readonly className: string
  readonly failure: readonly string[]
  readonly file?: string
  readonly line?: number
}

export function renderJUnit(report: TestReport): string {
  const suites = new Map<string, JUnitCase[]>()
  for (const result of report.results) {
    const cases = suites.get(result.file) ?? []
    cases.push(toCase(result))
    suites.set(result.file, cases)
  }
  const thresholds = [
    ...threshold('condition coverage', report.coverage?.totals.percent, report.coverage?.threshold),
    ...threshold('mutation score', report.mutation?.score.percent, report.mutation?.threshold),
  ]
  if (thresholds.length > 0) suites.set('thresholds', thresholds)

  const all = [...suites.values()].flat()
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="plumbline test" ${counts(all)}>`,
    ...[...suites].flatMap(([name, cases]) => [
      `  <testsuite name="${xml(name)}" ${counts(cases)}>`,
      ...cases.flatMap(renderCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function toCase({ name, file, position, mismatches }: TestResult): JUnitCase {
  return { name, className: file, file, line: position.line, failure: mismatches.flatMap(formatMismatch) }
}

function threshold(what: string, percent: number | undefined, bound: number | null | undefined): JUnitCase[] {
  if (percent === undefined || bound === undefined || bound === null) return []
  const failure = isBelow(percent, bound) ? [`${what} ${formatPercent(percent)} is below ${bound} %`] : []
  return [{ name: what, className: 'thresholds', failure }]
}

function counts(cases: readonly JUnitCase[]): string {
  const failed = cases.filter(({ failure }) => failure.length > 0).length
  return `tests="${cases.length}" failures="${failed}" errors="0" skipped="0"`
}

function renderCase({ name, className, failure, file, line }: JUnitCase): string[] {
  const place = file === undefined ? '' : ` file="${xml(file)}" line="${line}"`
  const open = `    <testcase name="${xml(name)}" classname="${xml(className)}"${place}`
  if (failure.length === 0) return [`${open}/>`]
  return [
    `${open}>`,
    `      <failure message="${xml(failure[0] ?? '')}">${xml(failure.join('\n'))}</failure>`,
    '    </testcase>',
  ]
}
