/**
 * Running a plan on one entity.
 *
 * First every field is read and its checks run, by field; then the rules are decided in order. INVARIANT: an evaluator
 * keeps nothing of an entity after it returns, and a nested evaluation (a getter that evaluates) gets its own space.
 */
import type { Plan } from '../compile/plan.js'
import type { Attributes, BriefEvaluation, Evaluation, EvaluationContext, EvaluationOf } from '../types.js'
import { parseNow } from '../value/instant.js'
import { decide, decideBrief, summed } from './decide.js'
import { applicableExemptions } from './exemptions.js'
import { RootKeys } from './read-fields.js'
import { runChecks, Space } from './space.js'

type Judge<Shown> = (
  plan: Plan,
  space: Space,
  nowMs: number,
  exemptions: ReadonlyMap<string, string> | null,
  redact: boolean,
) => EvaluationOf<Shown>

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

  run(attributes: Attributes, context: EvaluationContext | undefined): Evaluation {
    return this.#judge(attributes, context, decide)
  }

  brief(attributes: Attributes, context: EvaluationContext): BriefEvaluation {
    return this.#judge(attributes, context, decideBrief)
  }

  #judge<Shown>(
    attributes: Attributes,
    context: EvaluationContext | undefined,
    judge: Judge<Shown>,
  ): EvaluationOf<Shown> {
    const space = this.#space ?? new Space(this.plan)
    this.#space = null
    try {
      this.#rootKeys.read(attributes, space.values)
      runChecks(this.plan, space)
      const nowMs = context === undefined ? Number.NaN : parseNow(context.now)
      const exemptions = context === undefined ? null : applicableExemptions(context, nowMs)
      if (this.plan.clean && space.outcome.count === 0 && exemptions === null)
        return summed(this.plan, [], [], [], [], this.plan.issueCount)
      return judge(this.plan, space, nowMs, exemptions, this.#redact)
    } finally {
      space.clear()
      this.#space = space
    }
  }
}
