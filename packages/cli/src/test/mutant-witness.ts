/**
 * Tells a mutant that no test noticed from one that no test could notice, and finds the test that is missing.
 * INVARIANT: a suggestion has been evaluated: the rule and its mutant answer differently on it, after projection too.
 */
import { type Attributes, compileRules, projectEntity, type Rule } from '@plumbline/engine'
import { diffRules } from '@plumbline/engine/diff'
import { ruleId } from '../input/rules.js'
import { outcomeOf } from './judge.js'
import type { RuleOutcome } from './model.js'
import type { Mutant } from './mutants.js'
import type { RuleIndex } from './rule-slice.js'

/** A case that would notice the mutant: these attributes, and what the rule as it stands makes of them. */
export interface Suggestion {
  readonly outcome: RuleOutcome
  readonly given: Attributes
}

export interface MutantJudgement {
  /** Proved: the same entities violate the mutant as the rule. */
  readonly isEquivalent: boolean
  readonly suggestion: Suggestion | null
}

export function judgeMutant(rule: Rule, mutant: Mutant, index: RuleIndex): MutantJudgement {
  const before = index.slice(rule)
  const after = index.slice(rule, mutant.rule)
  const id = ruleId(rule)
  const difference = diffRules(before, after).rules.find((candidate) => candidate.id === id)
  // Without its gate a rule that passes is no longer skipped, which is a difference that a test can see.
  const isGate = mutant.pointer.endsWith('/dependsOnRule')
  if (difference === undefined || difference.change === 'cosmetic') return { isEquivalent: !isGate, suggestion: null }

  const [original, changed] = [compileRules(before), compileRules(after)]
  for (const witness of [difference.stricter, difference.laxer]) {
    if (witness === null) continue
    const attributes = projectEntity(rule.target, witness)
    const outcome = outcomeOf(original.evaluate(attributes), id)
    if (outcome !== outcomeOf(changed.evaluate(attributes), id)) {
      return { isEquivalent: false, suggestion: { outcome, given: witness } }
    }
  }
  return { isEquivalent: false, suggestion: null }
}
