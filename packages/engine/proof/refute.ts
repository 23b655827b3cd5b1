/**
 * Tries to refute what the static analysis claims, with the engine alone: rules in, entities in, verdicts out.
 *
 * Shared by the long run (`npm run proof -- lint`) and the tests, so that both judge a claim in the same way.
 */

import { type Attributes, compileRules, type Rule } from '../src/index.js'
import { applyFixes, type Finding } from '../src/lint/index.js'

type Verdict = 'passed' | 'violated' | 'skipped'

const judge = (rules: readonly Rule[]): ((attributes: Attributes) => (id: string) => Verdict) => {
  const set = compileRules(rules)
  return (attributes) => {
    const { violations, skipped } = set.evaluate(attributes)
    const violated = new Set(violations.map(({ ruleId }) => ruleId))
    const left = new Set(skipped.map(({ ruleId }) => ruleId))
    return (id) => (violated.has(id) ? 'violated' : left.has(id) ? 'skipped' : 'passed')
  }
}

/** Whether this entity contradicts a claim about every entity. */
const contradicts = (finding: Finding, verdict: (id: string) => Verdict): boolean => {
  const [first, second] = finding.rules.map(({ id }) => verdict(id))
  switch (finding.code) {
    case 'contradictory':
      return first === 'passed' && second === 'passed'
    case 'subsumed':
      return first === 'violated' && second !== 'violated'
    case 'duplicate':
      return (first === 'violated') !== (second === 'violated')
    case 'unsatisfiable':
      return first === 'passed'
    case 'never-violated':
      return first === 'violated'
    case 'unreachable':
      return first !== 'skipped'
    default:
      return false
  }
}

/** Whether the finding's own witness shows what it should. */
const witnessShows = (finding: Finding, verdict: (id: string) => Verdict): boolean => {
  const [first, second] = finding.rules.map(({ id }) => verdict(id))
  switch (finding.code) {
    case 'contradictory':
      return [first, second].includes('passed') && [first, second].includes('violated')
    case 'subsumed':
    case 'duplicate':
      return first === 'violated' && second === 'violated'
    case 'unsatisfiable':
      return first === 'violated'
    case 'never-violated':
      return first === 'passed'
    default:
      return true
  }
}

export interface Refutation {
  readonly finding: Finding
  readonly entity: Attributes
  readonly what: 'claim' | 'witness' | 'fix'
}

/** Every claim, witness and fix of these findings that one of the entities refutes. */
export const refute = (
  rules: readonly Rule[],
  findings: readonly Finding[],
  entities: readonly Attributes[],
): Refutation[] => {
  const refutations: Refutation[] = []
  const verdictOn = judge(rules)
  const verdicts = entities.map((entity) => verdictOn(entity))
  for (const finding of findings) {
    if (finding.status !== 'proved') continue
    const at = verdicts.findIndex((verdict) => contradicts(finding, verdict))
    if (at >= 0) refutations.push({ finding, entity: entities[at] ?? {}, what: 'claim' })
    if (finding.witness !== undefined && !witnessShows(finding, verdictOn(finding.witness))) {
      refutations.push({ finding, entity: finding.witness, what: 'witness' })
    }
    if (finding.fix === undefined) continue
    const { rules: fixed } = applyFixes(rules, [finding])
    const verdictAfter = judge(fixed)
    const id = finding.rules[0]?.id ?? ''
    const differing = entities.find((entity, index) => verdictAfter(entity)(id) !== verdicts[index]?.(id))
    if (differing !== undefined) refutations.push({ finding, entity: differing, what: 'fix' })
  }
  return refutations
}
