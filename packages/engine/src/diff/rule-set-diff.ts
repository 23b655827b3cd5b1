/** The shape of a comparison of two rule sets. It keeps no reference to the rules or entities it was made from. */

import type { Attributes, Target } from '../types.js'

/**
 * What happened to one rule. `cosmetic`: it is written differently and means the same. `undecided`: the analysis could
 * not tell.
 */
export type RuleChange = 'added' | 'removed' | 'changed' | 'cosmetic' | 'undecided'

export interface RuleDifference {
  readonly id: string
  /** The rule's name after the change, or its last name when it was removed. */
  readonly name: string
  readonly target: Target | null
  readonly change: RuleChange
  /** Keys of the rule that differ. Empty for rules that were added or removed. */
  readonly keys: readonly string[]
  /** Severity before and after; null on a side where the rule does not exist. */
  readonly severity: { readonly before: string | null; readonly after: string | null }
  /** An entity that violates the rule after the change and not before, or null. */
  readonly stricter: Attributes | null
  /** An entity that violates the rule before the change and not after, or null. */
  readonly laxer: Attributes | null
  /** Why the rule means the same, what changed, or why that is undecided; text for people. */
  readonly reason: string
}

/** The result for an entity: `blocked` by a violation, `warned` by warnings alone, or `clean`. */
export type Standing = 'blocked' | 'warned' | 'clean'

export interface EntityDifference {
  /** Null for an entity that was constructed from the rules. */
  readonly id: string | null
  readonly name: string | null
  readonly target: Target | null
  readonly before: Standing
  readonly after: Standing
  /** Ids of the rules that are violated on one side only. */
  readonly rules: readonly string[]
  /** The attributes of a constructed entity; null for an entity that was given. */
  readonly witness: Attributes | null
}

export interface EntityGroup {
  /** The number of entities in the group; `samples` lists at most `maxSamples` of them. */
  readonly total: number
  readonly samples: readonly EntityDifference[]
}

export interface RuleSetDiff {
  /** Rules that differ in any way: first in the order of `after`, then the rules that were removed. */
  readonly rules: readonly RuleDifference[]
  readonly unchanged: number
  readonly newlyBlocked: EntityGroup
  readonly newlyAllowed: EntityGroup
  readonly newlyWarned: EntityGroup
  /** How many entities were compared; null when they were constructed from the rules. */
  readonly entities: number | null
}
