/** Findings of the static analysis with their places in the rule files. */
import type { Finding, LintReport } from '@plumbline/engine/lint'
import { pointerPath } from '../input/located.js'
import type { Position } from '../input/position.js'
import type { LoadedRule } from '../input/rules.js'

export interface Place extends Position {
  readonly file: string
}

export interface LocatedFinding extends Finding {
  readonly place: Place
  /** Whether `--fix` can change the file: there is a fix, and its value is used in one place of the text only. */
  readonly isFixable: boolean
  /** Positions of the other rules of the finding, in their order. */
  readonly related: readonly (Place & { readonly ruleName: string })[]
}

export interface LocatedReport {
  readonly findings: readonly LocatedFinding[]
  readonly summary: LintReport['summary']
  /** Fixes made in this run. */
  readonly fixed: number
}

export function locateFindings(
  report: LintReport,
  rules: readonly LoadedRule[],
  repaired: ReadonlySet<Finding>,
): LocatedFinding[] {
  return report.findings.map((finding) => {
    const [first, ...others] = finding.rules
    return {
      ...finding,
      place: placeOf(first && rules[first.position], finding.pointer),
      isFixable: repaired.has(finding),
      related: others.map(({ name, position }) => ({ ruleName: name, ...placeOf(rules[position], '') })),
    }
  })
}

function placeOf(rule: LoadedRule | undefined, pointer: string): Place {
  if (!rule) return { file: '(rules)', line: 1, column: 1 }
  return { file: rule.file, ...rule.located.positionOf([...rule.at, ...pointerPath(pointer)]) }
}
