/**
 * What the references of rules in force lead to (spec compliance 1.3; ADR 77). A reference is the id of a rule of
 * the set; one that leads out of it is unavailable, and no name that somebody gives to a rule may stand in for it.
 *
 * INVARIANT: a rule that is handed down looks at rules that are handed down, so that nothing a team subscribes to, leaves or
 * writes opens or closes its gates.
 */
import type { Condition, SourcedRule } from '@plumbline/engine'

/** The names of rules are trimmed: none begins so. */
const OUT_OF_REACH = ' '

export function withinReach(rules: readonly SourcedRule[]): SourcedRule[] {
  const all = idsOf(rules)
  const handedDown = idsOf(rules.filter(({ source }) => source === 'inherited'))
  return rules.map((rule) => {
    // guard: a-rule-that-is-handed-down-looks-at-what-is-handed-down
    const reached = rule.source === 'inherited' ? handedDown : all
    const leadsOut = ({ dependsOnRule }: Condition): boolean =>
      dependsOnRule !== undefined && !reached.has(dependsOnRule)
    const { conditions } = rule
    if (conditions === undefined || conditions === null || !conditions.some(leadsOut)) return rule
    const kept = conditions.map((each) =>
      leadsOut(each) ? ({ ...each, dependsOnRule: `${OUT_OF_REACH}${each.dependsOnRule}` } as Condition) : each,
    )
    return { ...rule, conditions: kept }
  })
}

const idsOf = (rules: readonly SourcedRule[]): ReadonlySet<string> => new Set(rules.map(({ id, name }) => id ?? name))
