/**
 * Mutation score of rules: how many of the possible mistakes in them would the tests notice?
 * INVARIANT: deterministic. A mutant that an author could not save, or that provably means the same as the rule, is
 * left out and does not count as noticed.
 */
import { compileRules, validateRule } from '@plumbline/engine'
import { type LoadedRule, ruleId } from '../input/rules.js'
import { judge } from './judge.js'
import { judgeMutant, type Suggestion } from './mutant-witness.js'
import { type Mutant, mutantsOf } from './mutants.js'
import { type BoundTest, isTestable, ruleKey, type Suite } from './suite.js'

interface SurvivingMutant {
  readonly rule: LoadedRule
  readonly mutant: Mutant
  /** Whether no test asserts anything about the rule. */
  readonly untested: boolean
  /** A case that would notice it; null when none was found. */
  readonly suggestion: Suggestion | null
}

export interface MutationScore {
  /** Without mutants that mean the same as the rule. */
  readonly mutants: number
  readonly equivalent: number
  readonly noticed: number
  /** 0 to 100, not rounded; 100 without mutants. */
  readonly percent: number
  readonly survivors: readonly SurvivingMutant[]
}

/** The suites contain only tests that pass. @param onProgress receives how many rules are done, and their total. */
export function mutationScore(
  suites: readonly Suite[],
  onProgress: (done: number, total: number) => void = () => {},
): MutationScore {
  const places = new Map<string, Appearance[]>()
  for (const suite of suites) {
    for (const rule of suite.rules) {
      if (!isTestable(rule.rule)) continue
      const asserting = suite.tests.filter((test) => test.asserts.has(ruleId(rule.rule)))
      const key = ruleKey(rule)
      places.set(key, [...(places.get(key) ?? []), { suite, rule, asserting }])
    }
  }
  const survivors: SurvivingMutant[] = []
  let mutants = 0
  let equivalent = 0
  let done = 0
  for (const appearances of places.values()) {
    const [first] = appearances
    if (first === undefined) continue
    const untested = appearances.every(({ asserting }) => asserting.length === 0)
    for (const mutant of mutantsOf(first.rule.rule)) {
      // An author could not save this rule, so tests do not have to notice it.
      if (validateRule(mutant.rule).length > 0) continue
      if (appearances.some((appearance) => isNoticed(appearance, mutant))) {
        mutants++
        continue
      }
      const { isEquivalent, suggestion } = judgeMutant(first.rule.rule, mutant, first.suite.index)
      if (isEquivalent) {
        equivalent++
        continue
      }
      mutants++
      survivors.push({ rule: first.rule, mutant, untested, suggestion })
    }
    onProgress(++done, places.size)
  }
  const noticed = mutants - survivors.length
  return { mutants, equivalent, noticed, survivors, percent: mutants === 0 ? 100 : (noticed / mutants) * 100 }
}

/** A rule in one suite, and the tests of that suite that assert something about it. */
interface Appearance {
  readonly suite: Suite
  readonly rule: LoadedRule
  readonly asserting: readonly BoundTest[]
}

/** Tests of the rule alone run first: they are cheap, and notice nearly everything. */
function isNoticed({ suite, rule, asserting }: Appearance, mutant: Mutant): boolean {
  const ofRule = asserting.filter((test) => test.ruleId !== null)
  if (ofRule.length > 0) {
    const alone = compileRules(suite.index.slice(rule.rule, mutant.rule))
    if (ofRule.some((test) => judge(alone, test.subject, test.expectation, test.ruleId).length > 0)) return true
  }
  const ofEntity = asserting.filter((test) => test.ruleId === null && test.subject.target === rule.rule.target)
  if (ofEntity.length === 0) return false
  const whole = compileRules(suite.rules.map((other) => (other === rule ? mutant.rule : other.rule)))
  return ofEntity.some((test) => judge(whole, test.subject, test.expectation, null).length > 0)
}
