/** The report for people: grouped by file, each finding with its line of source, a summary at the end. */
import pc from 'picocolors'
import type { Diagnostic } from '../input/diagnostic.js'
import { printable } from '../program/printable.js'
import type { FileResult, Finding } from './finding.js'
import {
  count,
  exemptionsNote,
  foundText,
  type PolicySource,
  problemText,
  type Reporter,
  type RunSummary,
  severityCounts,
  startOfLine,
  summaryCounts,
} from './reporter.js'

export const prettyReporter = (): Reporter => new PrettyReporter()

class PrettyReporter implements Reporter {
  #colours = pc.createColors(false)
  #columns = 80
  #policyLines: string[] = []

  #paint(severity: string): (text: string) => string {
    const { yellow, red, bold } = this.#colours
    return severity === 'warning' ? yellow : severity === 'error' ? red : (text) => bold(red(text))
  }

  #findingLines(finding: Finding, placeWidth: number, severityWidth: number): string[] {
    const colours = this.#colours
    const place = `${finding.line}:${finding.column}`.padStart(placeWidth)
    const severity = this.#paint(finding.severity)(printable(finding.severity).padEnd(severityWidth))
    const indent = ' '.repeat(placeWidth + 4)
    const gutter = String(finding.line)
    const source = printable(finding.excerpt)
    const value = foundText(finding)
    const found =
      finding.issue !== null
        ? `the rule itself is wrong: ${finding.issue}`
        : value === null
          ? null
          : `found ${printable(value)}`
    const foundLine = (before: string) => (found === null ? [] : [`${before}${this.#paint(finding.severity)(found)}`])
    const lines = [
      `  ${colours.dim(place)}  ${severity}  ${colours.bold(printable(finding.ruleName))}  ${printable(finding.message)}`,
      ...(source === ''
        ? foundLine(indent)
        : [
            `${indent}${colours.dim(`${gutter} │`)} ${source}`,
            ...foundLine(`${indent}${colours.dim(`${' '.repeat(gutter.length)} ╵`)} `),
          ]),
    ]
    if (finding.description) {
      lines.push(
        ...wrap(printable(finding.description), this.#columns - indent.length).map(
          (line) => indent + colours.dim(line),
        ),
      )
    }
    return lines
  }

  #problemLine(problem: Diagnostic, placeWidth: number): string {
    const colours = this.#colours
    const place = problem.position ? `${problem.position.line}:${problem.position.column}` : '-'
    const label = colours.bold(colours.magenta('not evaluated'))
    return `  ${colours.dim(place.padStart(placeWidth))}  ${label}  ${printable(problemText(problem))}`
  }

  begin(run: Parameters<Reporter['begin']>[0]): string {
    this.#colours = pc.createColors(run.colour)
    this.#columns = Math.max(40, Math.min(run.columns, 120))
    this.#policyLines = run.policy
      ? [
          `policy of ${printable(run.policy.ref)} (${run.policy.commit.slice(0, 10)}); the change under test alters ` +
            `${run.policy.changes.length === 0 ? 'nothing in it' : count(run.policy.changes.length, 'file')}`,
          ...run.policy.changes.map(({ kind, file, change }) => `  ${change} ${kind}: ${printable(file)}`),
          ...notesOf(run.policy),
        ]
      : []
    return ''
  }

  file(result: FileResult): string {
    const colours = this.#colours
    const findings = result.findings
      .filter((finding) => finding.suppression === null)
      .sort((left, right) => left.entity.ordinal - right.entity.ordinal || left.line - right.line)
    if (findings.length === 0 && result.problems.length === 0) return ''
    const places = [...findings, ...result.problems.map(({ position }) => position ?? { line: 0, column: 0 })]
    const placeWidth = Math.max(...places.map(({ line, column }) => `${line}:${column}`.length))
    const severityWidth = Math.max(0, ...findings.map(({ severity }) => severity.length))
    const lines = [colours.underline(printable(startOfLine(result.file)))]
    for (const problem of result.problems) lines.push(this.#problemLine(problem, placeWidth))
    const isSeveral = result.entities.length > 1
    let entity = -1
    for (const finding of findings) {
      if (isSeveral && finding.entity.ordinal !== entity) {
        entity = finding.entity.ordinal
        lines.push(`  ${finding.entity.target} ${colours.cyan(printable(finding.entity.name))}`)
      }
      lines.push(...this.#findingLines(finding, placeWidth, severityWidth))
    }
    return `${lines.join('\n')}\n\n`
  }

  end(summary: RunSummary): string {
    const colours = this.#colours
    const lines = this.#policyLines.map((line) => colours.yellow(line))
    lines.push(this.#headline(summary))
    const counts = [...summaryCounts(summary), `${(summary.durationMs / 1000).toFixed(2)} s`]
    lines.push(colours.dim(`  ${counts.join(' · ')}`))
    if (summary.staleBaseline > 0) {
      const stale = `${count(summary.staleBaseline, 'accepted finding')} no longer ${summary.staleBaseline === 1 ? 'occurs' : 'occur'}`
      lines.push(colours.dim(`  ${stale}: run \`plumbline baseline prune\``))
    }
    return `${lines.join('\n')}\n`
  }

  #headline(summary: RunSummary): string {
    const colours = this.#colours
    const missed =
      summary.notEvaluated > 0 ? colours.bold(colours.magenta(`; ${summary.notEvaluated} could not be evaluated`)) : ''
    if (summary.files === 0 && summary.exitCode === 2) return `${colours.yellow('●')} nothing was checked`
    if (summary.findings === 0) {
      const isClean = missed === '' && summary.exitCode === 0
      return `${isClean ? colours.green('✔') : '●'} no findings${missed}`
    }
    const mark = summary.exitCode === 1 ? colours.red('✖') : colours.yellow('▲')
    const files = `in ${summary.filesWithFindings} of ${count(summary.files, 'file')}`
    return `${mark} ${colours.bold(count(summary.findings, 'finding'))} (${severityCounts(summary.bySeverity)}) ${files}${missed}`
  }
}

function notesOf(policy: PolicySource): string[] {
  const note = exemptionsNote(policy)
  return note === null ? [] : [`  ${printable(note)}`]
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, line]
}
