/** Evaluates a draft with the same engine as the server. */
import {
  applyFixes,
  effectiveAttributes,
  type ImpactEntity,
  lintRules,
  previewEdit,
  previewImpact,
  type Rule,
  validateRule,
} from '@plumbline/engine'
import type { Case, CaseResult, Linted, Verdict } from './messages.js'

const SAMPLES = 10

export function judge(
  { id, rule: draft, former = null, cases = [] }: Asked,
  inventory: readonly ImpactEntity[] | null,
): Verdict {
  const startMs = performance.now()
  const rule = demandOf(draft)
  const issues = validateRule(rule)
  if (issues.length > 0)
    return { id, issues, advice: [], impact: null, moved: null, cases: [], tookMs: performance.now() - startMs }
  const valid = rule as unknown as Rule
  const advice = lintRules([valid]).map(({ code, severity, message }) => ({ code, severity, message }))
  return {
    ...{ id, issues, advice, ...hits(valid, inventory, former) },
    cases: cases.map((each) => resultOf(valid, each)),
    tookMs: performance.now() - startMs,
  }
}

interface Asked {
  readonly id: number
  readonly rule: unknown
  /** The stored rule that the draft edits; null for a new rule. */
  readonly former?: unknown
  readonly cases?: readonly Case[]
}

function resultOf(rule: Rule, { name, attributes }: Case): CaseResult {
  const effective = effectiveAttributes(rule.target, attributes).attributes
  const [impact] = previewImpact([rule], [{ id: name, target: rule.target, attributes: effective }])
  const messages = impact?.samples.flatMap((sample) => sample.messages) ?? []
  return { actual: impact?.wouldFail === 1 ? 'fail' : impact?.waiting === 1 ? 'waiting' : 'pass', messages }
}

/** The findings of the static analysis about these rules together. */
export const lint = (rules: readonly Rule[]): readonly Linted[] =>
  lintRules(rules).map((finding) => {
    const at = finding.fix?.position
    const before = at === undefined ? undefined : rules[at]
    const after = at === undefined ? undefined : applyFixes(rules, [finding]).rules[at]
    return { finding, fixed: before === undefined || after === undefined ? null : { before, after } }
  })

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
