/**
 * Compiles one rule: its body as entries, its dates, and every issue it has.
 *
 * INVARIANT: nothing here depends on other rules, except that equal checks and paths are shared through the workshop,
 * and that patterns use the budget of the workshop. The rule object is not read again afterwards.
 */

import { type Report, reporter } from '../errors.js'
import type { Check } from '../operator/check.js'
import { isOperatorName, type OperandProblem, operandReaders, usesValue } from '../operator/operand.js'
import type { JsonValue, OperatorName, Rule, RuleIssue, RuleIssueCode, RuleSource, Target } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { has, isObject, isPresent, type JsonObject, own } from '../value/own.js'
import { presentable, type Sensitivity } from '../value/redact.js'
import { deepFrozen, frozenValue } from './frozen-value.js'
import { misconfiguredMessage, violationMessage } from './message.js'
import { targetOf } from './outline.js'
import type { Workshop } from './workshop.js'

/** One field check of a rule: an entry of `conditions`, or the single check of a rule without conditions. */
export interface Entry {
  /** Null when the entry is misconfigured; `issue` then says why. */
  readonly check: Check | null
  readonly issue: RuleIssueCode | null
  /** `dependsOnRule` of a gated field check, or null. */
  readonly gate: string | null
  readonly field: string
  /** Null when the entry is misconfigured. */
  readonly operator: OperatorName | null
  readonly expected: JsonValue
  readonly message: string
  /** The sensitivity of the value at `field`. */
  readonly sensitivity: Sensitivity
  /** JSON pointer into the rule. */
  readonly pointer: string
}

/** A compiled rule that is not placed among other rules yet. */
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
  /** Epoch milliseconds, both ends inclusive. An end that is open or cannot be parsed is infinite. */
  readonly from: number
  readonly until: number
  readonly any: boolean
  /** `dependsOnRule` of the gates of the whole rule, each with its JSON pointer. */
  readonly gates: readonly { readonly reference: string; readonly pointer: string }[]
  readonly entries: readonly Entry[]
  /** The issue because of which no entry can make this rule hold, or null. */
  readonly fault: RuleIssueCode | null
  readonly issues: readonly RuleIssue[]
  /** The field that the violation shows when the rule is misconfigured. */
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

/** Inactive, deleted and template rules are never evaluated and are counted nowhere. */
export const isLive = (rule: unknown): boolean => {
  if (!isObject(rule)) return true
  const deletedAt = own(rule, 'deletedAt')
  return own(rule, 'isActive') !== false && own(rule, 'isTemplate') !== true && !isPresent(deletedAt)
}

