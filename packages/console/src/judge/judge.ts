/** The verdict on a draft, by the engine that the server uses. */
import { type ImpactEntity, lintRules, previewImpact, type Rule, validateRule } from '@plumbline/engine'
import type { Verdict } from './messages.js'

const SAMPLES = 10

export function judge(id: number, draft: unknown, inventory: readonly ImpactEntity[] | null): Verdict {
  const startMs = performance.now()
  // How a rule acts is the organization's to say; the engine knows what it demands.
  const { mode: _, ...demand } = draft as Record<string, unknown>
  const rule = { id: 'draft', ...demand }
  const issues = validateRule(rule)
  if (issues.length > 0) return { id, issues, advice: [], impact: null, tookMs: performance.now() - startMs }
  const valid = rule as unknown as Rule
  const advice = lintRules([valid]).map(({ code, severity, message }) => ({ code, severity, message }))
  const impact = inventory === null ? null : (previewImpact([valid], inventory, { maxSamples: SAMPLES })[0] ?? null)
  return { id, issues, advice, impact, tookMs: performance.now() - startMs }
}
