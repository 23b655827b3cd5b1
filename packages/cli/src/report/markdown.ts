/**
 * Markdown for a pull request comment or a job summary: the verdict first, then a table.
 * INVARIANT: at most `rowsMax` rows; a line counts the rest.
 */
import type { Diagnostic } from '../input/diagnostic.js'
import { printable } from '../program/printable.js'
import type { Finding } from './finding.js'
import {
  count,
  exemptionsNote,
  foundText,
  problemText,
  type Reporter,
  type RunInfo,
  type RunSummary,
  severityCounts,
  summaryCounts,
} from './reporter.js'

/** Keeps a comment below the 65,536 characters that code hosts accept. */
const rowsMax = 150

export function markdownReporter(): Reporter {
  const rows: string[] = []
  const problems: string[] = []
  let run: RunInfo | null = null
  let rowCount = 0

  const keep = (list: string[], row: string) => {
    rowCount++
    if (rowCount <= rowsMax) list.push(row)
  }

  return {
    begin(info) {
      run = info
      return ''
    },
    file(result) {
      for (const problem of result.problems) keep(problems, problemRow(problem))
      for (const finding of result.findings) if (finding.suppression === null) keep(rows, findingRow(finding))
      return ''
    },
    end(summary) {
      const parts = [`## Plumbline: ${verdict(summary)}`]
      if (run?.policy) parts.push(policyText(run))
      if (problems.length > 0) {
        parts.push(['| Not evaluated | Why |', '| --- | --- |', ...problems].join('\n'))
      }
      if (rows.length > 0) {
        parts.push(['| Severity | Where | Rule | Finding |', '| --- | --- | --- | --- |', ...rows].join('\n'))
      }
      if (rowCount > rowsMax) parts.push(`… and ${rowCount - rowsMax} more.`)
      parts.push(`<sub>${summaryCounts(summary).join(' · ')}</sub>`)
      return `${parts.join('\n\n')}\n`
    },
  }
}

function verdict(summary: RunSummary): string {
  const missed = summary.notEvaluated > 0 ? `, ${summary.notEvaluated} not evaluated` : ''
  if (summary.findings === 0) return `no findings${missed}`
  return `${count(summary.findings, 'finding')} (${severityCounts(summary.bySeverity)})${missed}`
}

function policyText({ policy }: RunInfo): string {
  const { ref, commit, changes } = policy ?? { ref: '', commit: '', changes: [] }
  const head = `Policy of ${code(ref)} (${code(commit.slice(0, 10))}).`
  if (changes.length === 0) return `${head} This change does not change the policy.`
  const list = changes.map(({ kind, file, change }) => `- ${change} ${kind}: ${code(file)}`)
  const note = policy === null ? null : exemptionsNote({ ...policy, ref: code(ref) })
  const end = note === null ? '' : `\n\n${note.charAt(0).toUpperCase()}${note.slice(1)}.`
  return `${head} **This change changes the policy, without effect on this check:**\n\n${list.join('\n')}${end}`
}

function findingRow(finding: Finding): string {
  const found = foundText(finding, 60)
  const where = code(`${finding.file}:${finding.line}`)
  const entity = `${finding.entity.target} ${code(finding.entity.name)}`
  const cells = [
    escapeCell(finding.severity),
    where,
    code(finding.ruleName),
    `${entity}: ${sentence(finding.message)}${found === null ? '' : `, found ${found === 'nothing' ? found : code(found)}`}`,
  ]
  return `| ${cells.join(' | ')} |`
}

function problemRow(problem: Diagnostic): string {
  const place = problem.position ? `${problem.file}:${problem.position.line}` : problem.file
  return `| ${code(place)} | ${sentence(problemText(problem))} |`
}

/** Escapes text for a cell, so that markup, HTML and mentions have no effect. */
export function escapeCell(text: string): string {
  return printable(text)
    .replace(/[\\`*_{}[\]()#+!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
}

/** Formats a message for a cell: text in backticks is code, everything else is plain text. */
export function sentence(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, index) => (index % 2 === 1 ? code(piece.slice(1, -1)) : escapeCell(piece)))
    .join('')
}

/**
 * Formats text as code for a cell. Escapes have no effect in code, so the fence is longer than any run of backticks in
 * the text.
 */
export function code(text: string): string {
  const safe = printable(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...(safe.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${safe} ${fence}` : `${fence}${safe}${fence}`
}
