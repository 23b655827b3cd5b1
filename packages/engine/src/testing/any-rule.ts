/**
 * Arbitrary rules that an author could write: `validateRule` accepts each of them unchanged.
 *
 * INVARIANT: a generated rule set has unique names, and its gates name earlier rules of the same target. So none of its
 * rules is misconfigured.
 */

import fc, { type Arbitrary } from 'fast-check'
import { operandReaders } from '../operator/operand.js'
import { projection } from '../projection/projection.js'
import { severities, targets } from '../record/vocabulary.js'
import type { Condition, JsonValue, OperatorName, Rule, Target } from '../types.js'
import { isMemberOf } from './member-of.js'

export interface AnyRuleOptions {
  /** The target of the rule; by default either one. */
  readonly target?: Target
  /** Field paths to read; by default those of the projection and computed fields of them. */
  readonly fields?: readonly string[]
  /** Operators to use; by default all. */
  readonly operators?: readonly OperatorName[]
  /** Ids or names of rules that gates may refer to; by default none. */
  readonly dependencies?: readonly string[]
}

export interface AnyRuleSetOptions extends Omit<AnyRuleOptions, 'dependencies'> {
  readonly minLength?: number
  /** The most rules in a set; 8 by default. */
  readonly maxLength?: number
  /** Whether rules may depend on earlier rules; true by default. */
  readonly gates?: boolean
}

const operatorNames = Object.keys(operandReaders) as readonly OperatorName[]

/** Field paths that rules of a target can read. Every kind of path and every computed function is among them. */
export const readableFields = (target: Target): readonly string[] => {
  const keys = projection.keys[target]
  return [
    ...keys,
    '$count(secrets)',
    '$count(keywords)',
    '$length(description)',
    '$keys(env)',
    '$count($keys(labels))',
    '$lines(dockerfile)',
    'labels.team',
    'labels["team.name"]',
    'metadata.owner',
    'keywords[0]',
    'commands.length',
  ].filter((field) => isMemberOf(keys, field))
}

const words = [
  '',
  'latest',
  'Latest',
  '1.2.3',
  'team-a',
  'production',
  'TOKEN',
  'x',
  '0',
  '5',
  '-1.5',
  ' 12 ',
  '1e3',
  'true',
]
const scalar: Arbitrary<string | number | boolean> = fc.oneof(
  fc.constantFrom(...words),
  fc.integer({ min: -3, max: 130 }),
  fc.constantFrom(0.5, 1.5, 1e21, 0),
  fc.boolean(),
)
const patterns = [
  '^latest$',
  '^\\d+\\.\\d+\\.\\d+$',
  '^[a-z][a-z0-9-]{1,63}$',
  'alpine',
  '^(dev|prod|stage)$',
  '\\bTODO\\b',
  '^.{0,10}$',
  '[A-Z]',
  '^$',
  '-',
]

const bound = fc.oneof(fc.integer({ min: -2, max: 130 }), fc.constantFrom(0.5, '10', '-1.5', '1e2'))
const size = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constantFrom('3'))
const deep: Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(null, [], {}, ['x'], ['x', 'latest'], { team: 'x' }, [
  [1],
])

const valueFor = (operator: OperatorName): Arbitrary<JsonValue | undefined> => {
  switch (operator) {
    case 'eq':
    case 'neq':
      return fc.oneof({ weight: 4, arbitrary: scalar }, deep)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return bound
    case 'contains':
    case 'notContains':
      return scalar.filter((value) => value !== '')
    case 'in':
    case 'notIn':
      return fc.array(fc.oneof({ weight: 6, arbitrary: scalar }, fc.constant(null)), { minLength: 1, maxLength: 4 })
    case 'regex':
      return fc.constantFrom(...patterns)
    case 'countGt':
    case 'countLt':
    case 'lengthGt':
    case 'lengthLt':
      return size
    default:
      return fc.constant(undefined)
  }
}

type Check = Condition & { readonly field: string }

const anyCheck = (target: Target, options: AnyRuleOptions): Arbitrary<Check> => {
  const field = fc.constantFrom(...(options.fields ?? readableFields(target)))
  return fc.oneof(
    ...(options.operators ?? operatorNames).map((operator) =>
      fc
        .tuple(field, valueFor(operator))
        .map(
          ([path, value]): Check =>
            value === undefined ? { field: path, operator } : { field: path, operator, value },
        ),
    ),
  )
}

const anyConditions = (target: Target, options: AnyRuleOptions): Arbitrary<readonly Condition[]> => {
  const check = anyCheck(target, options)
  const checks = fc.array(check, { minLength: 1, maxLength: 4 })
  const dependencies = options.dependencies ?? []
  if (dependencies.length === 0) return checks
  const reference = fc.constantFrom(...dependencies)
  return fc.oneof(
    checks,
    fc.tuple(reference, checks).map(([dependsOnRule, list]): Condition[] => [{ dependsOnRule }, ...list]),
    fc.tuple(reference, check, checks).map(([dependsOnRule, first, list]) => [{ ...first, dependsOnRule }, ...list]),
  )
}

const anyName = fc.stringMatching(/^[a-z]{1,6}(?:-[a-z0-9]{1,4}){0,2}$/)
const anyHead = fc.record({
  severity: fc.constantFrom(...severities),
  priority: fc.integer({ min: 0, max: 10_000 }),
})
const anyMode = fc.constantFrom('all' as const, 'any' as const)

const ruleOf = (target: Target, name: Arbitrary<string>, options: AnyRuleOptions): Arbitrary<Rule> => {
  const single = fc
    .tuple(name, anyHead, anyCheck(target, options))
    .map(([named, head, check]): Rule => ({ name: named, target, ...head, ...check }))
  const compound = fc
    .tuple(name, anyHead, anyConditions(target, options), anyMode)
    .map(
      ([named, head, conditions, conditionMode]): Rule => ({ name: named, target, ...head, conditions, conditionMode }),
    )
  return fc.oneof(single, compound)
}

const forTargets = <Value>(chosen: Target | undefined, make: (target: Target) => Arbitrary<Value>): Arbitrary<Value> =>
  chosen === undefined ? fc.oneof(...targets.map(make)) : make(chosen)

/** Generates a rule that `validateRule` accepts. */
export const anyRule = (options: AnyRuleOptions = {}): Arbitrary<Rule> =>
  forTargets(options.target, (target) => ruleOf(target, anyName, options))

/** Generates rules that compile together without an issue. */
export const anyRuleSet = (options: AnyRuleSetOptions = {}): Arbitrary<readonly Rule[]> => {
  const { minLength = 0, maxLength = 8, gates = true, ...rest } = options
  const most = Math.max(minLength, maxLength)
  const length = fc.integer({ min: minLength, max: most })
  const earlier = (index: number): readonly string[] =>
    gates ? Array.from({ length: index }, (_, at) => `rule-${at}`) : []
  return forTargets(options.target, (target) => {
    const rules = Array.from({ length: most }, (_, index) =>
      ruleOf(target, fc.constant(`rule-${index}`), { ...rest, dependencies: earlier(index) }),
    )
    // Gates name earlier rules only, so each prefix of a set is a valid set.
    return fc.tuple(length, fc.tuple(...rules)).map(([count, list]): readonly Rule[] => list.slice(0, count))
  })
}
