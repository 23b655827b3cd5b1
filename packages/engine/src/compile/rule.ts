/**
 * One rule, read once: its body as entries, its dates, and everything that is wrong with it.
 *
 * INVARIANT: nothing here depends on other rules, except that equal checks and paths are shared through the workshop
 * and that patterns draw on its budget. Nothing of the rule is read again after this.
 */

import type { Check } from '../operator/check.js'
import { isOperatorName, operandReaders, usesValue } from '../operator/operand.js'
import type { JsonValue, OperatorName, Rule, RuleIssue, RuleIssueCode, RuleSource, Target } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { isObject, type JsonObject, own } from '../value/own.js'
import { presentable, type Sensitivity } from '../value/redact.js'
import { deepFrozen, frozenValue } from './frozen-value.js'
import { misconfiguredMessage, violationMessage } from './message.js'
import type { Workshop } from './workshop.js'

/** The check of one field, or of the whole rule when it has no conditions. */
export interface Entry {
  /** Null when the entry is misconfigured; then `issue` says why. */
  readonly check: Check | null
  readonly issue: RuleIssueCode | null
  /** `dependsOnRule` of a gated check. */
  readonly gate: string | null
  readonly field: string
  /** Null when the entry is misconfigured. */
  readonly operator: OperatorName | null
  readonly expected: JsonValue
  readonly message: string
  /** Of the value found at `field`. */
  readonly sensitivity: Sensitivity
  /** JSON pointer into the rule. */
  readonly pointer: string
}

/** A rule ready to be placed among others. */
export interface CompiledRule {
  readonly rule: Rule
  readonly id: string
  readonly name: string
  readonly target: Target | null
  readonly description: string | null
  readonly policyId: string | null
  readonly policyIds: readonly string[]
  readonly severity: string
  readonly source: RuleSource
  readonly suppressNotification: boolean
  /** Epoch milliseconds, both inclusive; infinite when open or unreadable. */
  readonly from: number
  readonly until: number
  readonly any: boolean
  /** `dependsOnRule` of the gates of the whole rule, with their pointers. */
  readonly gates: readonly { readonly reference: string; readonly pointer: string }[]
  readonly entries: readonly Entry[]
  /** Why no entry could make this rule hold. */
  readonly fault: RuleIssueCode | null
  readonly issues: readonly RuleIssue[]
  /** What a misconfigured violation shows. */
  readonly field: string
  readonly operator: string | null
  readonly expected: JsonValue
}

export const ruleIdentity = (rule: unknown, position: number): { id: string; name: string } => {
  const record = isObject(rule) ? rule : {}
  const name = text(own(record, 'name'))
  const id = text(own(record, 'id')) ?? name ?? `#${position}`
  return { id, name: name ?? id }
}

/** Inactive, deleted and template rules are never evaluated and appear in no count. */
export const isLive = (rule: unknown): boolean => {
  if (!isObject(rule)) return true
  const deletedAt = own(rule, 'deletedAt')
  return (
    own(rule, 'isActive') !== false &&
    own(rule, 'isTemplate') !== true &&
    (deletedAt === undefined || deletedAt === null)
  )
}

export const compileRule = (rule: Rule, id: string, name: string, workshop: Workshop): CompiledRule => {
  const record: JsonObject = isObject(rule) ? rule : {}
  const issues: RuleIssue[] = []
  const report: Report = (pointer, code, message, fix) => {
    issues.push({ ruleId: id, ruleName: name, pointer, code, message, fix })
  }
  let fault: RuleIssueCode | null = null
  const fail: Report = (pointer, code, message, fix) => {
    fault ??= code
    report(pointer, code, message, fix)
  }

  const body: Body = { gates: [], entries: [] }
  const target = own(record, 'target')
  if (isObject(rule)) {
    if (text(own(record, 'name')) === null)
      fail('/name', 'missing_name', 'the rule has no name', 'give the rule a name')
    if (target !== 'plugin' && target !== 'pipeline') {
      fail('/target', 'unknown_target', 'the target is unknown', 'use `plugin` or `pipeline`')
    }
    readBody(record, body, workshop, report, fail)
  } else fail('', 'not_an_object', 'the rule is no object', 'write the rule as an object')

  const field = text(own(record, 'field'))
  const policyIds = stringList(own(record, 'policyIds'))
  const sensitivity = field === null ? 'none' : workshop.sensitivityOf(field)
  return {
    rule,
    id,
    name,
    target: target === 'plugin' || target === 'pipeline' ? target : null,
    description: string(own(record, 'description')),
    policyId: string(own(record, 'policyId')) ?? policyIds[0] ?? null,
    policyIds,
    severity: string(own(record, 'severity')) ?? 'error',
    source: sourceOf(own(record, 'source')),
    suppressNotification: own(record, 'suppressNotification') === true,
    from: orInfinity(parseInstant(own(record, 'effectiveFrom')), -Infinity),
    until: orInfinity(parseInstant(own(record, 'effectiveUntil')), Infinity),
    any: own(record, 'conditionMode') === 'any',
    gates: body.gates,
    entries: body.entries,
    fault,
    issues,
    field: field ?? 'unknown',
    operator: text(own(record, 'operator')),
    expected: deepFrozen(presentable(own(record, 'value'), sensitivity, workshop.redact)),
  }
}

type Report = (pointer: string, code: RuleIssueCode, message: string, fix: string) => void

interface Body {
  readonly gates: { reference: string; pointer: string }[]
  readonly entries: Entry[]
}

