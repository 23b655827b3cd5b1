/**
 * Random cases for the proof: a rule set and several entities and contexts to evaluate it on.
 *
 * Attributes come first; 60 % of the conditions then read a path that exists in them and compare with a value close to
 * the one found there. Several trials share one rule set, so that anything kept between evaluations shows.
 */
import type { EvaluationContext, Rule } from '../../src/types.js'
import type { Random } from '../random.js'
import { entity, varied } from './attributes.js'
import { context } from './context.js'
import { ruleSet } from './rules.js'

export interface Trial {
  readonly attributes: Record<string, unknown>
  readonly context: EvaluationContext
}

export interface Group {
  readonly rules: readonly Rule[]
  readonly redact: boolean
  readonly trials: readonly Trial[]
}

export const TRIALS_PER_GROUP = 8

export function generateGroup(random: Random): Group {
  const attributes = entity(random)
  const rules = ruleSet(random, attributes)
  const trials = Array.from({ length: TRIALS_PER_GROUP }, (_, index) => ({
    attributes: index === 0 ? attributes : random.chance(88) ? varied(random, attributes) : entity(random),
    context: context(random, rules),
  }))
  return { rules, redact: !random.chance(10), trials }
}
