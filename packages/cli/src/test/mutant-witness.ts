/**
 * Distinguishes a mutant that the tests missed from one that no test can notice, and suggests the missing test.
 * INVARIANT: every suggestion was evaluated: the rule and its mutant give different outcomes for it, also after
 * projection.
 */
import { type Attributes, compileRules, projectEntity, type Rule, readsBuiltImage } from '@plumbline/engine'
import { diffRules } from '@plumbline/engine/diff'
import { ruleId } from '../input/rules.js'
import { outcomeOf } from './judge.js'
import type { RuleOutcome } from './model.js'
import type { Mutant } from './mutants.js'
import type { RuleIndex } from './rule-slice.js'

/** A case that would notice the mutant: these attributes, and the outcome of the original rule for them. */
export interface Suggestion {
  readonly outcome: RuleOutcome
  readonly given: Attributes
}

export interface MutantJudgement {
  /** Proved: the rule and the mutant are violated by the same entities. */
  readonly isEquivalent: boolean
  readonly suggestion: Suggestion | null
}

export function judgeMutant(rule: Rule, mutant: Mutant, index: RuleIndex): MutantJudgement {
  const before = index.slice(rule)
  const after = index.slice(rule, mutant.rule)
  const id = ruleId(rule)
  const difference = diffRules(before, after).rules.find((candidate) => candidate.id === id)
  // Without its gate, a rule that passes is not skipped any more. A test can see this difference.
  const isGate = mutant.pointer.endsWith('/dependsOnRule')
  if (difference === undefined || difference.change === 'cosmetic') return { isEquivalent: !isGate, suggestion: null }

  const [original, changed] = [compileRules(before), compileRules(after)]
  for (const witness of [difference.stricter, difference.laxer]) {
    if (witness === null) continue
    // Without an image the rule is not in force, and the case would tell nothing.
    const given = readsBuiltImage(rule) ? { builtImage: {}, ...witness } : witness
    const attributes = projectEntity(rule.target, given)
    const outcome = outcomeOf(original.evaluate(attributes), id)
    if (outcome !== outcomeOf(changed.evaluate(attributes), id)) {
      return { isEquivalent: false, suggestion: { outcome, given } }
    }
  }
  return { isEquivalent: false, suggestion: null }
}
