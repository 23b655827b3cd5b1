/**
 * Validates a rule for its author: reports every problem at once, each with its place, code and fix.
 *
 * INVARIANT: a rule without issues can be evaluated and is never misconfigured (spec compliance 1). What depends on
 * other rules is checked by `normaliseRule`, which has the rules in scope.
 */
import { frozenValue } from '../compile/frozen-value.js'
import { notAList, reportNoCheck, ruleIdentity, tooDeep } from '../compile/rule.js'
import { Workshop } from '../compile/workshop.js'
import { type Report, reporter } from '../errors.js'
import { authoringProblem } from '../operator/authoring.js'
import { isOperatorName, type OperandProblem, operandReaders } from '../operator/operand.js'
import { createSafeRegex } from '../regex/index.js'
import type { CompileOptions, JsonValue, OperatorName, RuleIssue } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { utf8Length } from '../value/json-bytes.js'
import { notInNames } from '../value/name.js'
import { has, isObject, isPresent, type JsonObject, own } from '../value/own.js'
import { nearestWord } from '../words/index.js'
import { pointerTo } from './pointer.js'
import { conditionFields, type FieldShape, MAX_VALUE_BYTES, ruleFields } from './rule-fields.js'

export type ValidateOptions = Pick<CompileOptions, 'limits' | 'regex'>

/**
 * Returns every issue of a rule; an empty list means that the rule is accepted. It accepts any value as input and never
 * throws (spec compliance 1).
 */
export const validateRule = (input: unknown, options: ValidateOptions = {}): RuleIssue[] => {
  const validation = new Validation(input, options)
  if (isObject(input)) validation.rule(input)
  else validation.report('', 'not_an_object', 'the rule is not an object', 'write the rule as an object')
  return validation.issues
}

/** The most unknown keys that get a suggestion. A rule with more unknown keys is not a typing mistake. */
const MAX_SUGGESTIONS = 10

class Validation {
  #suggestions = 0
  readonly issues: RuleIssue[] = []
  readonly report: Report
  readonly #workshop: Workshop

  constructor(input: unknown, options: ValidateOptions) {
    const hasIdentity = isObject(input) && (own(input, 'id') !== undefined || own(input, 'name') !== undefined)
    const { id, name } = hasIdentity ? ruleIdentity(input, 0) : { id: null, name: null }
    this.report = reporter(id, name, this.issues)
    this.#workshop = new Workshop(options, options.regex ?? createSafeRegex())
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
          this.report(at, 'invalid_type', `\`${key}\` is not a boolean`, 'give true or false')
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
            `\`${key}\` is not an instant`,
            'give ISO 8601 with Z or an offset, like 2026-01-31T00:00:00Z',
          )
        }
        return
      default:
    }
  }

  #text(value: unknown, key: string, at: string, max: number, trim: boolean): void {
    if (typeof value !== 'string') {
      this.report(at, 'invalid_type', `\`${key}\` is not a text`, 'give a text')
      return
    }
    const text = trim ? value.trim() : value
    if (text === '' && key === 'name') this.report(at, 'missing_name', 'the name is empty', 'give the rule a name')
    else if (text === '' && key !== 'description')
      this.report(at, 'invalid_value', `\`${key}\` is empty`, 'give a text')
    // In a list such a name could look like the name of another rule. The server refuses it too.
    if (key === 'name' && text !== '' && notInNames.test(value)) {
      this.report(
        at,
        'invisible_name',
        'the name holds a line break, a control character or one that is not shown',
        'write it as one line of visible characters',
      )
    }
    if (text.length > max) {
      this.report(at, 'too_long', `\`${key}\` has ${text.length} characters`, `use at most ${max}`)
    }
  }

  #integer(value: unknown, key: string, at: string, min: number, max: number): void {
    if (!Number.isInteger(value)) this.report(at, 'invalid_type', `\`${key}\` is not an integer`, 'give a whole number')
    else if ((value as number) < min || (value as number) > max) {
      this.report(at, 'out_of_range', `\`${key}\` is out of range`, `give ${min} to ${max}`)
    }
  }

  #texts(value: unknown, key: string, at: string, maxItems: number, max: number): void {
    if (!Array.isArray(value)) {
      this.report(at, 'invalid_type', `\`${key}\` is not a list`, 'give a list of texts')
      return
    }
    if (value.length > maxItems) {
      this.report(at, 'too_many', `\`${key}\` has ${value.length} entries`, `use at most ${maxItems}`)
    }
    for (let index = 0; index < Math.min(value.length, maxItems); index++) {
      this.#text(value[index], `${key}[${index}]`, pointerTo(at, String(index)), max, false)
    }
  }

  /** `conditions` replace the single check. A complete single check is validated in any case. */
  #body(record: JsonObject): void {
    const conditions = own(record, 'conditions')
    const hasConditions = Array.isArray(conditions) && conditions.length > 0
    const hasField = has(record, 'field')
    const hasOperator = has(record, 'operator')
    const isMisshapen = isPresent(conditions) && !Array.isArray(conditions)
    if (isMisshapen) this.report('/conditions', 'invalid_type', ...notAList)
    if (hasField) this.#path(own(record, 'field'), '/field')
    if (hasOperator) this.#check(record, '')
    const isHalfCheck = hasField !== hasOperator
    if (!hasConditions && (isHalfCheck || !(hasField || isMisshapen))) reportNoCheck(this.report, hasField, hasOperator)
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
        this.report(pointer, 'invalid_condition', 'the condition is not an object', 'write the condition as an object')
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

  /** Returns true when the condition is a check, or was meant as one. */
  #condition(condition: JsonObject, pointer: string, rule: JsonObject): boolean {
    this.#keys(condition, pointer, conditionFields)
    this.#field(condition, pointer, 'dependsOnRule', conditionFields)
    const reference = own(condition, 'dependsOnRule')
    const hasField = has(condition, 'field')
    const hasOperator = has(condition, 'operator')
    if (isPresent(reference) && (reference === own(rule, 'id') || reference === own(rule, 'name'))) {
      this.report(`${pointer}/dependsOnRule`, 'dependency_cycle', 'the rule depends on itself', 'name another rule')
    }
    if (hasField) this.#path(own(condition, 'field'), `${pointer}/field`)
    if (hasOperator) this.#check(condition, pointer)
    const isGate = isPresent(reference) && !hasField && !hasOperator && !has(condition, 'value')
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
    if (!parsed.ok) this.#refuse(at, parsed.problem)
  }

  #refuse(at: string, { code, message, fix }: OperandProblem): void {
    this.report(at, code, message, fix)
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
      this.#refuse(at, tooDeep.problem)
      return
    }
    if (value !== undefined && utf8Length(JSON.stringify(value)) > MAX_VALUE_BYTES) {
      this.report(at, 'too_long', 'the value is too large', `use at most ${MAX_VALUE_BYTES} bytes of JSON`)
      return
    }
    const problem = authoringProblem(operator, value)
    if (problem !== null) {
      this.#refuse(at, problem)
      return
    }
    const read = operandReaders[operator](value ?? null, this.#workshop)
    if (!read.ok) this.#refuse(at, read.problem)
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
