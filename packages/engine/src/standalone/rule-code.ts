/**
 * Generates the code that decides one rule from the results of its checks: dates, gates, exemption, entries, in the
 * order of spec compliance 4.1.
 *
 * The code of a rule contains only the steps that it can need. A rule with one check and without dates and gates is a
 * single `if`.
 */

import { UNAVAILABLE } from '../compile/arrange.js'
import { misconfiguredMessage } from '../compile/message.js'
import { type Plan, type PlannedEntry, type PlannedRule, UNGATED } from '../compile/plan.js'
import type { Entry } from '../compile/rule.js'
import type { JsonValue, RuleIssueCode } from '../types.js'
import type { Constants } from './constants.js'
import type { Names } from './field-code.js'
import { literal } from './literal.js'

export interface RuleContext {
  readonly plan: Plan
  readonly names: Names
  readonly constants: Constants
  readonly redact: boolean
  /** Positions of rules that another rule depends on. */
  readonly awaited: ReadonlySet<number>
  isImported(check: number): boolean
}

/** Returns an expression that is true when the rule holds, for a plan without gates; null when the rule never holds. */
export function holdsExpression(rule: PlannedRule, names: Names): string | null {
  if (rule.cyclic || rule.fault !== null) return null
  const entries = rule.entries.map((entry) => entryHolds(entry, names))
  return entries.length === 1 ? (entries[0] ?? null) : `(${entries.join(rule.compiled.any ? ' || ' : ' && ')})`
}

/** Returns statements that decide the rule at `position` and record its outcome. */
export function ruleCode(position: number, context: RuleContext): string[] {
  const rule = context.plan.rules[position]
  if (rule === undefined) return []
  const isAwaited = context.awaited.has(position)
  const state = context.names.state(position)
  const reason = skipReason(rule, context.names)
  const id = literal(rule.compiled.id)
  const judged = judge(rule, context, isAwaited ? `${state} = FAILED` : null)
  const lines = isAwaited ? [`${state} = PASSED`] : []
  const exempt = `exemptions !== null && (exemption = exemptions.get(${id})) !== undefined`
  if (reason !== null) {
    lines.push(`reason = ${reason}`, `if (reason !== null) ${skip(rule, 'reason', isAwaited ? state : null)}`)
  }
  lines.push(
    `${reason === null ? '' : 'else '}if (${exempt}) { out.exemptionsApplied.push(exemption); ${skip(rule, '"exempt"', null)} }`,
  )
  if (judged !== null) lines.push(`else ${judged}`)
  return lines
}

function skip(rule: PlannedRule, reason: string, state: string | null): string {
  const { id, name } = rule.compiled
  const entry = `{ruleId:${literal(id)},ruleName:${literal(name)},reason:${reason}}`
  const issues = rule.issueCount > 0 ? `out.issues -= ${rule.issueCount}; ` : ''
  const states = state === null ? '' : `${state} = stateOfSkipped(${reason}); `
  return `{ ${issues}${states}out.skipped.push(${entry}) }`
}

/** Returns an expression for why dates or gates skip the rule; null when neither can. */
function skipReason(rule: PlannedRule, names: Names): string | null {
  const { from, until } = rule.compiled
  const bounds: string[] = []
  if (from !== Number.NEGATIVE_INFINITY) bounds.push(`now < ${literal(from)}`)
  if (until !== Number.POSITIVE_INFINITY) bounds.push(`now > ${literal(until)}`)
  const gates = rule.cyclic ? [] : gateReasons(rule, names)
  const gated = gates.length === 0 ? 'null' : gates.join(' ?? ')
  if (bounds.length === 0) return gates.length === 0 ? null : gated
  return `${bounds.join(' || ')} ? "not_effective" : ${gated}`
}

function gateReasons(rule: PlannedRule, names: Names): string[] {
  const reasons = rule.gates.map(({ position }) => closed(position, names))
  const leftOut = rule.entries.map(({ gate }) => closed(gate, names))
  const [first] = leftOut
  // When closed gates leave out every check, the first closed gate gives the reason.
  if (first !== undefined && rule.entries.every(({ gate }) => gate !== UNGATED)) {
    reasons.push(
      leftOut.length === 1 ? first : `(${leftOut.map((each) => `${each} !== null`).join(' && ')} ? ${first} : null)`,
    )
  }
  return reasons
}

function closed(gate: number, names: Names): string {
  return gate === UNAVAILABLE ? '"dependency_unavailable"' : `closedReason(${names.state(gate)})`
}

/** Returns a statement that appends the violation, if there is one; null for a rule that always holds. */
function judge(rule: PlannedRule, context: RuleContext, failed: string | null): string | null {
  const { compiled } = rule
  const always: RuleIssueCode | null = rule.cyclic ? 'dependency_cycle' : rule.fault
  const mark = failed === null ? '' : `${failed}; `
  if (always !== null) return `{ ${mark}${append(rule, misconfigured(rule, always, compiled.field, context))} }`
  const { names } = context
  const failing = rule.entries
    .map((entry) => ({
      when: compiled.any ? isOpen(entry, names) : not(entryHoldsOpen(entry, names)),
      statement: `{ ${mark}${append(rule, entryViolation(rule, entry, context))}${countFault(entry, context)} }`,
    }))
    .filter(({ when }) => when !== 'false')
  const sure = failing.findIndex(({ when }) => when === 'true')
  const first = (sure < 0 ? failing : failing.slice(0, sure + 1))
    .map(({ when, statement }) => (when === 'true' ? statement : `if (${when}) ${statement}`))
    .join(' else ')
  if (first === '') return null
  if (!compiled.any) return first
  const holds = rule.entries.map((entry) => conjunction([isOpen(entry, names), entryHolds(entry, names)]))
  const anyHolds = holds.filter((each) => each !== 'false')
  return anyHolds.length === 0 ? first : `if (!(${anyHolds.join(' || ')})) { ${first} }`
}