/** Conditions win over the single check; an empty list is the same as none (compliance decisions 1.1). */
const readBody = (record: JsonObject, body: Body, workshop: Workshop, report: Report, fail: Report): void => {
  const conditions = own(record, 'conditions')
  if (conditions !== undefined && conditions !== null && !Array.isArray(conditions)) {
    fail('/conditions', 'invalid_type', 'the conditions are no list', 'write the conditions as a list')
    return
  }
  if (!Array.isArray(conditions) || conditions.length === 0) {
    const hasField = present(own(record, 'field'))
    const hasOperator = present(own(record, 'operator'))
    if (!hasField || !hasOperator) {
      const missing = hasField ? 'operator' : hasOperator ? 'field' : null
      fail(
        missing === null ? '' : `/${missing}`,
        'no_check',
        'the rule has no check',
        missing === null ? 'give `field` and `operator`, or `conditions`' : `give \`${missing}\``,
      )
      return
    }
    body.entries.push(readCheck(record, '', null, workshop, report))
    return
  }
  for (let position = 0; position < conditions.length; position++) {
    readCondition(conditions[position], `/conditions/${position}`, body, workshop, report)
  }
  if (body.entries.length === 0) {
    fail('/conditions', 'no_live_check', 'no condition checks a field', 'add a condition with `field` and `operator`')
  }
}

const readCondition = (condition: unknown, pointer: string, body: Body, workshop: Workshop, report: Report): void => {
  if (!isObject(condition)) {
    report(pointer, 'invalid_condition', 'the condition is no object', 'write the condition as an object')
    body.entries.push(brokenEntry(pointer, 'invalid_condition', null, 'unknown'))
    return
  }
  const reference = own(condition, 'dependsOnRule')
  const gate = typeof reference === 'string' && reference !== '' ? reference : null
  const hasField = present(own(condition, 'field'))
  const hasOperator = present(own(condition, 'operator'))
  if (present(reference) && gate === null) {
    report(`${pointer}/dependsOnRule`, 'invalid_condition', 'the gate names no rule', 'give the id or name of a rule')
    body.entries.push(brokenEntry(pointer, 'invalid_condition', null, text(own(condition, 'field')) ?? 'unknown'))
  } else if (hasField && hasOperator) {
    body.entries.push(readCheck(condition, pointer, gate, workshop, report))
  } else if (gate !== null && !hasField && !hasOperator && !present(own(condition, 'value'))) {
    body.gates.push({ reference: gate, pointer })
  } else {
    report(
      pointer,
      'invalid_condition',
      'the condition is neither a check nor a gate',
      'give `field` and `operator`, or `dependsOnRule` alone',
    )
    body.entries.push(brokenEntry(pointer, 'invalid_condition', gate, text(own(condition, 'field')) ?? 'unknown'))
  }
}

const readCheck = (
  record: JsonObject,
  pointer: string,
  gate: string | null,
  workshop: Workshop,
  report: Report,
): Entry => {
  const field = own(record, 'field')
  const operator = own(record, 'operator')
  const path = workshop.path(field)
  const shownField = typeof field === 'string' && field !== '' ? field : 'unknown'
  let issue: RuleIssueCode | null = null
  if (!path.ok) {
    issue = path.problem.code
    report(`${pointer}/field`, path.problem.code, path.problem.message, path.problem.fix)
  }
  if (!isOperatorName(operator)) {
    report(
      `${pointer}/operator`,
      'unknown_operator',
      'the operator is unknown',
      `use one of ${Object.keys(operandReaders).join(', ')}`,
    )
    return brokenEntry(pointer, issue ?? 'unknown_operator', gate, shownField)
  }
  const value = usesValue(operator) ? frozenValue(own(record, 'value')) : null
  if (value === undefined) {
    report(`${pointer}/value`, 'invalid_value', 'the value is nested too deeply', 'give a flatter value')
    return brokenEntry(pointer, issue ?? 'invalid_value', gate, shownField)
  }
  const check = workshop.check(path.ok ? path.path : null, operator, value)
  if (!check.ok) {
    report(`${pointer}/value`, check.problem.code, check.problem.message, check.problem.fix)
    return brokenEntry(pointer, issue ?? check.problem.code, gate, shownField)
  }
  if (!path.ok) return brokenEntry(pointer, path.problem.code, gate, shownField)
  const sensitivity = workshop.sensitivityOf(path.path.text)
  const expected = deepFrozen(presentable(own(record, 'value'), sensitivity, workshop.redact))
  return {
    check: check.check,
    issue: null,
    gate,
    field: path.path.text,
    operator,
    expected,
    message: violationMessage(path.path.text, operator, expected),
    sensitivity,
    pointer,
  }
}

const brokenEntry = (pointer: string, issue: RuleIssueCode, gate: string | null, field: string): Entry => ({
  check: null,
  issue,
  gate,
  field,
  operator: null,
  expected: null,
  message: misconfiguredMessage(issue),
  sensitivity: 'none',
  pointer,
})

/** Null and missing are the same thing (compliance decisions P2). */
const present = (value: unknown): boolean => value !== undefined && value !== null

const string = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const orInfinity = (instant: number, open: number): number => (Number.isNaN(instant) ? open : instant)

const sourceOf = (value: unknown): RuleSource => (value === 'inherited' || value === 'subscribed' ? value : 'own')

/** Most rules are in no policy: they share one list. */
const noTexts: readonly string[] = Object.freeze([])

const stringList = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.length > 0 ? Object.freeze(value.filter((entry) => typeof entry === 'string')) : noTexts
