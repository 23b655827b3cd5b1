/**
 * What the rules of one set share while they are compiled: parsed paths, equal checks, and the budget for patterns.
 *
 * INVARIANT: entries with the same path, operator and value share one check, so an evaluation runs it once for each
 * entity.
 */

import { type Check, makeCheck } from '../operator/check.js'
import { type OperandContext, type OperandProblem, operandReaders, refusalFix } from '../operator/operand.js'
import { type FieldPath, fieldPathKey, type ParsedFieldPath, parseFieldPath } from '../path/field-path.js'
import type { CompileOptions, JsonValue, OperatorName, SafeRegex } from '../types.js'
import { pathSensitivity, type Sensitivity } from '../value/redact.js'

const MAX_PATTERNS = 5_000
const MAX_PATTERN_COST = 2_000_000
const DEFAULT_REGEX_LENGTH = 100

export type CheckResult =
  | { readonly ok: true; readonly check: Check | null }
  | { readonly ok: false; readonly problem: OperandProblem }

export class Workshop implements OperandContext {
  readonly redact: boolean
  readonly regexLength: number
  readonly regex: SafeRegex
  /** Every distinct check. `Check.index` is the position in this list. */
  readonly checks: Check[] = []
  /** The path of each check, by `Check.index`. */
  readonly paths: FieldPath[] = []
  readonly #parsed = new Map<unknown, ParsedFieldPath>()
  readonly #keys = new Map<string, string>()
  readonly #sensitivities = new Map<string, Sensitivity>()
  readonly #shared = new Map<string, CheckResult>()
  readonly #patterns = new Set<string>()
  #cost = 0

  constructor(options: CompileOptions, regex: SafeRegex) {
    this.redact = options.redact !== false
    this.regexLength = options.limits?.regexLength ?? DEFAULT_REGEX_LENGTH
    this.regex = regex
  }

  path(field: unknown): ParsedFieldPath {
    let parsed = this.#parsed.get(field)
    if (parsed === undefined) {
      parsed = parseFieldPath(field as string)
      this.#parsed.set(field, parsed)
      if (parsed.ok) this.#keys.set(parsed.path.text, fieldPathKey(parsed.path))
    }
    return parsed
  }

  /** The sensitivity of the value at a field. Results of computed functions are never sensitive. */
  sensitivityOf(field: string): Sensitivity {
    let sensitivity = this.#sensitivities.get(field)
    if (sensitivity === undefined) {
      const parsed = this.path(field)
      sensitivity = parsed.ok && parsed.path.calls.length === 0 ? pathSensitivity(parsed.path.segments) : 'none'
      this.#sensitivities.set(field, sensitivity)
    }
    return sensitivity
  }

  /** Returns the shared check. Without a path, only the value is read, to report its problems. */
  check(path: FieldPath | null, operator: OperatorName, value: JsonValue): CheckResult {
    if (path === null) {
      const read = operandReaders[operator](value, this)
      return read.ok ? { ok: true, check: null } : read
    }
    const key = `${operator} ${this.#keys.get(path.text)} ${JSON.stringify(value)}`
    const known = this.#shared.get(key)
    if (known !== undefined) return known
    const read = operandReaders[operator](value, this)
    if (!read.ok) {
      this.#shared.set(key, read)
      return read
    }
    const check = makeCheck(read.operand, this.checks.length)
    this.checks.push(check)
    this.paths.push(path)
    const result: CheckResult = { ok: true, check }
    this.#shared.set(key, result)
    return result
  }

  admit(pattern: string): OperandProblem | null {
    if (this.#patterns.has(pattern)) return null
    const cost = this.#cost + this.regex.cost(pattern)
    if (this.#patterns.size >= MAX_PATTERNS || cost > MAX_PATTERN_COST) {
      return {
        code: 'regex_budget',
        message: `more than ${MAX_PATTERNS} distinct patterns or ${MAX_PATTERN_COST} instructions in the rule set`,
        fix: refusalFix.budget,
      }
    }
    this.#patterns.add(pattern)
    this.#cost = cost
    return null
  }
}
