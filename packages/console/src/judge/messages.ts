/** Messages between the page and the worker. The engine runs in the worker, so that typing is never delayed. */
import type { EditImpact, FindingSeverity, ImpactEntity, RuleImpact, RuleIssue } from '@plumbline/engine'

export interface Advice {
  readonly code: string
  readonly severity: FindingSeverity
  readonly message: string
}

export type Question =
  | { readonly kind: 'inventory'; readonly entities: readonly ImpactEntity[] }
  | { readonly kind: 'judge'; readonly id: number; readonly rule: unknown; readonly former: unknown }

export interface Verdict {
  readonly id: number
  /** What is wrong with the rule. If there is an issue, the other fields are empty. */
  readonly issues: readonly RuleIssue[]
  readonly advice: readonly Advice[]
  /** The effect on the inventory that the worker received; null for a wrong rule, or without an inventory. */
  readonly impact: RuleImpact | null
  /** Differences to the stored rule; null for a new rule. */
  readonly moved: Pick<EditImpact, 'newlyFailing' | 'newlyPassing'> | null
  readonly tookMs: number
}
