/**
 * Tests bound to the rules they judge: everything that a run needs, read and checked.
 * INVARIANT: everything in a suite can be evaluated; mistakes were refused before.
 */
import { compileRules, type Rule, type RuleSet } from '@plumbline/engine'
import { pointerPath } from '../input/located.js'
import type { Position } from '../input/position.js'
import { type LoadedRule, ruleId } from '../input/rules.js'
import type { Case } from './judge.js'
import type { Expectation } from './model.js'
import { indexRules, type RuleIndex } from './rule-slice.js'

export interface BoundTest {
  readonly name: string
  readonly file: string
  readonly position: Position
  readonly subject: Case
  readonly expectation: Expectation
  /** Id of the rule that a test of one rule judges. */
  readonly ruleId: string | null
  /** Ids of the rules whose outcome the test asserts. */
  readonly asserts: ReadonlySet<string>
}

export interface Suite {
  readonly rules: readonly LoadedRule[]
  readonly index: RuleIndex
  /** The whole rule set, for tests of entities. */
  readonly ruleSet: RuleSet
  /** The rule as if in force with the rules it depends on, compiled once. */
  readonly sliceOf: (id: string) => RuleSet
  readonly tests: readonly BoundTest[]
}

export function createSuite(rules: readonly LoadedRule[], ruleSet: RuleSet, tests: readonly BoundTest[]): Suite {
  const index = indexRules(rules.map(({ rule }) => rule))
  const slices = new Map<string, RuleSet>()
  return {
    rules,
    index,
    ruleSet,
    tests,
    sliceOf: (id) => {
      const known = slices.get(id)
      if (known) return known
      const rule = index.find(id)
      const slice = rule === null ? ruleSet : compileRules(index.slice(rule))
      slices.set(id, slice)
      return slice
    },
  }
}

/** Rules that tests should cover: not disabled and not deleted. Templates count, because people copy them. */
export function isTestable(rule: Rule): boolean {
  return rule.isActive !== false && rule.deletedAt == null
}

/** The same for a rule that two suites loaded from the same file. */
export function ruleKey({ path, located, at }: LoadedRule): string {
  return JSON.stringify([path, located.ordinal, at])
}

/** The rules that an expectation asserts something about, whatever the outcome. */
export function assertedBy(
  expectation: Expectation,
  rules: readonly LoadedRule[],
  ruleUnderTest: string | null,
): Set<string> {
  if (ruleUnderTest !== null) return new Set([ruleUnderTest])
  // An exact list of violations, or none at all, asserts something about every rule. `block` alone asserts nothing
  // about a single rule.
  const isExact =
    expectation.kind === 'entity' && (expectation.violations !== undefined || expectation.verdict === 'pass')
  return new Set(isExact ? rules.map(({ rule }) => ruleId(rule)) : [])
}

/** `rules/a.yaml:3:5` */
export function placeIn(rule: LoadedRule, pointer: string): string {
  const { line, column } = rule.located.positionOf([...rule.at, ...pointerPath(pointer)])
  return `${rule.file}:${line}:${column}`
}
