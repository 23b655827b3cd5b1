/**
 * Resolves the references between rules in force (spec compliance 1.3; ADR 77). A reference is the id of a rule of the
 * set. A reference to a rule outside the set is unavailable, and no rule becomes its target by having that id as its
 * name.
 *
 * INVARIANT: an inherited rule depends only on inherited rules, so that nothing a team subscribes to, leaves or writes
 * opens or closes its gates.
 */
import type { Condition, SourcedRule } from '@plumbline/engine'

/** Names of rules are trimmed, so no name begins with a space. */
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
