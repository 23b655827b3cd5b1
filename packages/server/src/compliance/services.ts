/** What the operations and jobs of this domain share in one process. Made when it is first asked for. */

import { createEgress, type Egress } from '../runtime/egress/egress.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { createSecretBox, type SecretBox } from '../runtime/secret-box.js'
import { createQuestions, type Questions } from './questions.js'
import { createRuleSets, type RuleSets } from './rule-set/cache.js'

/** Rules that are kept compiled, over all organizations. */
const RULES_KEPT_MAX = 50_000

export interface ComplianceServices {
  readonly ruleSets: RuleSets
  /** Turns of what looks at a whole inventory. */
  readonly questions: Questions
  /** For webhook secrets. @throws Error in a process without SECRET_ENCRYPTION_KEYS. */
  box(): SecretBox
  /** The way to webhooks. */
  egress(): Egress
}

const servicesOf = perRuntime((runtime): ComplianceServices => {
  const { clock, settings } = runtime
  const egress = createEgress()
  let box: SecretBox | null = null
  return {
    ruleSets: createRuleSets({
      clock,
      ttlMs: settings.CACHE_TTL_COMPLIANCE_RULES * 1000,
      rulesMax: RULES_KEPT_MAX,
      regexLengthMax: settings.COMPLIANCE_MAX_REGEX_LENGTH,
    }),
    questions: createQuestions(),
    box() {
      box ??= createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? [])
      return box
    },
    egress: () => runtime.egress ?? egress,
  }
})

export const complianceOf = ({ runtime }: { readonly runtime: Runtime }): ComplianceServices => servicesOf(runtime)
