/** What the operations and jobs of this domain share in one process. Made when it is first asked for. */
import type { Runtime } from '../runtime/operation/context.js'
import { createRuleSets, type RuleSets } from './rule-set/cache.js'

/** Rules that are kept compiled, over all organizations. */
const RULES_KEPT_MAX = 50_000

export interface ComplianceServices {
  readonly ruleSets: RuleSets
}

const made = new WeakMap<Runtime, ComplianceServices>()

export function complianceOf({ runtime }: { readonly runtime: Runtime }): ComplianceServices {
  const known = made.get(runtime)
  if (known !== undefined) return known
  const { clock, settings } = runtime
  const services: ComplianceServices = {
    ruleSets: createRuleSets({
      clock,
      ttlMs: settings.CACHE_TTL_COMPLIANCE_RULES * 1000,
      rulesMax: RULES_KEPT_MAX,
      regexLengthMax: settings.COMPLIANCE_MAX_REGEX_LENGTH,
    }),
  }
  made.set(runtime, services)
  return services
}
