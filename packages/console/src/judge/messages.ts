/** Messages between the page and the worker. The engine runs in the worker, so that typing is never delayed. */
import type {
  Attributes,
  EditImpact,
  Finding,
  FindingSeverity,
  ImpactEntity,
  Rule,
  RuleImpact,
  RuleIssue,
} from '@plumbline/engine'

export interface Advice {
  readonly code: string
  readonly severity: FindingSeverity
  readonly message: string
}

export type Question =
  | { readonly kind: 'inventory'; readonly entities: readonly ImpactEntity[] }
  | {
      readonly kind: 'judge'
      readonly id: number
      readonly rule: unknown
      readonly former: unknown
      readonly cases: readonly Case[]
    }
  | { readonly kind: 'lint'; readonly rules: readonly Rule[] }

/** A test of a rule: attributes in the form that rules read, and whether the rule passes them. */
export interface Case {
  readonly name: string
  readonly attributes: Attributes
  readonly expected: 'pass' | 'fail'
}

/** `waiting`: the rule reads the image of a plugin, and the attributes have none. */
export interface CaseResult {
  readonly actual: 'pass' | 'fail' | 'waiting'
  readonly messages: readonly string[]
}

/** A finding of the static analysis, with its first rule as the fix would leave it. */
export interface Linted {
  readonly finding: Finding
  readonly fixed: { readonly before: Rule; readonly after: Rule } | null
}

export interface Verdict {
  readonly id: number
  /** What is wrong with the rule. If there is an issue, the other fields are empty. */
  readonly issues: readonly RuleIssue[]
  readonly advice: readonly Advice[]
  /** The effect on the inventory that the worker received; null for a wrong rule, or without an inventory. */
  readonly impact: RuleImpact | null
  /** Differences to the stored rule; null for a new rule. */
  readonly moved: Pick<EditImpact, 'newlyFailing' | 'newlyPassing'> | null
  /** One result for each case, in their order. Empty for a wrong rule. */
  readonly cases: readonly CaseResult[]
  readonly tookMs: number
}
