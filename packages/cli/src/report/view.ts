/**
 * Limits what people see of a report: findings from a severity on, at most a number of findings, or counts per rule.
 * INVARIANT: this never changes what counts, and the report says at the end what was left out.
 */

import { printable } from '../program/printable.js'
import { type FileResult, type Finding, reachesSeverity } from './finding.js'
import { count, type Reporter } from './reporter.js'

export interface View {
  /** The lowest severity that is shown. */
  readonly only: string | null
  /** How many findings are shown at most. */
  readonly most: number
  readonly byRule: boolean
}

export const isWhole = ({ only, most, byRule }: View): boolean =>
  only === null && most === Number.POSITIVE_INFINITY && !byRule

interface RuleCount {
  readonly severity: string
  readonly name: string
  readonly first: Finding
  readonly files: Set<string>
  findings: number
}

export function viewOf(reporter: Reporter, view: View): Reporter {
  const rules = new Map<string, RuleCount>()
  let shown = 0
  let below = 0
  let beyond = 0
  const isShown = (finding: Finding): boolean => {
    if (finding.suppression !== null) return true
    if (view.only !== null && !reachesSeverity(finding.severity, view.only)) {
      below++
      return false
    }
    if (view.byRule) {
      countIn(rules, finding)
      return false
    }
    if (shown >= view.most) {
      beyond++
      return false
    }
    shown++
    return true
  }
  return {
    begin: (run) => reporter.begin(run),
    file: (result: FileResult) => reporter.file({ ...result, findings: result.findings.filter(isShown) }),
    end(summary) {
      const lines = [...ruleLines(rules, view.most)]
      if (beyond > 0) lines.push(`${count(beyond, 'more finding')} not shown (--max-findings ${view.most})`)
      if (below > 0) lines.push(`${count(below, 'finding')} below ${view.only} not shown (--only ${view.only})`)
      const text = lines.map((line) => `${line}\n`).join('')
      return `${text}${lines.length > 0 ? '\n' : ''}${reporter.end(summary)}`
    },
  }
}

function countIn(rules: Map<string, RuleCount>, finding: Finding): void {
  const key = `${finding.severity} ${finding.ruleName}`
  const known = rules.get(key)
  const { severity, ruleName: name, file } = finding
  const entry = known ?? { severity, name, first: finding, files: new Set<string>(), findings: 0 }
  entry.findings++
  entry.files.add(file)
  rules.set(key, entry)
}

const GRAVEST_FIRST = ['critical', 'error', 'warning']

/** The most severe first, then the most frequent. */
function* ruleLines(rules: ReadonlyMap<string, RuleCount>, most: number): Generator<string> {
  const sorted = [...rules.values()].sort(
    (left, right) =>
      GRAVEST_FIRST.indexOf(left.severity) - GRAVEST_FIRST.indexOf(right.severity) || right.findings - left.findings,
  )
  for (const { severity, name, findings, files, first } of sorted.slice(0, most)) {
    const place = printable(`${first.file}:${first.line}`)
    const where = `${count(files.size, 'file')}, first ${place}`
    yield `${String(findings).padStart(6)}  ${severity.padEnd(8)}  ${printable(name)}  (${where})`
  }
  if (sorted.length > most) yield `${count(sorted.length - most, 'more rule')} not shown (--max-findings ${most})`
}