export const compileRule = (rule: Rule, id: string, name: string, workshop: Workshop): CompiledRule => {
  const record: JsonObject = isObject(rule) ? rule : {}
  const issues: RuleIssue[] = []
  const report = reporter(id, name, issues)
  let fault: RuleIssueCode | null = null
  const fail: Report = (pointer, code, message, fix) => {
    fault ??= code
    report(pointer, code, message, fix)
  }

  const body: Body = { gates: [], entries: [] }
  const target = targetOf(record)
  if (isObject(rule)) {
    if (text(own(record, 'name')) === null)
      fail('/name', 'missing_name', 'the rule has no name', 'give the rule a name')
    if (target === null) fail('/target', 'unknown_target', 'the target is unknown', 'give `plugin` or `pipeline`')
    readBody(record, body, workshop, report, fail)
  } else fail('', 'not_an_object', 'the rule is not an object', 'write the rule as an object')

  const field = text(own(record, 'field'))
  const policyIds = stringList(own(record, 'policyIds'))
  const sensitivity = field === null ? 'none' : workshop.sensitivityOf(field)
  return {
    rule,
    id,
    name,
    target,
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

interface Body {
  readonly gates: { reference: string; pointer: string }[]
  readonly entries: Entry[]
}

/** Message and fix for `conditions` that are not a list. */
export const notAList = ['`conditions` is not a list', 'give a list of conditions'] as const

/** Reports that a rule without conditions has no complete check. */
export const reportNoCheck = (report: Report, hasField: boolean, hasOperator: boolean): void => {
  const missing = hasField ? 'operator' : hasOperator ? 'field' : null
  report(
    missing === null ? '' : `/${missing}`,
    'no_check',
    'the rule has no check',
    missing === null ? 'give `field` and `operator`, or `conditions`' : `give \`${missing}\``,
  )
}

/** `conditions` replace the single check. An empty list counts as no conditions (spec compliance 1.1). */
const readBody = (record: JsonObject, body: Body, workshop: Workshop, report: Report, fail: Report): void => {
  const conditions = own(record, 'conditions')
  if (isPresent(conditions) && !Array.isArray(conditions)) {
    fail('/conditions', 'invalid_type', ...notAList)
    return
  }
  if (!Array.isArray(conditions) || conditions.length === 0) {
    const hasField = has(record, 'field')
    const hasOperator = has(record, 'operator')
    if (!hasField || !hasOperator) {
      reportNoCheck(fail, hasField, hasOperator)
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
  const record = isObject(condition) ? condition : {}
  const reference = own(record, 'dependsOnRule')
  const gate = text(reference)
  const hasField = has(record, 'field')
  const hasOperator = has(record, 'operator')
  const refuse = (place: string, message: string, fix: string): void => {
    report(pointer + place, 'invalid_condition', message, fix)
    body.entries.push(brokenEntry(pointer, 'invalid_condition', gate, text(own(record, 'field')) ?? 'unknown'))
  }
  if (record !== condition) refuse('', 'the condition is not an object', 'write the condition as an object')
  else if (isPresent(reference) && gate === null) {
    refuse('/dependsOnRule', 'the gate names no rule', 'give the id or name of a rule')
  } else if (hasField && hasOperator) {
    body.entries.push(readCheck(record, pointer, gate, workshop, report))
  } else if (gate !== null && !hasField && !hasOperator && !has(record, 'value')) {
    body.gates.push({ reference: gate, pointer })
  } else {
    refuse('', 'the condition is neither a check nor a gate', 'give `field` and `operator`, or `dependsOnRule` alone')
  }
}

const readCheck = (
  record: JsonObject,
  pointer: string,
  gate: string | null,
  workshop: Workshop,
  report: Report,
): Entry => {
  const given = own(record, 'field')
  const operator = own(record, 'operator')
  const path = workshop.path(given)
  let issue: RuleIssueCode = 'invalid_condition'
  let isRefused = false
  const refuse = (key: string, { code, message, fix }: OperandProblem): void => {
    report(`${pointer}/${key}`, code, message, fix)
    if (!isRefused) issue = code
    isRefused = true
  }
  if (!path.ok) refuse('field', path.problem)
  if (isOperatorName(operator)) {
    const value = usesValue(operator) ? frozenValue(own(record, 'value')) : null
    const read = value === undefined ? tooDeep : workshop.check(path.ok ? path.path : null, operator, value)
    if (!read.ok) refuse('value', read.problem)
    else if (path.ok) {
      const field = path.path.text
      const sensitivity = workshop.sensitivityOf(field)
      const expected = deepFrozen(presentable(own(record, 'value'), sensitivity, workshop.redact))
      const message = violationMessage(field, operator, expected)
      return { check: read.check, issue: null, gate, field, operator, expected, message, sensitivity, pointer }
    }
  } else {
    const fix = `use one of ${Object.keys(operandReaders).join(', ')}`
    refuse('operator', { code: 'unknown_operator', message: 'the operator is unknown', fix })
  }
  return brokenEntry(pointer, issue, gate, text(given) ?? 'unknown')
}

export const tooDeep = {
  ok: false,
  problem: { code: 'invalid_value', message: 'the value is nested too deeply', fix: 'give a flatter value' },
} as const

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

const string = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const orInfinity = (instant: number, open: number): number => (Number.isNaN(instant) ? open : instant)

const sourceOf = (value: unknown): RuleSource => (value === 'inherited' || value === 'subscribed' ? value : 'own')

/** Most rules belong to no policy. They share this one list. */
const noTexts: readonly string[] = Object.freeze([])

const stringList = (value: unknown): readonly string[] =>
  Array.isArray(value) && value.length > 0 ? Object.freeze(value.filter((entry) => typeof entry === 'string')) : noTexts
