import { describe, expect, it } from 'vitest'
import { createSafeRegex } from '../regex/index.js'
import type { Rule } from '../types.js'
import { type ImpactEntity, previewImpact, previewImpactAsync } from './preview-impact.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'lte',
  value: 5,
  ...more,
})
const entities = (count: number): ImpactEntity[] =>
  Array.from({ length: count }, (_, i) => ({ id: `e${i}`, name: `n${i}`, target: 'plugin', attributes: { x: i } }))

describe('previewImpact', () => {
  it('counts per rule and names failing entities by id', () => {
    expect(previewImpact([rule('a')], entities(8).reverse())).toEqual([
      {
        ruleId: 'a',
        ruleName: 'a',
        target: 'plugin',
        total: 8,
        wouldPass: 6,
        wouldFail: 2,
        waiting: 0,
        truncated: false,
        samples: [
          { entityType: 'plugin', entityId: 'e6', entityName: 'n6', messages: ['`x` must be at most 5'] },
          { entityType: 'plugin', entityId: 'e7', entityName: 'n7', messages: ['`x` must be at most 5'] },
        ],
      },
    ])
  })

  it('keeps the samples with the smallest ids, whatever the order', () => {
    for (const order of [entities(100), entities(100).reverse()]) {
      const [impact] = previewImpact([rule('a', { value: -1 })], order, { maxSamples: 3 })
      expect(impact?.samples.map(({ entityId }) => entityId)).toEqual(['e0', 'e1', 'e10'])
    }
    expect(previewImpact([rule('a', { value: -1 })], entities(30))[0]?.samples).toHaveLength(10)
    expect(previewImpact([rule('a', { value: -1 })], entities(3), { maxSamples: 0 })[0]?.samples).toEqual([])
  })

  it('keeps entities of one id in the order in which they are read', () => {
    const twins = ['first', 'second', 'third'].map((name) => ({ id: 'e', name, attributes: {} }))
    const [impact] = previewImpact([rule('a')], twins, { maxSamples: 2 })
    expect(impact?.samples.map(({ entityName }) => entityName)).toEqual(['first', 'second'])
  })

  it('evaluates gates among the rules of the target of the entity', () => {
    const rules = [
      rule('n', { id: '1' }),
      rule('n', { id: '2', target: 'pipeline' }),
      rule('heir', { conditions: [{ dependsOnRule: 'n' }, { field: 'y', operator: 'exists' }] }),
    ]
    const heir = (entity: object) =>
      previewImpact(rules, [{ id: '1', attributes: { x: 1 }, ...entity }], { gates: 'evaluate' }).find(
        ({ ruleId }) => ruleId === 'heir',
      )
    // The name is unique among the rules for plugins, and only there.
    expect(heir({ target: 'plugin' })).toMatchObject({ wouldPass: 0, wouldFail: 1 })
    expect(heir({})).toMatchObject({ wouldPass: 0, wouldFail: 0 })
  })

  it('stops after the given number of entities and says so', () => {
    let read = 0
    function* endless() {
      for (;;) yield entities(1 + read++)[read - 1] as ImpactEntity
    }
    expect(previewImpact([rule('a')], endless(), { maxEntities: 20 })[0]).toMatchObject({ total: 20, truncated: true })
    expect(read).toBe(21)
    expect(previewImpact([rule('a')], entities(20), { maxEntities: 20 })[0]).toMatchObject({
      total: 20,
      truncated: false,
    })
  })

  it('holds entities against the rules of their target, or of both when they name none', () => {
    const rules = [rule('a'), rule('b', { target: 'pipeline' })]
    const totals = (given: ImpactEntity) => previewImpact(rules, [given]).map(({ ruleId, total }) => [ruleId, total])
    expect(totals({ id: '1', target: 'pipeline', attributes: {} })).toEqual([
      ['a', 0],
      ['b', 1],
    ])
    expect(totals({ id: '1', target: 'plugin', attributes: {} })).toEqual([
      ['a', 1],
      ['b', 0],
    ])
    expect(totals({ id: '1', attributes: {} })).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })

  it('asks about the check itself: dates, activity and templates are ignored', () => {
    const dormant = {
      isActive: false,
      isTemplate: true,
      effectiveUntil: '2000-01-01T00:00:00Z',
      deletedAt: '2000-01-01T00:00:00Z',
    }
    expect(previewImpact([rule('a', dormant)], entities(8))[0]).toMatchObject({ total: 8, wouldFail: 2 })
  })

  const gated: Rule[] = [
    rule('a'),
    { name: 'b', target: 'plugin', conditions: [{ dependsOnRule: 'a' }, { field: 'x', operator: 'lt', value: 3 }] },
    { name: 'c', target: 'plugin', conditions: [{ field: 'x', operator: 'lt', value: 3, dependsOnRule: 'nowhere' }] },
  ]

  it('treats gates as open unless asked to evaluate them', () => {
    expect(previewImpact(gated, entities(8)).map(({ ruleId, wouldFail }) => [ruleId, wouldFail])).toEqual([
      ['a', 2],
      ['b', 5],
      ['c', 5],
    ])
    const evaluated = previewImpact(gated, entities(8), { gates: 'evaluate' })
    expect(evaluated.map(({ ruleId, total, wouldPass, wouldFail }) => [ruleId, total, wouldPass, wouldFail])).toEqual([
      ['a', 8, 6, 2],
      ['b', 8, 3, 3],
      ['c', 8, 0, 0],
    ])
  })

  it('lets rules about an image wait for it, with what depends on them', () => {
    const rules: Rule[] = [
      { name: 'a', target: 'plugin', field: 'builtImage.user', operator: 'eq', value: 'app' },
      { name: 'b', target: 'plugin', conditions: [{ dependsOnRule: 'a' }, { field: 'x', operator: 'eq', value: 1 }] },
    ]
    const some: ImpactEntity[] = [
      { id: '1', target: 'plugin', attributes: { x: 2 } },
      { id: '2', target: 'plugin', attributes: { x: 2, builtImage: { user: 'app' } } },
      { id: '3', target: 'plugin', attributes: { x: 2, builtImage: { user: 'root' } } },
    ]
    const counts = (gates: 'open' | 'evaluate') =>
      previewImpact(rules, some, { gates }).map(({ total, wouldPass, wouldFail, waiting }) => [
        total,
        wouldPass,
        wouldFail,
        waiting,
      ])
    expect(counts('open')).toEqual([
      [3, 1, 1, 1],
      [3, 0, 3, 0],
    ])
    expect(counts('evaluate')).toEqual([
      [3, 1, 1, 1],
      [3, 0, 1, 0],
    ])
  })

  it('keeps a rule of gates alone misconfigured', () => {
    const rules: Rule[] = [{ name: 'a', target: 'plugin', conditions: [{ dependsOnRule: 'b' }] }]
    expect(previewImpact(rules, entities(2))[0]).toMatchObject({ wouldFail: 2 })
  })

  it('counts an entity over a limit as failing everything', () => {
    const wide = { id: 'w', target: 'plugin' as const, attributes: { x: 1, y: 2 } }
    const [impact] = previewImpact([rule('a')], [wide], { limits: { keys: 1 } })
    expect(impact).toMatchObject({ total: 1, wouldFail: 1 })
    expect(impact?.samples[0]?.messages).toEqual(['the attributes exceed the limit `keys`: 2, at most 1'])
  })

  it('asks about rules that begin later', () => {
    expect(previewImpact([rule('a', { effectiveFrom: '2999-01-01T00:00:00Z' })], entities(8))[0]).toMatchObject({
      total: 8,
      wouldFail: 2,
    })
  })

  it('counts a rule of no known target as failing for entities of both', () => {
    const lost = rule('a', { target: 'job' as 'plugin' })
    for (const target of ['plugin', 'pipeline'] as const) {
      const [impact] = previewImpact([lost], [{ id: '1', target, attributes: { x: 1 } }])
      expect(impact).toMatchObject({ total: 1, wouldPass: 0, wouldFail: 1 })
    }
  })

  it('names an entity without target or name by its id alone', () => {
    const [impact] = previewImpact([rule('a')], [{ id: '1', attributes: {} }])
    expect(impact?.samples).toEqual([
      { entityType: null, entityId: '1', entityName: null, messages: ['`x` must be at most 5'] },
    ])
  })

  it('reads rules that hold neither a list of conditions nor objects in it', () => {
    const of = (conditions: unknown) =>
      previewImpact([rule('a', { conditions } as Partial<Rule>)], entities(8))[0]?.wouldFail
    const check = { field: 'x', operator: 'lte', value: 5 }
    expect([of([]), of(null), of([null]), of([5])]).toEqual([2, 2, 8, 8])
    expect([of([check]), of([check, 5]), of([check, {}]), of([check, null])]).toEqual([2, 8, 8, 8])
    expect(of([{ dependsOnRule: 'b' }, null])).toBe(8)
  })

  it('asks the single check of no rule that has gates', () => {
    const [impact] = previewImpact([rule('a', { conditions: [{ dependsOnRule: 'b' }] })], entities(2))
    expect(impact?.samples[0]?.messages[0]).not.toContain('at most 5')
    expect(impact?.wouldFail).toBe(2)
  })

  it('takes the limits, the regex engine and the redaction of the caller', () => {
    const safe = createSafeRegex()
    const compiled: string[] = []
    const regex = {
      check: safe.check.bind(safe),
      cost: safe.cost.bind(safe),
      compile: (pattern: string) => {
        compiled.push(pattern)
        return safe.compile(pattern)
      },
    }
    const matching = rule('a', { operator: 'regex', value: 'abc' })
    previewImpact([matching], entities(1), { regex })
    expect(compiled).toEqual(['abc'])
    const secret = rule('a', { field: 'token', operator: 'eq', value: 's3cret' })
    const message = (redact?: boolean) =>
      previewImpact([secret], entities(1), redact === undefined ? {} : { redact })[0]?.samples[0]?.messages[0]
    expect(message()).not.toContain('s3cret')
    expect(message(false)).toContain('s3cret')
    expect(
      previewImpact([matching], [{ id: '1', attributes: { x: 'abc' } }], { limits: { regexLength: 2 } }),
    ).toMatchObject([{ wouldFail: 1 }])
  })

  it('reads asynchronous sources alike', async () => {
    async function* cursor() {
      yield* entities(8)
    }
    expect(await previewImpactAsync(gated, cursor())).toEqual(previewImpact(gated, entities(8)))
    expect(await previewImpactAsync(gated, entities(8), { maxEntities: 3 })).toEqual(
      previewImpact(gated, entities(8), { maxEntities: 3 }),
    )
  })
})
