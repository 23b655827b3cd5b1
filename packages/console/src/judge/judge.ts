/** Evaluates a draft with the same engine as the server. */
import { type ImpactEntity, lintRules, previewEdit, previewImpact, type Rule, validateRule } from '@plumbline/engine'
import type { Verdict } from './messages.js'

const SAMPLES = 10

/** @param former the stored rule that the draft edits; null for a new rule. */
export function judge(
  id: number,
  draft: unknown,
  inventory: readonly ImpactEntity[] | null,
  former: unknown = null,
): Verdict {
  const startMs = performance.now()
  const rule = demandOf(draft)
  const issues = validateRule(rule)
  if (issues.length > 0)
    return { id, issues, advice: [], impact: null, moved: null, tookMs: performance.now() - startMs }
  const valid = rule as unknown as Rule
  const advice = lintRules([valid]).map(({ code, severity, message }) => ({ code, severity, message }))
  return { id, issues, advice, ...hits(valid, inventory, former), tookMs: performance.now() - startMs }
}

function hits(
  rule: Rule,
  inventory: readonly ImpactEntity[] | null,
  former: unknown,
): Pick<Verdict, 'impact' | 'moved'> {
  if (inventory === null) return { impact: null, moved: null }
  const before = former === null ? null : (demandOf(former) as unknown as Rule)
  if (before === null || before.target !== rule.target || validateRule(before).length > 0) {
    return { impact: previewImpact([rule], inventory, { maxSamples: SAMPLES })[0] ?? null, moved: null }
  }
  const { after, ...moved } = previewEdit(before, rule, inventory, { maxSamples: SAMPLES })
  return { impact: after, moved }
}

/** Leaves out the mode. It belongs to the organization, and the engine knows only the rule itself. */
function demandOf(draft: unknown): object {
  const { mode: _, ...demand } = draft as Record<string, unknown>
  return { id: 'draft', ...demand }
}
