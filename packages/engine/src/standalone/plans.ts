/** The plans that a module is written from: one for the whole rule set, and one for each target where that differs. */
import type { Plan } from '../compile/plan.js'
import { compilationOf } from '../rule-set/compile-rules.js'
import type { RuleSet, Target } from '../types.js'

export interface Plans {
  readonly whole: Plan
  /** Null when the plan of the target equals the whole plan. */
  readonly plugin: Plan | null
  readonly pipeline: Plan | null
  /** For any other target: only the rules without a known target. */
  readonly other: Plan | null
}

export function plansOf(ruleSet: RuleSet): Plans {
  const compilation = compilationOf(ruleSet)
  const whole = compilation.planFor(undefined)
  const partOf = (target: string): Plan | null => {
    const part = compilation.planFor(target as Target)
    return part === whole ? null : part
  }
  return { whole, plugin: partOf('plugin'), pipeline: partOf('pipeline'), other: partOf('') }
}
