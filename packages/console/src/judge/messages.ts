/** What the page and the worker say to one another. The engine of the server runs in the worker, so that typing never waits. */
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
  /** What is wrong with the rule; nothing else is known of a wrong one. */
  readonly issues: readonly RuleIssue[]
  readonly advice: readonly Advice[]
  /** What it would do to the inventory that the worker was given; null for a wrong rule, or without an inventory. */
  readonly impact: RuleImpact | null
  /** What moves against the rule as it is stored; null for a new rule. */
  readonly moved: Pick<EditImpact, 'newlyFailing' | 'newlyPassing'> | null
  readonly tookMs: number
}