/** A failure of the imported engine counts as one more issue of the evaluation. */
function countFault({ entry }: PlannedEntry, { names, isImported }: RuleContext): string {
  if (entry.check === null || !isImported(entry.check.index)) return ''
  return `; if (${names.check(entry.check.index)} === null) out.issues += 1`
}

function isOpen({ gate }: PlannedEntry, names: Names): string {
  return gate === UNGATED ? 'true' : gate === UNAVAILABLE ? 'false' : `closedReason(${names.state(gate)}) === null`
}

function entryHolds({ entry, issue }: PlannedEntry, names: Names): string {
  return issue !== null || entry.check === null ? 'false' : names.check(entry.check.index)
}

/** A closed gate leaves the entry out. In mode `all` that is the same as an entry that holds. */
function entryHoldsOpen(entry: PlannedEntry, names: Names): string {
  const open = isOpen(entry, names)
  const holds = entryHolds(entry, names)
  if (open === 'true') return holds
  return open === 'false' ? 'true' : `(!(${open}) || ${holds})`
}

function not(expression: string): string {
  return expression === 'true' ? 'false' : expression === 'false' ? 'true' : `!${expression}`
}

function conjunction(parts: readonly string[]): string {
  if (parts.includes('false')) return 'false'
  const open = parts.filter((part) => part !== 'true')
  return open.length === 0 ? 'true' : `(${open.join(' && ')})`
}

function append(rule: PlannedRule, violation: string): string {
  return rule.compiled.severity === 'warning'
    ? `out.warnings.push(violation = ${violation}), out.violations.push(violation)`
    : `out.violations.push(${violation})`
}

function entryViolation(rule: PlannedRule, planned: PlannedEntry, context: RuleContext): string {
  const { entry, issue } = planned
  if (issue !== null || entry.check === null)
    return misconfigured(rule, issue ?? 'invalid_condition', entry.field, context)
  const { index } = entry.check
  const first = violation(rule, context, {
    field: entry.field,
    operator: entry.operator,
    expected: entry.expected,
    actual: actual(entry, index, context),
    message: entry.message,
    issue: null,
  })
  const hasAlternatives = rule.compiled.any && rule.entries.length > 1
  const failed = hasAlternatives ? `withAlternatives(${first}, [${alternatives(rule, context)}])` : first
  if (!context.isImported(index)) return failed
  return `${context.names.check(index)} === null ? ${misconfigured(rule, 'regex_engine', entry.field, context)} : ${failed}`
}

/** Returns an expression for what is shown of the value that an entry's check reads. */
function actual({ sensitivity }: Entry, check: number, { names, plan, redact }: RuleContext): string {
  const value = names.value(plan.slotOf[check] ?? -1)
  const shown = `show(${value}, ${literal(sensitivity)}, ${redact})`
  const isPlain = !redact || sensitivity === 'none'
  return isPlain ? `typeof ${value} === 'string' && ${value}.length <= LONGEST_SHOWN ? ${value} : ${shown}` : shown
}

/**
 * Returns expressions for the failed entries, when it is known that no entry holds; null for entries that are left out.
 */
function alternatives(rule: PlannedRule, context: RuleContext): string {
  return rule.entries
    .flatMap((planned) => {
      const { entry, issue } = planned
      const open = isOpen(planned, context.names)
      if (issue !== null || entry.check === null || open === 'false') return []
      const { index } = entry.check
      const parts = [
        `field:${literal(entry.field)}`,
        `operator:${literal(entry.operator)}`,
        `expected:${context.constants.named('V', `frozen(${literal(entry.expected)})`)}`,
        `actual:${actual(entry, index, context)}`,
        `message:${literal(entry.message)}`,
      ]
      const when = conjunction([open, context.isImported(index) ? `${context.names.check(index)} !== null` : 'true'])
      const failure = `{${parts.join(',')}}`
      return [when === 'true' ? failure : `${when} ? ${failure} : null`]
    })
    .join(', ')
}

function misconfigured(rule: PlannedRule, issue: RuleIssueCode, field: string, context: RuleContext): string {
  const { operator, expected } = rule.compiled
  const message = misconfiguredMessage(issue)
  return violation(rule, context, {
    field,
    operator,
    expected,
    actual: 'null',
    message,
    issue,
  })
}

interface ViolationParts {
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
  /** An expression for what is shown of the value that was found. */
  readonly actual: string
  readonly message: string
  readonly issue: RuleIssueCode | null
}

/** Returns an expression for a violation, from a template of everything except the value that was found. */
function violation({ compiled }: PlannedRule, { constants }: RuleContext, parts: ViolationParts): string {
  const members = [
    `ruleId:${literal(compiled.id)}`,
    `ruleName:${literal(compiled.name)}`,
    `description:${literal(compiled.description)}`,
    `policyId:${literal(compiled.policyId)}`,
    `policyIds:${constants.named('I', `Object.freeze(${literal([...compiled.policyIds])})`)}`,
    `field:${literal(parts.field)}`,
    `operator:${literal(parts.operator)}`,
    // Frozen, because results share it: a caller that writes to one result must not change another.
    `expectedValue:frozen(${literal(parts.expected)})`,
    `severity:${literal(compiled.severity)}`,
    `message:${literal(parts.message)}`,
    `source:${literal(compiled.source)}`,
    `suppressNotification:${compiled.suppressNotification}`,
    `issue:${literal(parts.issue)}`,
  ]
  return `violationOf(${constants.named('T', `{${members.join(',')}}`)}, ${parts.actual})`
}
