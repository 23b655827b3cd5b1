/** Renders an explanation as text: one line for each rule, with its gates and conditions indented below. */
import type { ConditionInspection, GateInspection, Inspection, RuleInspection } from '../evaluate/inspect.js'
import type { JsonValue, SkipReason } from '../types.js'

export interface RenderOptions {
  /** Ids of the rules to show; all rules by default. */
  readonly only?: Iterable<string>
  /** Leaves out rules that passed; false by default. */
  readonly hidePassed?: boolean
  /** Ids of the rules that are left out because the plugin has no built image yet (`rulesInForce`). */
  readonly waiting?: Iterable<string>
}

/** Returns the explanation as text. It ends with a summary line, without a line break at the end. */
export const renderExplanation = (explanation: Inspection, options: RenderOptions = {}): string => {
  const wanted = options.only === undefined ? null : new Set(options.only)
  const waiting = new Set(options.waiting)
  const lines: string[] = []
  for (const rule of explanation.rules) {
    if (wanted !== null && !wanted.has(rule.ruleId)) continue
    if (options.hidePassed === true && rule.outcome === 'passed') continue
    lines.push(...ruleLines(rule, waiting.has(rule.ruleId)))
  }
  lines.push(summary(explanation))
  return lines.join('\n')
}

const marks = { passed: '✓', failed: '✗', misconfigured: '!', skipped: '-' } as const

const reasons: { readonly [reason in SkipReason]: string } = {
  not_effective: 'it is not in force at this time',
  dependency_failed: 'a rule it depends on failed',
  dependency_skipped: 'a rule it depends on was skipped',
  dependency_unavailable: 'a rule it depends on is not available',
  exempt: 'an exemption waives it',
}

const ruleLines = (rule: RuleInspection, isWaiting: boolean): string[] => {
  const said = isWaiting ? 'skipped: it needs a built image' : headline(rule)
  const head = `${marks[rule.outcome]} ${rule.ruleName} [${rule.severity}] ${said}`
  const several = rule.conditions.length > 1
  return [
    head,
    ...rule.gates.map((gate) => `    ${gateText(gate)}`),
    ...(several ? [`    ${rule.mode} of`] : []),
    ...rule.conditions.map((condition) => `    ${several ? '  ' : ''}${conditionText(condition)}`),
  ]
}

const headline = (rule: RuleInspection): string => {
  if (rule.reason === 'exempt') return `skipped: ${reasons.exempt} (${rule.exemptionId})`
  if (rule.reason !== null) return `skipped: ${reasons[rule.reason]}`
  if (rule.outcome === 'passed') return 'passed'
  if (rule.violation?.issue) return `cannot be evaluated: ${rule.violation.issue}`
  // For a rule with alternatives, the message says more than the list of conditions below it.
  return rule.violation?.failures === undefined ? 'failed' : `failed: ${rule.violation.message}`
}

const gateText = (gate: GateInspection): string =>
  `gate ${gate.open ? 'open' : 'closed'}: ${gate.dependsOnRule} ${gate.state}`

const conditionMarks = { holds: '✓', fails: '✗', misconfigured: '!', left_out: '-' } as const

const conditionText = (condition: ConditionInspection): string => {
  const mark = conditionMarks[condition.outcome]
  const gate = condition.gate === null ? '' : ` (${gateText(condition.gate)})`
  switch (condition.outcome) {
    case 'left_out':
      return `${mark} ${condition.message}: left out${gate}`
    case 'misconfigured':
      return `${mark} ${condition.field}: ${condition.issue}${gate}`
    default:
      return `${mark} ${condition.message}: found ${foundText(condition.actual)}${gate}`
  }
}

/** Absent and null are the same. */
const foundText = (actual: JsonValue): string => (actual === null ? 'nothing' : JSON.stringify(actual))

const summary = ({ evaluation }: Inspection): string => {
  const { violations, warnings, rulesEvaluated, rulesSkipped } = evaluation
  const verdict = evaluation.blocked ? 'blocked' : evaluation.passed ? 'passed' : 'passed with warnings'
  return `${verdict}: ${rulesEvaluated} evaluated, ${rulesSkipped} skipped, ${violations.length - warnings.length} blocking, ${warnings.length} warnings`
}
