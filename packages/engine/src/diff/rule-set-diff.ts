/** The shape of a comparison of two rule sets. Nothing in it refers to the rules or entities it was made from. */

import type { Attributes, Target } from '../types.js'

/** What happened to one rule. `cosmetic`: it is written differently and means the same. */
export type RuleChange = 'added' | 'removed' | 'changed' | 'cosmetic' | 'undecided'

export interface RuleDifference {
  readonly id: string
  /** The name it has now, or had. */
  readonly name: string
  readonly target: Target | null
  readonly change: RuleChange
  /** Keys of the rule that differ; empty for added and removed rules. */
  readonly keys: readonly string[]
  /** Severity before and after, null where there is no rule. */
  readonly severity: { readonly before: string | null; readonly after: string | null }
  /** An entity that violates the rule now and did not before. */
  readonly stricter: Attributes | null
  /** An entity that violated the rule before and does not now. */
  readonly laxer: Attributes | null
  /** In words: why it means the same, what changed, or why that is not decided. */
  readonly reason: string
}

/** What becomes of an entity: `blocked` by a violation, `warned` by warnings alone, or `clean`. */
export type Standing = 'blocked' | 'warned' | 'clean'

export interface EntityDifference {
  /** Null for an entity that was constructed. */
  readonly id: string | null
  readonly name: string | null
  readonly target: Target | null
  readonly before: Standing
  readonly after: Standing
  /** Ids of the rules violated on one side only. */
  readonly rules: readonly string[]
  /** The attributes of a constructed entity. */
  readonly witness: Attributes | null
}

export interface EntityGroup {
  /** All of them; `samples` holds at most `maxSamples`. */
  readonly total: number
  readonly samples: readonly EntityDifference[]
}

export interface RuleSetDiff {
  /** Rules that differ in any way, in the order of `after`, then those that are gone. */
  readonly rules: readonly RuleDifference[]
  readonly unchanged: number
  readonly newlyBlocked: EntityGroup
  readonly newlyAllowed: EntityGroup
  readonly newlyWarned: EntityGroup
  /** How many entities were compared; null when they were constructed from the rules. */
  readonly entities: number | null
}
