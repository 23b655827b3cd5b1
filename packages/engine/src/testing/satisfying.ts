/** Generates attributes that pass or violate one rule. The engine has evaluated every generated value. */
import fc, { type Arbitrary } from 'fast-check'
import { buildEntity } from '../domain/candidates.js'
import { fixedSequence } from '../domain/fixed-sequence.js'
import { solveFormula } from '../domain/formula.js'
import { modelRules } from '../domain/rule-model.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, Rule } from '../types.js'
import { anyAttributes, placesRead } from './any-attributes.js'

/** Thrown when no such attributes can be generated. `proved` is true when none exist, and false when none were found. */
export class NoSuchAttributes extends Error {
  readonly proved: boolean
  constructor(message: string, proved: boolean) {
    super(message)
    this.name = 'NoSuchAttributes'
    this.proved = proved
  }
}

type Side = 'passes' | 'violated'

const TRIES = 400
const MAX_POOL = 60

/**
 * Generates attributes that pass the rule.
 *
 * @param base Attributes to keep. Top-level keys that the rule reads are replaced.
 * @param rules The rules that the gates of the rule name. A rule whose gates are closed is skipped, so it does not
 * pass.
 * @throws {NoSuchAttributes} when no attributes pass the rule, or none were found.
 */
export const satisfying = (rule: Rule, base: Attributes = {}, rules: readonly Rule[] = []): Arbitrary<Attributes> =>
  onSide(rule, 'passes', base, rules)

/**
 * Generates attributes that violate the rule. The parameters are those of `satisfying`.
 *
 * @throws {NoSuchAttributes} when no attributes violate the rule, or none were found.
 */
export const violating = (rule: Rule, base: Attributes = {}, rules: readonly Rule[] = []): Arbitrary<Attributes> =>
  onSide(rule, 'violated', base, rules)

const onSide = (rule: Rule, side: Side, base: Attributes, rules: readonly Rule[]): Arbitrary<Attributes> => {
  const set = [rule, ...rules.filter((other) => other !== rule)]
  const model = modelRules(set)
  const modelled = model.rules.find(({ position }) => position === 0)
  const wished = side === 'passes' ? 'pass' : 'violate'
  if (modelled === undefined)
    throw new NoSuchAttributes(`no entity can ${wished} \`${rule.name}\`: it is not live`, true)
  const engine = compileRules(set)
  const judged = (attributes: Attributes): boolean => {
    const { violations, skipped } = engine.evaluate(attributes)
    const violated = violations.some(({ ruleId }) => ruleId === modelled.id)
    if (side === 'violated') return violated
    return !violated && !skipped.some(({ ruleId }) => ruleId === modelled.id)
  }
  const pool: Attributes[] = []
  const decided = solveFormula(modelled[side])
  if (decided.status === 'found' && judged(decided.value)) pool.push(decided.value)
  const places = placesRead(set)
  const choose = fixedSequence(7)
  for (let attempt = 0; attempt < TRIES && pool.length < MAX_POOL; attempt++) {
    const entity = buildEntity(places, choose)
    if (judged(entity)) pool.push(entity)
  }
  if (pool.length === 0) {
    const proved = decided.status === 'none'
    throw new NoSuchAttributes(
      `${proved ? 'no entity can' : 'no entity was found to'} ${wished} \`${rule.name}\``,
      proved,
    )
  }
  const read = [...modelled.attributes]
  /** Replaces the keys that the rule reads. The verdict depends on nothing else. */
  const over = (around: Attributes, chosen: Attributes): Attributes => {
    const kept = Object.entries({ ...around, ...base }).filter(([key]) => !read.includes(key))
    return Object.fromEntries([...kept, ...Object.entries(chosen).filter(([key]) => read.includes(key))])
  }
  const known = judged(base) ? [base, ...pool] : pool
  const fromPool = fc.tuple(anyAttributes(), fc.constantFrom(...known)).map(([around, chosen]) => over(around, chosen))
  const byChance = anyAttributes(set).map((chosen) => (judged(chosen) ? over({}, chosen) : over({}, known[0] ?? {})))
  return fc.oneof(fromPool, byChance).map((attributes) => {
    if (judged(attributes)) return attributes
    throw new Error(`generated attributes do not ${wished} \`${rule.name}\`: ${JSON.stringify(attributes)}`)
  })
}
