/**
 * What the static analysis reports: the closed list of codes, and the shape of a finding.
 *
 * INVARIANT: a finding with status `proved` is never wrong. The engine has evaluated its witness, and a proof covers
 * every entity.
 */

import type { Attributes, JsonValue } from '../types.js'

export type FindingSeverity = 'error' | 'warning' | 'info'

/** Every code with its severity and meaning. docs/guide/static-analysis.md has a section for each code. */
export const findingCatalogue = {
  misconfigured: { severity: 'error', title: 'the rule cannot be evaluated and is always a violation' },
  unsatisfiable: { severity: 'error', title: 'no entity can pass the rule' },
  contradictory: { severity: 'error', title: 'no entity can pass both rules' },
  'dependency-cycle': { severity: 'error', title: 'the rule depends on itself' },
  'dependency-wrong-target': { severity: 'error', title: 'the rule depends on a rule of the other target' },
  'dependency-dangling': { severity: 'error', title: 'the rule depends on a rule that is not there' },
  'unknown-set-tag': { severity: 'error', title: 'a published rule has a set tag that names no set' },
  unreachable: { severity: 'warning', title: 'the gates of the rule can never all be open' },
  'never-violated': { severity: 'warning', title: 'no entity can violate the rule' },
  duplicate: { severity: 'warning', title: 'two rules are violated by the same entities' },
  subsumed: { severity: 'warning', title: 'whatever violates one rule violates the other' },
  'redundant-condition': { severity: 'warning', title: 'a condition does not change the verdict' },
  'duplicate-name': { severity: 'warning', title: 'two rules have the same name' },
  'type-confused-value': { severity: 'warning', title: 'the value is of another type than it is meant as' },
  'redundant-list-entry': { severity: 'info', title: 'a list names the same value twice' },
  'cheaper-operator': { severity: 'info', title: 'the pattern can be a cheaper operator' },
  'set-tag-without-effect': { severity: 'info', title: 'a set tag has a meaning on published rules only' },
  'duplicate-tag': { severity: 'info', title: 'a tag is listed twice' },
  'invisible-name': { severity: 'error', title: 'the name holds a line break or characters that are not shown' },
  'untrimmed-name': { severity: 'info', title: 'the name begins or ends with a space' },
  'similar-name': { severity: 'info', title: 'two names differ in case or forms of characters only' },
} as const satisfies { readonly [code: string]: { readonly severity: FindingSeverity; readonly title: string } }

export type FindingCode = keyof typeof findingCatalogue

/** The codes whose claim is about every possible entity. Only these can have the status `unknown`. */
export const semanticCodes: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'unsatisfiable',
  'contradictory',
  'unreachable',
  'never-violated',
  'duplicate',
  'subsumed',
  'redundant-condition',
])

export interface RuleRef {
  readonly id: string
  readonly name: string
  /** The rule's position in the list that was given. */
  readonly position: number
}

/** One operation of a JSON Patch (RFC 6902) on a single rule. */
export type PatchOperation =
  | { readonly op: 'replace' | 'add'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }

/** A change that keeps every verdict the same. */
export interface FindingFix {
  readonly description: string
  /** The position of the rule to change, in the list that was given. */
  readonly position: number
  readonly patch: readonly PatchOperation[]
}

export interface Finding {
  readonly code: FindingCode
  /** The severity of the code; `info` for every `unknown`. */
  readonly severity: FindingSeverity
  readonly status: 'proved' | 'unknown'
  /** First the rule to change, then the rules it is compared with. */
  readonly rules: readonly RuleRef[]
  /** JSON pointer (RFC 6901) into the first rule; `` for the rule as a whole. */
  readonly pointer: string
  readonly message: string
  /** What the author can do about it. */
  readonly advice: string
  /** Why the claim holds for every entity. For `unknown`: why that could not be decided. */
  readonly reason: string
  /** An entity that shows the finding, evaluated by the engine. */
  readonly witness?: Attributes
  /** Present only when the change is certain to keep every verdict. */
  readonly fix?: FindingFix
}

export interface LintSummary {
  /** The number of rules that were analysed. Inactive, deleted and template rules are not analysed. */
  readonly rules: number
  readonly findings: { readonly [severity in FindingSeverity]: number }
  /**
   * The number of questions about every possible entity that no witness had settled and that the analysis had to
   * decide.
   */
  readonly questions: number
  /**
   * The number of these questions that it could not decide. Each is a finding with status `unknown`, with two
   * exceptions that are only counted: a condition that may be redundant, and a proved subsumption that may be a
   * duplicate.
   */
  readonly unknown: number
  /** The number of claims that are not reported, because they follow from reported ones or exceed `maxPairsPerRule`. */
  readonly notReported: number
  /** The number of pairs that were not compared, because `maxQuestions` was reached. */
  readonly notCompared: number
}
