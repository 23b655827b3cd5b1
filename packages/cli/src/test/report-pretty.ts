/** The report for people: failures first, then what no test covers, then one line of totals. */
import pc from 'picocolors'
import { printable } from '../program/printable.js'
import { valueText } from '../report/reporter.js'
import { type ConditionCoverage, totalsOf } from './coverage.js'
import { failures, formatMismatch, formatPercent, isBelow, type TestReport } from './report.js'
import { placeIn } from './suite.js'

export function renderPretty(report: TestReport, colour: boolean): string {
  const colours = pc.createColors(colour)
  const lines: string[] = []

  for (const result of failures(report)) {
    lines.push(`${colours.red('✗')} ${colours.bold(printable(result.name))}`)
    lines.push(colours.dim(`  ${result.file}:${result.position.line}:${result.position.column}`))
    for (const line of result.mismatches.flatMap(formatMismatch)) lines.push(`    ${paint(printable(line), colours)}`)
    lines.push('')
  }

  const { coverage, mutation } = report
  if (coverage) {
    for (const covered of coverage.rules) {
      if (totalsOf([covered]).percent === 100) continue
      lines.push(
        `${colours.yellow('○')} ${colours.bold(printable(covered.rule.rule.name))}${covered.tests === 0 ? ' has no test' : ''}`,
      )
      lines.push(colours.dim(`  ${placeIn(covered.rule, '')}`))
      if (covered.tests > 0) for (const line of covered.conditions.flatMap(unseen)) lines.push(`    ${printable(line)}`)
      lines.push('')
    }
  }
  if (mutation) {
    for (const { rule, mutant, untested, suggestion } of mutation.score.survivors) {
      if (untested && coverage) continue
      lines.push(
        `${colours.yellow('~')} ${colours.bold(printable(rule.rule.name))}: ${printable(mutant.change)}, and no test notices`,
      )
      lines.push(colours.dim(`  ${placeIn(rule, mutant.pointer)}`))
      if (suggestion) lines.push(`    ${suggestion.outcome}: ${valueText(suggestion.given, 200)} would`)
      lines.push('')
    }
  }

  const failed = failures(report).length
  const count = `${report.results.length} test${report.results.length === 1 ? '' : 's'}`
  lines.push(failed > 0 ? colours.red(`${count}, ${failed} failed`) : colours.green(`${count}, all passed`))
  if (coverage) {
    const { seen, sides, percent } = coverage.totals
    lines.push(total('condition coverage', percent, coverage.threshold, `${seen} of ${sides} outcomes seen`, colours))
  }
  if (mutation) {
    const { noticed, mutants, equivalent, percent } = mutation.score
    const same = equivalent > 0 ? `, ${equivalent} that change nothing left out` : ''
    const detail = `${noticed} of ${mutants} mistakes noticed${same}`
    lines.push(total('mutation score', percent, mutation.threshold, detail, colours))
  }
  return `${lines.join('\n')}\n`
}

type Colours = ReturnType<typeof pc.createColors>

function paint(line: string, colours: Colours): string {
  if (line.startsWith('- ')) return colours.red(line)
  return line.startsWith('+ ') ? colours.green(line) : line
}

function unseen(condition: ConditionCoverage): string[] {
  const [yes, no] = condition.kind === 'gate' ? ['open', 'closed'] : ['to hold', 'to fail']
  return [
    ...(condition.seenTrue ? [] : [`${condition.label}: never seen ${yes}`]),
    ...(condition.seenFalse ? [] : [`${condition.label}: never seen ${no}`]),
  ]
}

function total(what: string, percent: number, threshold: number | null, detail: string, colours: Colours): string {
  const text = `${what} ${formatPercent(percent)} (${detail})`
  if (threshold === null) return text
  return isBelow(percent, threshold)
    ? colours.red(`${text}, below the threshold of ${threshold} %`)
    : colours.green(`${text}, threshold ${threshold} %`)
}
