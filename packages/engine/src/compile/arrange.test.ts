/** The order of evaluation against a naive one, and the cycles that are named. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Condition, Rule } from '../types.js'
import { cycleText } from './arrange.js'

const rule = (name: string, references: readonly string[], more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  conditions: [
    ...references.map((dependsOnRule): Condition => ({ dependsOnRule })),
    { field: 'x', operator: 'exists' },
  ],
  ...more,
})

/** Again and again the best rule whose dependencies are placed, by looking at all that are left. */
const naiveOrder = (
  rules: readonly { id: string; name: string; priority: number; references: readonly string[] }[],
) => {
  const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  const ranked = [...rules].sort((a, b) => b.priority - a.priority || before(a.name, b.name) || before(a.id, b.id))
  const placed: string[] = []
  while (placed.length < rules.length) {
    const next = ranked.find(
      ({ id, references }) => !placed.includes(id) && references.every((each) => placed.includes(each)),
    )
    if (next === undefined) throw new Error('a cycle')
    placed.push(next.id)
  }
  return placed
}

describe('the order of evaluation', () => {
  it('is the naive one for any rules without cycles', () => {
    const shape = fc.record({
      priority: fc.integer({ min: 0, max: 3 }),
      name: fc.constantFrom('a', 'b', 'B', 'c'),
      references: fc.array(fc.nat(), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 40 }), (shapes) => {
        const rules = shapes.map(({ priority, name, references }, index) => ({
          id: `id-${index}`,
          name,
          priority,
          references: index === 0 ? [] : references.map((reference) => `id-${reference % index}`),
        }))
        const given = rules.map(({ id, name, priority, references }) => rule(name, references, { id, priority }))
        expect(compileRules(given).order).toEqual(naiveOrder(rules))
      }),
      { numRuns: 300 },
    )
  })

  it('puts what depends on a cycle behind it, and lets the cycle wait for what it depends on', () => {
    const rules = [
      rule('heir', ['a'], { priority: 9 }),
      rule('a', ['b', 'root'], { priority: 5 }),
      rule('b', ['a']),
      rule('root', []),
      rule('alone', [], { priority: 7 }),
    ]
    const { order } = compileRules(rules)
    expect(order[0]).toBe('alone')
    expect(order.indexOf('root')).toBeLessThan(order.indexOf('a'))
    expect(order.at(-1)).toBe('heir')
  })
})

describe('cycles', () => {
  const ring = (size: number) =>
    Array.from({ length: size }, (_, index) =>
      rule(`r${String(index).padStart(2, '0')}`, [`r${String((index + 1) % size).padStart(2, '0')}`]),
    )
  const cyclesOf = (rules: Rule[]) => compileRules(rules).issues.map(({ cycle }) => cycle)

  it('are named by each member from itself on, the shortest one', () => {
    const rules = [rule('a', ['long', 'b']), rule('b', ['a']), rule('long', ['longer']), rule('longer', ['a'])]
    expect(cyclesOf(rules)).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['long', 'longer', 'a'],
      ['longer', 'a', 'long'],
    ])
  })

  it('of up to 50 members are named by each for itself, larger ones once for all', () => {
    expect(cyclesOf(ring(50)).map((cycle) => cycle?.[0])).toEqual(ring(50).map(({ name }) => name))
    const large = cyclesOf(ring(51))
    expect(new Set(large.map((cycle) => cycle?.join())).size).toBe(1)
    expect(large[0]).toEqual(ring(51).map(({ name }) => name))
  })

  it('beside each other are kept apart', () => {
    expect(cyclesOf([rule('a', ['b']), rule('b', ['a']), rule('c', ['d', 'a']), rule('d', ['c'])])).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'd'],
      ['d', 'c'],
    ])
  })

  it('are shown in words of at most ten ids', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
    expect(cycleText(ids(2))).toBe('0 > 1')
    expect(cycleText(ids(10))).toBe('0 > 1 > 2 > 3 > 4 > 5 > 6 > 7 > 8 > 9')
    expect(cycleText(ids(11))).toBe('0 > 1 > 2 > 3 > 4 > 5 > 6 > 7 > 8 > 9 > … (11 rules)')
  })
})

describe('where a reference leads', () => {
  const outcome = (rules: Rule[], target?: 'plugin' | 'pipeline') => {
    const heir = compileRules([...rules, rule('heir', ['it'])])
    const result = heir.evaluate({ x: 1 }, target === undefined ? {} : { target })
    const violation = result.violations.find(({ ruleId }) => ruleId === 'heir')
    return violation?.issue ?? result.skipped.find(({ ruleId }) => ruleId === 'heir')?.reason ?? 'open'
  }
  const other = { target: 'pipeline' } as const

  it.each<[string, Rule[], string, string]>([
    ['nowhere', [], 'dependency_unavailable', 'dependency_unavailable'],
    ['an id', [rule('n', [], { id: 'it' })], 'open', 'open'],
    ['an id of the other target', [rule('n', [], { id: 'it', ...other })], 'dependency_target', 'dependency_target'],
    ['a name', [rule('it', [], { id: '1' })], 'open', 'open'],
    ['a name in the other target', [rule('it', [], { id: '1', ...other })], 'dependency_target', 'dependency_target'],
    [
      'a name that two rules bear',
      [rule('it', [], { id: '1' }), rule('it', [], { id: '2' })],
      'dependency_unavailable',
      'dependency_unavailable',
    ],
    [
      'a name that two rules of the other target bear',
      [rule('it', [], { id: '1', ...other }), rule('it', [], { id: '2', ...other })],
      'dependency_unavailable',
      'dependency_unavailable',
    ],
    [
      'a name in both targets',
      [rule('it', [], { id: '1' }), rule('it', [], { id: '2', ...other })],
      'dependency_unavailable',
      'open',
    ],
    [
      'a dead id that is a name, too',
      [rule('n', [], { id: 'it', isActive: false }), rule('it', [], { id: '1' })],
      'dependency_unavailable',
      'dependency_unavailable',
    ],
  ])('%s', (_, rules, everywhere, forPlugins) => {
    expect([outcome(rules), outcome(rules, 'plugin')]).toEqual([everywhere, forPlugins])
  })

  it('is any target for a rule whose own target is unknown', () => {
    const lost = rule('lost', ['it'], { target: 'job' as 'plugin' })
    expect(compileRules([lost, rule('it', [], other)]).issues.map(({ code }) => code)).toEqual(['unknown_target'])
  })
})
