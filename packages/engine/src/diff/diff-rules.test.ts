import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, type Rule } from '../index.js'
import { anyRuleSet } from '../testing/index.js'
import { diffRules, renderDiffMarkdown } from './index.js'

const check = (
  name: string,
  field: string,
  operator: Rule['operator'],
  value?: Rule['value'],
  more?: Partial<Rule>,
): Rule => ({
  name,
  target: 'plugin',
  field,
  operator: operator ?? null,
  ...(value === undefined ? {} : { value }),
  ...more,
})

describe('diffRules', () => {
  it('tells a change of meaning from a change of writing', () => {
    const before = [check('a', 'x', 'regex', '^latest$'), check('b', 't', 'lte', 100), check('c', 'y', 'exists')]
    const after = [check('a', 'x', 'eq', 'latest'), check('b', 't', 'lte', 50), check('c', 'y', 'exists')]
    const diff = diffRules(before, after)
    expect(diff.rules.map(({ name, change, keys }) => [name, change, keys])).toEqual([
      ['a', 'cosmetic', ['operator', 'value']],
      ['b', 'changed', ['value']],
    ])
    expect(diff.unchanged).toBe(1)
    expect(diff.rules[1]).toMatchObject({ stricter: { t: 51 }, laxer: null, reason: 'it is stricter' })
  })

  it('says undecided where it cannot separate two versions', () => {
    const before = [check('a', 'x', 'regex', '^[1-9]\\d{2,}$')]
    const after = [
      {
        name: 'a',
        target: 'plugin',
        conditions: [
          { field: 'x', operator: 'regex', value: '^[1-9]\\d{2,}$' },
          { field: 'x', operator: 'gt', value: 99 },
        ],
      },
    ] as const
    expect(diffRules(before, after).rules).toMatchObject([
      { change: 'undecided', reason: expect.stringContaining('pattern') },
    ])
  })

  it('constructs an entity for each way an entity can go', () => {
    const blocked = diffRules([], [check('a', 'x', 'exists')])
    expect(blocked.newlyBlocked.samples).toMatchObject([{ before: 'clean', after: 'blocked', rules: ['a'] }])
    const allowed = diffRules([check('a', 'x', 'exists')], [])
    expect(allowed.newlyAllowed.samples).toMatchObject([{ before: 'blocked', after: 'clean', rules: ['a'] }])
    const warned = diffRules([], [check('a', 'x', 'exists', undefined, { severity: 'warning' })])
    expect(warned.newlyWarned.samples).toMatchObject([{ before: 'clean', after: 'warned', rules: ['a'] }])
    const raised = diffRules(
      [check('a', 'x', 'exists', undefined, { severity: 'warning' })],
      [check('a', 'x', 'exists', undefined, { severity: 'error' })],
    )
    expect(raised.rules).toMatchObject([{ change: 'changed', reason: 'it blocks now' }])
    expect(raised.newlyBlocked.samples).toMatchObject([{ before: 'warned', after: 'blocked' }])
  })

  it('constructs one that only the changed rule stops, whatever the other rules ask for', () => {
    const around = [
      check('described', 'd', 'exists'),
      // Never both with the rule that changes: it only warns, or is of the other target.
      check('warns', 'x', 'lte', 10, { severity: 'warning' }),
      check('job', 'x', 'gt', 1000, { target: 'pipeline' }),
    ]
    const { newlyBlocked, newlyAllowed } = diffRules(
      [check('a', 'x', 'lte', 100), ...around],
      [check('a', 'x', 'lte', 50), ...around],
    )
    expect(newlyBlocked.samples).toMatchObject([{ before: 'warned', after: 'blocked', rules: ['a'] }])
    expect(newlyBlocked.samples[0]?.witness).toMatchObject({ x: 51, d: expect.anything() })
    expect(newlyAllowed.samples).toEqual([])
  })

  it('constructs one where a warning becomes a block beside another rule that warns', () => {
    const other = check('other', 'x', 'lte', 5, { severity: 'warning' })
    const warning = check('a', 'x', 'lte', 5, { severity: 'warning' })
    const { newlyBlocked } = diffRules([warning, other], [{ ...warning, severity: 'error' }, other])
    expect(newlyBlocked.samples).toMatchObject([{ before: 'warned', after: 'blocked', rules: [] }])
    const { newlyAllowed } = diffRules([{ ...warning, severity: 'error' }, other], [warning, other])
    expect(newlyAllowed.samples).toMatchObject([{ before: 'blocked', after: 'warned', rules: [] }])
  })

  it('reads rules by the limits it is given', () => {
    const [before, after] = [[check('a', 'x', 'regex', '^long')], [check('a', 'x', 'regex', '^lung')]]
    expect(diffRules(before, after).rules).toMatchObject([{ change: 'changed' }])
    // Both cannot be evaluated any more, and are violated by every entity.
    expect(diffRules(before, after, { limits: { regexLength: 3 } }).rules).toMatchObject([{ change: 'cosmetic' }])
  })

  it('sees through a dependency whose rule changed', () => {
    const gated: Rule = {
      name: 'g',
      target: 'plugin',
      conditions: [{ dependsOnRule: 'a' }, { field: 'y', operator: 'exists' }],
    }
    const diff = diffRules([check('a', 'x', 'gt', 5), gated], [check('a', 'x', 'gt', 9), gated])
    expect(diff.rules.map(({ name, change }) => [name, change])).toEqual([
      ['a', 'changed'],
      ['g', 'changed'],
    ])
    expect(diff.rules[1]?.keys).toEqual([])
  })

  it('compares given entities, counts all and samples some', () => {
    const entities = Array.from({ length: 25 }, (_, index) => ({
      id: `p${index}`,
      target: 'plugin' as const,
      attributes: { t: index },
    }))
    const diff = diffRules([check('t', 't', 'lte', 20)], [check('t', 't', 'lte', 4)], { entities, maxSamples: 3 })
    expect(diff.entities).toBe(25)
    expect(diff.newlyBlocked.total).toBe(16)
    expect(diff.newlyBlocked.samples.map(({ id, witness }) => [id, witness])).toEqual([
      ['p5', null],
      ['p6', null],
      ['p7', null],
    ])
  })

  it('never calls two rule sets the same that the engine tells apart, and shows no wrong witness', () => {
    const options = { fields: ['a', '$count(a)', 'a.b', 'b'], target: 'plugin', maxLength: 3 } as const
    fc.assert(
      fc.property(anyRuleSet(options), anyRuleSet(options), (before, after) => {
        const diff = diffRules(before, after)
        const [old, now] = [compileRules(before), compileRules(after)]
        const violates = (set: typeof old, entity: Parameters<typeof old.evaluate>[0], id: string) =>
          set.evaluate(entity).violations.some(({ ruleId }) => ruleId === id)
        for (const { id, stricter, laxer } of diff.rules) {
          if (stricter !== null)
            expect([violates(old, stricter, id), violates(now, stricter, id)]).toEqual([false, true])
          if (laxer !== null) expect([violates(old, laxer, id), violates(now, laxer, id)]).toEqual([true, false])
        }
        for (const { witness } of diff.newlyBlocked.samples) {
          if (witness === null) throw new Error('a constructed entity has its attributes')
          expect([old.evaluate(witness).blocked, now.evaluate(witness).blocked]).toEqual([false, true])
        }
        expect(diffRules(before, before).rules).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

describe('renderDiffMarkdown', () => {
  it('lets no name, key or value leave its cell', () => {
    const hostile = 'a|b`c``d\n## owned'
    const markdown = renderDiffMarkdown(diffRules([], [check(hostile, `["x|y\`z"]`, 'eq', '<img>')]))
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '))
    expect(rows).toHaveLength(2)
    expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 6)).toBe(true)
    expect(markdown).not.toContain('\n## owned')
    expect(markdown).toContain('``` a\\|b`c``d ## owned ```')
  })
})
