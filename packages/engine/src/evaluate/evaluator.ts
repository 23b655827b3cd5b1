/**
 * Runs a plan on one entity.
 *
 * Every field is read and its checks run first, by field. Then the rules are decided in order. INVARIANT: an evaluator
 * keeps nothing of an entity after it returns. A nested evaluation (a getter that evaluates) gets its own scratch
 * space.
 */
import type { Plan } from '../compile/plan.js'
import type { Attributes, BriefContext, BriefViolation, EvaluationContext, EvaluationOf, Violation } from '../types.js'
import { parseNow } from '../value/instant.js'
import { decide, type OnExempt, summed } from './decide.js'
import { applicableExemptions } from './exemptions.js'
import { RootKeys } from './read-fields.js'
import { runChecks, Space } from './space.js'

export class Evaluator {
  readonly plan: Plan
  readonly #redact: boolean
  readonly #rootKeys: RootKeys
  #space: Space | null

  constructor(plan: Plan, redact: boolean) {
    this.plan = plan
    this.#redact = redact
    this.#rootKeys = new RootKeys(plan)
    this.#space = new Space(plan)
  }

  run(
    attributes: Attributes,
    context: EvaluationContext | BriefContext | undefined,
    waived?: OnExempt,
  ): EvaluationOf<Violation | BriefViolation> {
    const space = this.#space ?? new Space(this.plan)
    this.#space = null
    try {
      this.#rootKeys.read(attributes, space.values)
      runChecks(this.plan, space)
      const nowMs = parseNow(context?.now)
      const exemptions = applicableExemptions(context, nowMs)
      if (this.plan.clean && space.outcome.count === 0 && exemptions === null)
        return summed(this.plan, [], [], [], [], this.plan.issueCount)
      const isBrief = (context as Partial<BriefContext> | undefined)?.detail === 'brief'
      return decide(this.plan, space, nowMs, exemptions, this.#redact, isBrief, waived)
    } finally {
      space.clear()
      this.#space = space
    }
  }
}
