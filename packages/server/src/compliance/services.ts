/** Shared by the operations and jobs of this domain in one process; created on first use. */

import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { createQuestions, type Questions } from './inventory-limit.js'
import { createRuleSets, type RuleSets } from './rule-set/cache.js'

/** Compiled rules that are cached, over all organizations. */
const RULES_KEPT_MAX = 50_000

export interface ComplianceServices {
  readonly ruleSets: RuleSets
  /** Limits concurrent requests over a whole inventory. */
  readonly questions: Questions
}

const servicesOf = perRuntime((runtime): ComplianceServices => {
  const { clock, settings } = runtime
  return {
    ruleSets: createRuleSets({
      clock,
      ttlMs: settings.CACHE_TTL_COMPLIANCE_RULES * 1000,
      rulesMax: RULES_KEPT_MAX,
      regexLengthMax: settings.COMPLIANCE_MAX_REGEX_LENGTH,
    }),
    questions: createQuestions(),
  }
})

export const complianceOf = ({ runtime }: { readonly runtime: Runtime }): ComplianceServices => servicesOf(runtime)
