/** Findings for people: what, where, why, an entity that shows it, and what to do. */
import pc from 'picocolors'
import { printable } from '../program/printable.js'
import { count } from '../report/reporter.js'
import type { LocatedFinding, LocatedReport } from './located-finding.js'

const witnessCharactersMax = 200

export function renderPretty(report: LocatedReport, colour: boolean): string {
  const colours = pc.createColors(colour)
  const paint = { error: colours.red, warning: colours.yellow, info: colours.cyan }
  const lines = report.findings.flatMap((finding) => {
    const { place, severity, code, message, reason, advice, related } = finding
    const label = finding.status === 'unknown' ? colours.dim('unknown') : paint[severity](severity)
    return [
      `${colours.bold(`${place.file}:${place.line}:${place.column}`)} ${label} ${code}`,
      `  ${printable(message)}`,
      `  ${colours.dim(`because ${printable(reason)}`)}`,
      ...witnessLine(finding, colours.dim),
      ...related.map(({ ruleName, file, line }) => colours.dim(`  see ${printable(ruleName)} ${file}:${line}`)),
      `  ${colours.cyan('→')} ${printable(advice)}${colours.dim(fixNote(finding))}`,
      '',
    ]
  })
  lines.push(summaryLine(report))
  return `${lines.join('\n')}\n`
}

export function summaryLine({ summary, fixed }: LocatedReport): string {
  const { error, warning, info } = summary.findings
  // Questions that could not be decided are counted separately from findings.
  const found = [count(error, 'error'), count(warning, 'warning'), `${Math.max(0, info - summary.unknown)} info`]
  const parts = [`${count(summary.rules, 'rule')}: ${found.join(', ')}`]
  if (fixed > 0) parts.push(`${fixed} fixed`)
  if (summary.unknown > 0) parts.push(`${summary.unknown} of ${summary.questions} questions could not be decided`)
  if (summary.notReported > 0) parts.push(`${summary.notReported} that follow from others are not shown`)
  if (summary.notCompared > 0) parts.push(`${summary.notCompared} pairs were not compared`)
  return parts.join('; ')
}

/** A fix of the rule may not be possible in its file: an anchored value is used in other places too. */
function fixNote({ fix, isFixable }: LocatedFinding): string {
  if (fix === undefined) return ''
  return isFixable ? ' (--fix does it)' : ' (not by --fix: in the file the value is shared, or cannot be changed alone)'
}

function witnessLine(finding: LocatedFinding, dim: (text: string) => string): string[] {
  if (finding.witness === undefined) return []
  const text = JSON.stringify(finding.witness)
  return [
    dim(
      `  such as ${printable(text.length > witnessCharactersMax ? `${text.slice(0, witnessCharactersMax)}…` : text)}`,
    ),
  ]
}
