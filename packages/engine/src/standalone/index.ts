/**
 * `toModule`: writes a rule set as the source of one self-contained ES module, for edge runtimes and CI.
 *
 * The module exports `evaluate(attributes, context?)`, which returns the verdicts of `ruleSet.evaluate`. It reads no
 * clock and evaluates no strings as code. It imports nothing, except re2js with `regex: 'import'` when a pattern needs
 * an engine.
 */

import type { Plan } from '../compile/plan.js'
import type { RuleSet } from '../types.js'
import { Constants } from './constants.js'
import { type ForeignPatterns, type PatternSource, patternSource } from './patterns.js'
import { planCode } from './plan-code.js'
import { plansOf } from './plans.js'
import { MATCHER, RUNTIME } from './runtime-source.js'

export type { ForeignPatterns } from './patterns.js'

export interface StandaloneOptions {
  /**
   * How to run patterns that are neither linear on `RegExp` nor a table of at most 2,000 states. `inline`: put a
   * matcher into the module. `import` (default): import re2js. `reject`: throw `StandaloneError`.
   */
  readonly regex?: ForeignPatterns
}

/** Thrown when a rule set cannot become a module. `rules` lists the ids of the rules that prevent it. */
export class StandaloneError extends Error {
  override readonly name = 'StandaloneError'
  readonly rules: readonly string[]

  constructor(message: string, rules: readonly string[]) {
    super(message)
    this.rules = rules
  }
}

/**
 * Returns the source of the module, in printable ASCII.
 *
 * @throws {StandaloneError} with `regex: 'reject'`; `rules` lists the rules whose patterns need an engine.
 */
export function toModule(ruleSet: RuleSet, options: StandaloneOptions = {}): string {
  const foreign = options.regex ?? 'import'
  const plans = plansOf(ruleSet)
  const patterns = new Map<string, PatternSource | null>()
  const patternOf = (text: string): PatternSource | null => {
    let source = patterns.get(text)
    if (source === undefined) {
      source = patternSource(text, foreign)
      patterns.set(text, source)
    }
    return source
  }
  refuseForeign(plans.whole.rules, patternOf)

  const constants = new Constants()
  const planOptions = { constants, redact: ruleSet.options.redact !== false, patternOf }
  const parts = [
    { name: 'evaluateAll', plan: plans.whole, target: null },
    { name: 'evaluatePlugin', plan: plans.plugin, target: '"plugin"' },
    { name: 'evaluatePipeline', plan: plans.pipeline, target: '"pipeline"' },
    { name: 'evaluateOther', plan: plans.other, target: null },
  ].flatMap(({ name, plan, target }) =>
    plan === null ? [] : [{ name, target, code: planCode(name, plan, planOptions) }],
  )
  const used = [...patterns.values()].filter((source) => source !== null)
  return [
    `// Written by @plumbline/engine/standalone from ${ruleSet.rules.length} rules. Do not edit: compile the rules again.`,
    ...(used.some((source) => source.isImported) ? [IMPORT] : []),
    RUNTIME,
    ...(used.some((source) => source.isSimulated) ? [MATCHER] : []),
    FRAME,
    ...constants.lines,
    ...parts.map(({ code }) => code),
    entryPoint(parts),
    '',
  ].join('\n')
}

function refuseForeign(rules: Plan['rules'], patternOf: (text: string) => PatternSource | null): void {
  const refused = rules.filter((rule) =>
    rule.entries.some(({ entry }) => {
      const { check } = entry
      return check !== null && check.pattern !== null && patternOf(check.text) === null
    }),
  )
  if (refused.length === 0) return
  const ids = refused.map((rule) => rule.compiled.id)
  throw new StandaloneError(
    `patterns of ${ids.length} rules need a regular expression engine: ${ids.join(', ')}; simplify them or use regex 'inline' or 'import'`,
    ids,
  )
}

/** The import that `importedMatcher` needs. A fault of the engine is null, never "no match". */
const IMPORT = `import { RE2JS } from "re2js"
const importedMatcher = (source) => {
  let program
  return (text) => {
    if (text.length > MAX_TEXT_UNITS) return false
    try {
      program ??= RE2JS.compile(source)
      return program.test(foldSurrogates(text))
    } catch {
      return null
    }
  }
}`

/** The states of rules that other rules depend on, and the shapes of results. */
const FRAME = `const PASSED = 0
const FAILED = 1
const stateOfSkipped = (reason) => (reason === "not_effective" ? 3 : 2)
const closedReason = (state) =>
  state === 0 ? null : state === 1 ? "dependency_failed" : state === 2 ? "dependency_skipped" : "dependency_unavailable"
const frozen = (value) => {
  if (typeof value === 'object' && value !== null) for (const key of Object.keys(Object.freeze(value))) frozen(value[key])
  return value
}
const violationOf = (t, actualValue) => ({
  ruleId: t.ruleId,
  ruleName: t.ruleName,
  description: t.description,
  policyId: t.policyId,
  policyIds: t.policyIds,
  field: t.field,
  operator: t.operator,
  expectedValue: t.expectedValue,
  actualValue,
  severity: t.severity,
  message: t.message,
  source: t.source,
  suppressNotification: t.suppressNotification,
  issue: t.issue,
})
const outcome = (issues) => ({ violations: [], warnings: [], exemptionsApplied: [], skipped: [], issues })
const allPassed = (rulesEvaluated, issues) => ({
  passed: true,
  blocked: false,
  violations: [],
  warnings: [],
  rulesEvaluated,
  rulesSkipped: 0,
  exemptionsApplied: [],
  skipped: [],
  issues,
})
const evaluation = ({ violations, warnings, exemptionsApplied, skipped, issues }, rules) => ({
  passed: violations.length === 0,
  blocked: violations.length > warnings.length,
  violations,
  warnings,
  rulesEvaluated: rules - skipped.length,
  rulesSkipped: skipped.length,
  exemptionsApplied,
  skipped,
  issues,
})`

function entryPoint(parts: readonly { readonly name: string; readonly target: string | null }[]): string {
  const has = (name: string) => parts.some((part) => part.name === name)
  return [
    'export function evaluate(attributes, context) {',
    '  if (typeof attributes !== "object" || attributes === null || Array.isArray(attributes)) {',
    '    throw new TypeError("attributes must be an object")',
    '  }',
    '  const target = context?.target',
    ...parts
      .filter(({ target }) => target !== null)
      .map(({ name, target }) => `  if (target === ${target}) return ${name}(attributes, context)`),
    ...(has('evaluateOther')
      ? [
          '  if (target !== undefined && target !== "plugin" && target !== "pipeline") return evaluateOther(attributes, context)',
        ]
      : []),
    '  return evaluateAll(attributes, context)',
    '}',
  ].join('\n')
}
