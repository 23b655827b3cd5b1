/** The closed sets of the rule record, as lists. The compiler holds each equal to its type in `types.ts`. */
import type { ConditionMode, RuleScope, Severity, Target } from '../types.js'

/** Lists the members of a union, each exactly once. A missing or unknown member does not compile. */
const everyOf =
  <Union extends string>() =>
  <const List extends readonly Union[]>(
    list: List & ([Union] extends [List[number]] ? unknown : never),
  ): readonly Union[] =>
    list

export const targets = everyOf<Target>()(['plugin', 'pipeline'])
export const severities = everyOf<Severity>()(['warning', 'error', 'critical'])
export const scopes = everyOf<RuleScope>()(['org', 'published'])
export const conditionModes = everyOf<ConditionMode>()(['all', 'any'])
