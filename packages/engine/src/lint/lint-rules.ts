/**
 * The static analysis of rules: what can be decided about them without an entity.
 *
 * It uses no solver. For each field path it uses domains of intervals, sets, lengths, counts, texts and presence.
 * Source: spec compliance 4.8.
 */

import type { Rule } from '../types.js'
import type { Finding, FindingSeverity, LintSummary } from './finding.js'
import { LintContext, type LintOptions } from './lint-context.js'
import { lintPairs } from './rule-pairs.js'
import { lintSingleRules } from './single-rule.js'
import { lintStructure } from './structure.js'
import { lintValues } from './values.js'

export interface LintReport {
  readonly findings: readonly Finding[]
  readonly summary: LintSummary
}

/**
 * Returns every finding about these rules, in the order of the rules. Within one rule, errors come first.
 *
 * The rules are read as `evaluate` reads them without `now` and without exemptions. A malformed rule does not make it
 * throw: it is reported as a finding.
 *
 * @throws {TypeError} when `rules` is not a list.
 */
export const lintRules = (rules: readonly Rule[], options: LintOptions = {}): readonly Finding[] =>
  lintReport(rules, options).findings

/** Like `lintRules`, and also returns counts: rules, questions, and questions that stayed open. */
export const lintReport = (rules: readonly Rule[], options: LintOptions = {}): LintReport => {
  if (!Array.isArray(rules)) throw new TypeError('rules must be a list')
  const context = new LintContext(rules, options)
  lintStructure(context, rules)
  lintValues(context)
  lintPairs(context, lintSingleRules(context))
  const findings = context.findings.sort(inOrder)
  const bySeverity: { [severity in FindingSeverity]: number } = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) bySeverity[severity] += 1
  return {
    findings,
    summary: {
      rules: context.model.rules.length,
      findings: bySeverity,
      questions: context.questions,
      unknown: context.undecided,
      notReported: context.notReported,
      notCompared: context.notCompared,
    },
  }
}

const weights: { readonly [severity in FindingSeverity]: number } = { error: 0, warning: 1, info: 2 }

const inOrder = (a: Finding, b: Finding): number =>
  (a.rules[0]?.position ?? 0) - (b.rules[0]?.position ?? 0) ||
  weights[a.severity] - weights[b.severity] ||
  compareTexts(a.code, b.code) ||
  compareTexts(a.pointer, b.pointer) ||
  (a.rules[1]?.position ?? 0) - (b.rules[1]?.position ?? 0)

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)
