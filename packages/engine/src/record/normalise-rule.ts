/**
 * Turns what an author wrote into the record that is stored: defaults are filled in, and references are resolved to
 * ids.
 *
 * INVARIANT: `rule` is null exactly when there is an issue. So every record that is returned can be evaluated.
 */
import { arrange, cycleText, type Outline, resolver } from '../compile/arrange.js'
import { outlineOf } from '../compile/outline.js'
import { isLive, ruleIdentity } from '../compile/rule.js'
import type { Condition, Rule, RuleIssue, RuleIssueCode } from '../types.js'
import { parseInstant } from '../value/instant.js'
import { type FieldShape, ruleFields } from './rule-fields.js'
import { type ValidateOptions, validateRule } from './validate-rule.js'

export interface NormaliseOptions extends ValidateOptions {
  /**
   * Every rule that the organization can enforce: own, inherited and published. When given, references are resolved and
   * checked, and names are compared. When absent, references stay as written.
   */
  readonly rulesInScope?: readonly Rule[]
}

export interface NormalisedRule {
  readonly rule: Rule | null
  readonly issues: readonly RuleIssue[]
}

/**
 * Validates and normalises a rule. It accepts any value and never throws; problems are returned as issues (spec
 * compliance 1).
 */
export const normaliseRule = (input: unknown, options: NormaliseOptions = {}): NormalisedRule => {
  const issues = validateRule(input, options)
  if (issues.length > 0) return { rule: null, issues }
  // A copy without a prototype, so that no inherited property is read.
  const rule = withDefaults(Object.assign(Object.create(null), input) as Rule)
  if (options.rulesInScope === undefined) return { rule, issues }
  const scoped = placeInScope(rule, options.rulesInScope)
  return scoped.issues.length > 0 ? { rule: null, issues: scoped.issues } : { rule: scoped.rule, issues: [] }
}

const withDefaults = (input: Rule): Rule => {
  const conditions = input.conditions ?? null
  const record: Record<string, unknown> = {}
  for (const key of Object.keys(ruleFields)) {
    const value = (input as unknown as Record<string, unknown>)[key]
    if (Object.hasOwn(input, key) && value !== undefined) {
      record[key] = isInstant(key) && value instanceof Date ? value.toISOString() : value
    }
  }
  const complete = {
    ...record,
    name: input.name.trim(),
    description: input.description ?? null,
    severity: input.severity ?? 'error',
    priority: input.priority ?? 0,
    scope: input.scope ?? 'org',
    field: input.field ?? null,
    operator: input.operator ?? null,
    conditions: conditions === null || conditions.length === 0 ? null : conditions.map(plainCondition),
    conditionMode: input.conditionMode ?? 'all',
    tags: [...new Set(input.tags ?? [])],
    policyIds: [...new Set(input.policyIds ?? [])],
    propagateToChildren: input.propagateToChildren ?? false,
    isTemplate: input.isTemplate ?? false,
    isActive: input.isActive ?? true,
    suppressNotification: input.suppressNotification ?? false,
    effectiveFrom: isoOrNull(input.effectiveFrom),
    effectiveUntil: isoOrNull(input.effectiveUntil),
  }
  return complete as unknown as Rule
}

const isInstant = (key: string): boolean =>
  (ruleFields as { readonly [key: string]: FieldShape })[key]?.kind === 'instant'

/** Removes the nulls of a condition: null is the same as absent. */
const plainCondition = (condition: Condition): Condition => {
  const { field, operator, value, dependsOnRule } = condition
  return {
    ...(field === undefined || field === null ? {} : { field, operator }),
    ...(value === undefined || field === undefined || field === null ? {} : { value }),
    ...(dependsOnRule === undefined || dependsOnRule === null ? {} : { dependsOnRule }),
  } as Condition
}

const isoOrNull = (value: Rule['effectiveFrom']): string | null => {
  const instant = parseInstant(value)
  return Number.isNaN(instant) ? null : new Date(instant).toISOString()
}

/** Resolves references among the rules in scope. The rule replaces its stored version there. */
const placeInScope = (rule: Rule, inScope: readonly Rule[]): { rule: Rule; issues: RuleIssue[] } => {
  const issues: RuleIssue[] = []
  const report = (pointer: string, code: RuleIssueCode, message: string, fix: string, cycle?: readonly string[]) => {
    const issue: RuleIssue = { ruleId: rule.id ?? rule.name, ruleName: rule.name, pointer, code, message, fix }
    issues.push(cycle === undefined ? issue : { ...issue, cycle })
  }
  const ownId = rule.id ?? rule.name
  const others = inScope.filter((other, index) => isLive(other) && ruleIdentity(other, index).id !== ownId)
  // A reference to one of these ids leads to a rule that is not in force, even when another rule has that text as its
  // name.
  const dormant = new Set(inScope.flatMap((other, index) => (isLive(other) ? [] : [ruleIdentity(other, index).id])))
  if (others.some((other) => other.name === rule.name && sameOrg(other, rule))) {
    report('/name', 'duplicate_name', `another rule has the name \`${rule.name}\``, 'choose another name')
  }
  const conditions = rule.conditions ?? []
  const outlines = [...others, rule].map((each, index) => {
    const { id, name } = ruleIdentity(each, index)
    return outlineOf(each, id, name)
  })
  const resolve = resolver(outlines, outlines, dormant)
  const resolved = conditions.map((condition, index): Condition => {
    const reference = condition.dependsOnRule
    if (reference === undefined) return condition
    const found = dormant.has(reference)
      ? unknownReference(reference)
      : referenceTo(reference, rule, outlines, resolve(reference, rule.target))
    if (typeof found === 'string') return { ...condition, dependsOnRule: found }
    report(`/conditions/${index}/dependsOnRule`, found.code, found.message, found.fix)
    return condition
  })
  const cycle = arrange(outlines, resolve).cycles[outlines.length - 1] ?? null
  if (cycle !== null) {
    report(
      '/conditions',
      'dependency_cycle',
      `the rule would depend on itself through ${cycleText(cycle)}`,
      'remove one `dependsOnRule` of the cycle',
      cycle,
    )
  }
  return { rule: rule.conditions ? { ...rule, conditions: resolved } : rule, issues }
}

interface ReferenceProblem {
  readonly code: RuleIssueCode
  readonly message: string
  readonly fix: string
}

const referenceTo = (
  reference: string,
  rule: Rule,
  outlines: readonly Outline[],
  index: number,
): string | ReferenceProblem => {
  const found = outlines[index]
  if (found !== undefined) return found.id
  const named = outlines.filter(({ name }) => name === reference)
  if (named.length > 1) {
    return {
      code: 'dependency_ambiguous',
      message: `${named.length} rules have the name \`${reference}\``,
      fix: 'give the id of the rule',
    }
  }
  if (named.length === 1 || outlines.some(({ id }) => id === reference)) {
    return {
      code: 'dependency_target',
      message: `\`${reference}\` is not a ${rule.target} rule`,
      fix: 'depend on a rule of the same target',
    }
  }
  return unknownReference(reference)
}

const unknownReference = (reference: string): ReferenceProblem => ({
  code: 'dependency_unknown',
  message: `there is no rule \`${reference}\``,
  fix: 'give the id or the name of a live rule that the organization can enforce',
})

/** Names must be unique within one organization only. */
const sameOrg = (a: Rule, b: Rule): boolean =>
  (a.orgId ?? '').toLowerCase() === (b.orgId ?? '').toLowerCase() && (a.source ?? 'own') === (b.source ?? 'own')
