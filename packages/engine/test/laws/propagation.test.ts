/** A child organization is never held to less than its parent propagates (spec compliance 4.5 and 17). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Group } from '../../proof/generate/group.js'
import { evaluateRules, mergeRules, type Rule } from '../../src/index.js'
import { choices, groupNumbers, groupOf, idsOf } from './groups.js'

/** Ids and names of a record are unique within one organization, and ids everywhere. */
function recordsOf({ rules }: Group, orgId: string): Rule[] {
  const rename = (reference: string): string => {
    const index = rules.findIndex((rule) => rule.id === reference || rule.name === reference)
    return index < 0 ? reference : `${orgId}-${index}`
  }
  return rules.map((rule, index): Rule => {
    const conditions = rule.conditions?.map((entry) =>
      typeof entry?.dependsOnRule === 'string' ? { ...entry, dependsOnRule: rename(entry.dependsOnRule) } : entry,
    )
    return { ...rule, ...(conditions ? { conditions } : {}), id: `${orgId}-${index}`, name: `n${index}`, orgId }
  })
}

describe('propagation', () => {
  it('keeps every violation that the propagated rules give, whatever the child adds', () => {
    let inheritedViolations = 0
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const group = groupOf(number)
        const inherited = recordsOf(group, 'parent').map((rule) => ({ ...rule, propagateToChildren: true }))
        const own = recordsOf(groupOf(number + 1), 'child')
        const merge = (childRules: readonly Rule[]) =>
          mergeRules({ orgId: 'child', own: childRules, subscriptions: [], inherited, policies: [] })
        for (const { attributes, context } of group.trials) {
          const floor = idsOf(evaluateRules(merge([]), attributes, context).violations)
          const held = idsOf(evaluateRules(merge(own), attributes, context).violations)
          expect(held.filter((id) => id.startsWith('parent-'))).toEqual(floor)
          inheritedViolations += floor.length
        }
      }),
      { numRuns: 200 },
    )
    expect(inheritedViolations).toBeGreaterThan(500)
  })

  it('makes no rule of the child laxer when the parent propagates another rule', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const random = choices(number)
        const group = groupOf(number)
        const own = recordsOf(group, 'child')
        const parent = recordsOf(groupOf(number + 1), 'parent')
        const propagated = parent.map((rule) => ({ ...rule, propagateToChildren: random.chance(60) }))
        const merge = (inherited: readonly Rule[]) =>
          mergeRules({ orgId: 'child', own, subscriptions: [], inherited, policies: [] })
        for (const { attributes, context } of group.trials) {
          const before = idsOf(evaluateRules(merge([]), attributes, context).violations)
          const after = idsOf(evaluateRules(merge(propagated), attributes, context).violations)
          expect(after).toEqual(expect.arrayContaining(before))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('cannot be overridden by a rule of the child with the same name', () => {
    const rule = (orgId: string, value: number): Rule => ({
      id: `${orgId}-timeout`,
      orgId,
      name: 'timeout',
      target: 'plugin',
      field: 'timeout',
      operator: 'lte',
      value,
      propagateToChildren: true,
    })
    const merged = mergeRules({
      orgId: 'child',
      own: [rule('child', 1_000)],
      inherited: [rule('parent', 10)],
      subscriptions: [],
      policies: [],
    })
    expect(idsOf(evaluateRules(merged, { timeout: 60 }).violations)).toEqual(['parent-timeout'])
  })
})
