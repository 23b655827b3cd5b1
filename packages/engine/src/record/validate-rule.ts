/**
 * What an author is told: every problem of a rule at once, each with place, code and fix.
 *
 * INVARIANT: a rule without issues is evaluable and never misconfigured (compliance decisions P7); what depends on other
 * rules is checked by `normaliseRule` with the rules in scope.
 */
import { frozenValue } from '../compile/frozen-value.js'
import { ruleIdentity } from '../compile/rule.js'
import { Workshop } from '../compile/workshop.js'
import { authoringProblem } from '../operator/authoring.js'
import { isOperatorName, operandReaders } from '../operator/operand.js'
import { createSafeRegex } from '../regex/index.js'
import type { CompileOptions, JsonValue, OperatorName, RuleIssue, RuleIssueCode } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { utf8Length } from '../value/json-bytes.js'
import { isObject, type JsonObject, own } from '../value/own.js'
import { nearestWord } from './nearest-word.js'
import { pointerTo } from './pointer.js'
import { conditionFields, type FieldShape, MAX_VALUE_BYTES, ruleFields } from './rule-fields.js'

export type ValidateOptions = Pick<CompileOptions, 'limits' | 'regex'>

/** Takes anything and never throws; an empty list is acceptance. */
export const validateRule = (input: unknown, options: ValidateOptions = {}): RuleIssue[] => {
  const validation = new Validation(input, options)
  if (isObject(input)) validation.rule(input)
  else validation.report('', 'not_an_object', 'the rule is no object', 'write the rule as an object')
  return validation.issues
}

/** Unknown keys for which a known one is suggested; a rule with more is no typing mistake. */
const MAX_SUGGESTIONS = 10

class Validation {
  #suggestions = 0
  readonly issues: RuleIssue[] = []
  readonly #ruleId: string | null
  readonly #ruleName: string | null
  readonly #workshop: Workshop

  constructor(input: unknown, options: ValidateOptions) {
    const hasIdentity = isObject(input) && (own(input, 'id') !== undefined || own(input, 'name') !== undefined)
    const identity = ruleIdentity(input, 0)
    this.#ruleId = hasIdentity ? identity.id : null
    this.#ruleName = hasIdentity ? identity.name : null
    this.#workshop = new Workshop(options, options.regex ?? createSafeRegex())
  }

  report(pointer: string, code: RuleIssueCode, message: string, fix: string): void {
    this.issues.push({ ruleId: this.#ruleId, ruleName: this.#ruleName, pointer, code, message, fix })
  }

  rule(record: JsonObject): void {
    this.#keys(record, '', ruleFields)
    this.#required(record)
    for (const key of Object.keys(ruleFields)) this.#field(record, '', key, ruleFields)
    this.#body(record)
    this.#dates(record)
    this.#scope(record)
  }

  #keys(record: JsonObject, pointer: string, fields: object): void {
    for (const key of Object.keys(record)) {
      if (Object.hasOwn(fields, key)) continue
      this.#suggestions += 1
      const near = this.#suggestions > MAX_SUGGESTIONS ? null : nearestWord(key, Object.keys(fields))
      this.report(
        pointerTo(pointer, key),
        'unknown_key',
        `\`${key}\` is not known`,
        near === null ? 'remove it' : `remove it, or did you mean \`${near}\``,
      )
    }
  }

  #required(record: JsonObject): void {
    const name = own(record, 'name')
    if (name === undefined || name === null) {
      this.report('/name', 'missing_name', 'the rule has no name', 'give the rule a name')
    }
    const target = own(record, 'target')
    if (target === undefined || target === null) {
      this.report('/target', 'unknown_target', 'the rule has no target', 'give `plugin` or `pipeline`')
    }
  }

