/**
 * A report format: three functions from data to text. A report is written while the check runs, so that ten thousand
 * files need no more memory than ten.
 * INVARIANT: a reporter never affects a verdict or the exit code.
 */
import type { Target } from '@plumbline/engine'
import type { Diagnostic } from '../input/diagnostic.js'
import type { FileResult, Finding } from './finding.js'

export interface ReportedRule {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly severity: string
  readonly target: Target
  readonly tags: readonly string[]
}

/** What the change under test altered in the policy that judges it (`--policy-from`). */
export interface PolicyChange {
  readonly kind: 'configuration' | 'rules' | 'exemptions' | 'baseline'
  readonly file: string
  readonly change: 'added' | 'modified' | 'removed'
}

export interface PolicySource {
  readonly ref: string
  readonly commit: string
  readonly changes: readonly PolicyChange[]
}

/** What has no effect yet, when the change under test adds or edits exemptions; null when it does not. */
export function exemptionsNote({ ref, changes }: PolicySource): string | null {
  const isBrought = changes.some(({ kind, change }) => kind === 'exemptions' && change !== 'removed')
  return isBrought
    ? `exemptions that this change adds or edits are not counted in this check: they take effect when the change is merged into ${ref}`
    : null
}

export interface RunInfo {
  readonly version: string
  readonly asOf: string
  readonly rules: readonly ReportedRule[]
  readonly failOn: string
  /** Null when the policy is read from disk. */
  readonly policy: PolicySource | null
  /** Whether findings are compared with a baseline. */
  readonly hasBaseline: boolean
  /** The path from the root of the repository to the folder that names are relative to. */
  readonly rootPrefix: string
  readonly colour: boolean
  readonly columns: number
}

export interface RunSummary {
  readonly files: number
  readonly entities: number
  /** Number of rules for the targets of the checked entities. */
  readonly rules: number
  readonly findings: number
  readonly bySeverity: Readonly<Record<string, number>>
  readonly filesWithFindings: number
  readonly exempted: number
  readonly hiddenByBaseline: number
  /** Baseline entries of checked files that no longer occur. */
  readonly staleBaseline: number
  /** Ids of exemptions from files that waived nothing, in the order of the files. */
  readonly unusedExemptions: readonly string[]
  /** Files and documents that could not be evaluated. */
  readonly notEvaluated: number
  readonly exitCode: number
  readonly durationMs: number
}

export interface Reporter {
  begin(run: RunInfo): string
  file(result: FileResult): string
  end(summary: RunSummary): string
}

/** `12 findings`, `1 finding`. */
export function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`
  return `${amount} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** `3 critical, 1 warning`, the gravest first. */
export function severityCounts(bySeverity: Readonly<Record<string, number>>): string {
  const order = ['critical', 'error', 'warning']
  const names = Object.keys(bySeverity).sort((left, right) => order.indexOf(left) - order.indexOf(right))
  return names.map((name) => count(bySeverity[name] ?? 0, name).replace(/criticals$/, 'critical')).join(', ')
}

/** How much was evaluated, and how much of it is not shown. */
export function summaryCounts(summary: RunSummary): string[] {
  return [
    count(summary.files, 'file'),
    count(summary.entities, 'entity'),
    count(summary.rules, 'rule'),
    `${summary.exempted} exempted`,
    `${summary.hiddenByBaseline} hidden by baseline`,
  ]
}

/** The summary in one line. Every format that can contain a sentence ends with it. */
export function summaryLine(summary: RunSummary): string {
  const parts = [
    summary.findings === 0
      ? 'no findings'
      : `${count(summary.findings, 'finding')} (${severityCounts(summary.bySeverity)}) in ${count(summary.filesWithFindings, 'file')}`,
    `${count(summary.files, 'file')}, ${count(summary.entities, 'entity')}, ${count(summary.rules, 'rule')} checked`,
    `${summary.exempted} exempted`,
    `${summary.hiddenByBaseline} hidden by baseline`,
  ]
  if (summary.notEvaluated > 0) parts.push(`${summary.notEvaluated} not evaluated`)
  return parts.join('; ')
}

/** A value as JSON on one line, cut to a length for people. */
export function valueText(value: unknown, max = 100): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

/** What was found, if the message does not say it. For alternatives the message says it. */
export function foundText({ actual, failures }: Finding, max?: number): string | null {
  if (failures !== undefined) return null
  return actual === null ? 'nothing' : valueText(actual, max)
}

/** The message of a finding and what was found, for formats of one line. */
export function findingText(finding: Finding): string {
  const found = foundText(finding)
  return found === null ? finding.message : `${finding.message}, found ${found}`
}

/** A file name at the start of a line. GitHub Actions would read `::` there as a workflow command. */
export const startOfLine = (file: string): string => (file.startsWith(':') ? `./${file}` : file)

/** The text of a problem without its position. */
export function problemText({ field, message, fix }: Diagnostic): string {
  return `${field ? `${field}: ` : ''}${message}${fix ? `; ${fix}` : ''}`
}