  #field(record: JsonObject, pointer: string, key: string, fields: { readonly [key: string]: FieldShape }): void {
    const shape = fields[key]
    const value = own(record, key)
    if (shape === undefined || value === undefined) return
    const at = pointerTo(pointer, key)
    if (value === null) {
      const reported = key === 'name' || key === 'target'
      if (shape.nullable === undefined && !reported) {
        this.report(at, 'invalid_type', `\`${key}\` cannot be null`, `leave \`${key}\` out or give a value`)
      }
      return
    }
    this.#shape(shape, key, value, at)
  }

  #shape(shape: FieldShape, key: string, value: unknown, at: string): void {
    switch (shape.kind) {
      case 'text':
        this.#text(value, key, at, shape.max, shape.trim === true)
        return
      case 'integer':
        this.#integer(value, key, at, shape.min, shape.max)
        return
      case 'flag':
        if (typeof value !== 'boolean') {
          this.report(at, 'invalid_type', `\`${key}\` is no boolean`, 'give true or false')
        }
        return
      case 'choice':
        if (!shape.of.includes(value as string)) {
          this.report(at, shape.code, `\`${key}\` is not one of its values`, `give ${shape.of.join(' or ')}`)
        }
        return
      case 'texts':
        this.#texts(value, key, at, shape.maxItems, shape.max)
        return
      case 'instant':
        if (Number.isNaN(parseInstant(value))) {
          this.report(
            at,
            'invalid_date',
            `\`${key}\` is no instant`,
            'give ISO 8601 with Z or an offset, for example 2026-01-31T00:00:00Z',
          )
        }
        return
      default:
    }
  }

  #text(value: unknown, key: string, at: string, max: number, trim: boolean): void {
    if (typeof value !== 'string') {
      this.report(at, 'invalid_type', `\`${key}\` is no text`, 'give a text')
      return
    }
    const text = trim ? value.trim() : value
    if (text === '' && key === 'name') this.report(at, 'missing_name', 'the name is empty', 'give the rule a name')
    else if (text === '' && key !== 'description')
      this.report(at, 'invalid_value', `\`${key}\` is empty`, 'give a text')
    if (text.length > max) {
      this.report(at, 'too_long', `\`${key}\` has ${text.length} characters`, `use at most ${max}`)
    }
  }

  #integer(value: unknown, key: string, at: string, min: number, max: number): void {
    if (!Number.isInteger(value)) this.report(at, 'invalid_type', `\`${key}\` is no integer`, 'give a whole number')
    else if ((value as number) < min || (value as number) > max) {
      this.report(at, 'out_of_range', `\`${key}\` is out of range`, `give ${min} to ${max}`)
    }
  }

  #texts(value: unknown, key: string, at: string, maxItems: number, max: number): void {
    if (!Array.isArray(value)) {
      this.report(at, 'invalid_type', `\`${key}\` is no list`, 'give a list of texts')
      return
    }
    if (value.length > maxItems) {
      this.report(at, 'too_many', `\`${key}\` has ${value.length} entries`, `use at most ${maxItems}`)
    }
    for (let index = 0; index < Math.min(value.length, maxItems); index++) {
      this.#text(value[index], `${key}[${index}]`, pointerTo(at, String(index)), max, false)
    }
  }

  /** Conditions win over the single check, which is still checked when it is complete. */
  #body(record: JsonObject): void {
    const conditions = own(record, 'conditions')
    const hasConditions = Array.isArray(conditions) && conditions.length > 0
    const hasField = isPresent(own(record, 'field'))
    const hasOperator = isPresent(own(record, 'operator'))
    if (isPresent(conditions) && !Array.isArray(conditions)) {
      this.report('/conditions', 'invalid_type', '`conditions` is no list', 'give a list of conditions')
    }
    if (hasField || hasOperator) {
      if (hasField) this.#path(own(record, 'field'), '/field')
      if (hasOperator) this.#check(record, '')
      if (!hasConditions && !hasOperator) {
        this.report('/operator', 'no_check', 'the rule has a field and no operator', 'give `operator`')
      }
      if (!hasConditions && !hasField) {
        this.report('/field', 'no_check', 'the rule has an operator and no field', 'give `field`')
      }
    } else if (!hasConditions && !(isPresent(conditions) && !Array.isArray(conditions))) {
      this.report('', 'no_check', 'the rule has no check', 'give `field` and `operator`, or `conditions`')
    }
    if (hasConditions) this.#conditions(conditions, record)
  }

  #conditions(conditions: readonly unknown[], record: JsonObject): void {
    const { maxItems } = ruleFields.conditions
    if (conditions.length > maxItems) {
      this.report(
        '/conditions',
        'too_many',
        `the rule has ${conditions.length} conditions`,
        `use at most ${maxItems}, or split the rule`,
      )
    }
    let checks = 0
    for (let index = 0; index < Math.min(conditions.length, maxItems); index++) {
      const pointer = `/conditions/${index}`
      const condition = conditions[index]
      if (!isObject(condition)) {
        this.report(pointer, 'invalid_condition', 'the condition is no object', 'write the condition as an object')
        checks += 1
      } else if (this.#condition(condition, pointer, record)) checks += 1
    }
    if (checks === 0 && conditions.length <= maxItems) {
      this.report(
        '/conditions',
        'no_live_check',
        'no condition checks a field',
        'add a condition with `field` and `operator`',
      )
    }
  }

  /** Whether the condition is, or was meant as, a check. */
  #condition(condition: JsonObject, pointer: string, rule: JsonObject): boolean {
    this.#keys(condition, pointer, conditionFields)
    this.#field(condition, pointer, 'dependsOnRule', conditionFields)
    const reference = own(condition, 'dependsOnRule')
    const hasField = isPresent(own(condition, 'field'))
    const hasOperator = isPresent(own(condition, 'operator'))
    if (isPresent(reference) && (reference === own(rule, 'id') || reference === own(rule, 'name'))) {
      this.report(`${pointer}/dependsOnRule`, 'dependency_cycle', 'the rule depends on itself', 'name another rule')
    }
    if (hasField) this.#path(own(condition, 'field'), `${pointer}/field`)
    if (hasOperator) this.#check(condition, pointer)
    const isGate = isPresent(reference) && !hasField && !hasOperator && !isPresent(own(condition, 'value'))
    if (!isGate && !(hasField && hasOperator)) {
      this.report(
        pointer,
        'invalid_condition',
        'the condition is neither a check nor a gate',
        'give `field` and `operator`, or `dependsOnRule` alone',
      )
    }
    return !isGate
  }

  #path(field: unknown, at: string): void {
    const parsed = this.#workshop.path(field)
    if (!parsed.ok) this.report(at, parsed.problem.code, parsed.problem.message, parsed.problem.fix)
  }

  #check(record: JsonObject, pointer: string): void {
    const operator = own(record, 'operator')
    if (!isOperatorName(operator)) {
      const names = Object.keys(operandReaders)
      const near = typeof operator === 'string' ? nearestWord(operator, names) : null
      this.report(
        `${pointer}/operator`,
        'unknown_operator',
        'the operator is unknown',
        near === null ? `use one of ${names.join(', ')}` : `did you mean \`${near}\``,
      )
      return
    }
    this.#value(operator, own(record, 'value'), `${pointer}/value`)
  }

  #value(operator: OperatorName, given: unknown, at: string): void {
    const value: JsonValue | undefined = given === undefined ? undefined : frozenValue(given)
    if (given !== undefined && value === undefined) {
      this.report(at, 'invalid_value', 'the value is nested too deeply', 'give a flatter value')
      return
    }
    if (value !== undefined && utf8Length(JSON.stringify(value)) > MAX_VALUE_BYTES) {
      this.report(at, 'too_long', 'the value is too large', `use at most ${MAX_VALUE_BYTES} bytes of JSON`)
      return
    }
    const problem = authoringProblem(operator, value)
    if (problem !== null) {
      this.report(at, problem.code, problem.message, problem.fix)
      return
    }
    const read = operandReaders[operator](value ?? null, this.#workshop)
    if (!read.ok) this.report(at, read.problem.code, read.problem.message, read.problem.fix)
  }

  #dates(record: JsonObject): void {
    const from = parseInstant(own(record, 'effectiveFrom'))
    const until = parseInstant(own(record, 'effectiveUntil'))
    if (from > until) {
      this.report('/effectiveUntil', 'date_order', 'the rule ends before it begins', 'give a later `effectiveUntil`')
    }
  }

  #scope(record: JsonObject): void {
    if (own(record, 'scope') !== 'published') return
    for (const key of ['propagateToChildren', 'isTemplate']) {
      if (own(record, key) !== true) continue
      this.report(
        `/${key}`,
        'not_allowed',
        `a published rule cannot ${key === 'isTemplate' ? 'be a template' : 'propagate'}`,
        `remove \`${key}\`, or use scope \`org\``,
      )
    }
  }
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null
