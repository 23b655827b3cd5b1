import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { generateGroup } from '../../proof/generate/group.js'
import { Random } from '../../proof/random.js'
import { HOSTILE_PIECES } from '../../test/support/hostile-pieces.js'
import { loadIsolated, loadModule } from '../../test/support/load-module.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, Evaluation, EvaluationContext, Rule, RuleSet } from '../types.js'
import { StandaloneError, toModule } from './index.js'

const rule = (name: string, parts: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'name',
  operator: 'eq',
  value: 'a',
  ...parts,
})

/** The same verdict, key order included. */
function expectSame(ruleSet: RuleSet, source: string, cases: readonly (readonly [Attributes, EvaluationContext?])[]) {
  const evaluate = loadModule(source)
  for (const [attributes, context] of cases) {
    const expected = ruleSet.evaluate(attributes, context)
    const actual = evaluate(attributes, context)
    if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected)
    expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
  }
}

/** A pattern that is neither linear on RegExp nor a small table. */
const FOREIGN = 'a[ab]{30}[cd]'

describe('a standalone module', () => {
  it.each(['import', 'inline'] as const)('gives the verdicts of the rule set it was made from (%s)', (regex) => {
    const seen = { violations: 0, skipped: 0, passed: 0 }
    for (let seed = 0; seed < 220; seed += 1) {
      const { rules, redact, trials } = generateGroup(new Random(seed, regex === 'inline' ? 1 : 2))
      const ruleSet = compileRules(rules, { redact })
      expectSame(
        ruleSet,
        toModule(ruleSet, { regex }),
        trials.map(({ attributes, context }) => {
          const { violations, skipped, passed } = ruleSet.evaluate(attributes, context)
          seen.violations += violations.length
          seen.skipped += skipped.length
          seen.passed += passed ? 1 : 0
          return [attributes, context]
        }),
      )
    }
    expect(Math.min(seen.violations, seen.skipped, seen.passed)).toBeGreaterThan(150)
  })

  it('gives them for rule sets too large for one function', () => {
    const random = new Random(5)
    const groups = Array.from({ length: 120 }, (_, seed) => generateGroup(new Random(seed, 3)))
    const rules = groups.flatMap(({ rules: some }, group) =>
      some.map((each, at) => ({ ...each, id: `${group}-${at}`, name: `${each.name} ${group}-${at}` })),
    )
    const gated = rules.map((each, at) =>
      at % 7 === 0
        ? {
            ...each,
            conditions: [{ dependsOnRule: rules[random.below(at + 1)]?.id ?? '' }, ...(each.conditions ?? [])],
          }
        : each,
    )
    expect(gated.length).toBeGreaterThan(300)
    const ruleSet = compileRules(gated)
    const cases = groups.flatMap(({ trials }) =>
      trials.slice(0, 1).map((trial) => [trial.attributes, trial.context] as const),
    )
    expectSame(ruleSet, toModule(ruleSet), cases)
  })

  it('runs without Node globals and without making code from strings', () => {
    const rules = [
      rule('format', { operator: 'regex', value: '^[a-z]+$' }),
      rule('tail', { operator: 'regex', value: 'a[a-z]+x' }),
      rule('foreign', { operator: 'regex', value: FOREIGN }),
      rule('date', { effectiveFrom: '2026-01-01T00:00:00Z' }),
      rule('tags', { field: 'tags', operator: 'contains', value: 'A' }),
    ]
    const ruleSet = compileRules(rules)
    const source = toModule(ruleSet, { regex: 'inline' })
    const evaluate = loadIsolated(source)
    for (const attributes of [{ name: 'a', tags: ['a'] }, { name: 'x1' }, {}]) {
      const context = { now: 0, target: 'plugin' } as const
      expect(evaluate(JSON.stringify(attributes), JSON.stringify(context))).toBe(
        JSON.stringify(ruleSet.evaluate(attributes, context)),
      )
    }
    expect(source).not.toMatch(/\b(import|require|process|globalThis|eval|Function)\b\s*[({."']/)
  })

  it('imports the engine only for a pattern that needs it', () => {
    const plain = compileRules([rule('a', { operator: 'regex', value: 'a[a-z]+x' })])
    expect(toModule(plain)).not.toMatch(/^import /m)
    const foreign = compileRules([rule('a', { operator: 'regex', value: FOREIGN })])
    expect(toModule(foreign)).toMatch(/^import { RE2JS } from "re2js"$/m)
    expect(toModule(foreign, { regex: 'inline' })).not.toMatch(/^import /m)
    const texts = [`${'a'.repeat(40)}c`, 'b😀', `${'ab'.repeat(18)}d`, 'a'.repeat(70_000)]
    for (const regex of ['import', 'inline'] as const) {
      expectSame(
        foreign,
        toModule(foreign, { regex }),
        texts.map((name) => [{ name }]),
      )
    }
  })

  it('names the rules whose patterns need an engine when that is refused', () => {
    const ruleSet = compileRules([
      rule('fine', { operator: 'regex', value: '^a' }),
      rule('one', { id: 'id-1', operator: 'regex', value: FOREIGN }),
      rule('two', { conditions: [{ field: 'x', operator: 'regex', value: `${FOREIGN}$` }] }),
    ])
    let error: unknown
    try {
      toModule(ruleSet, { regex: 'reject' })
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(StandaloneError)
    expect(error).toMatchObject({ rules: ['id-1', 'two'] })
    expect(String(error)).toContain('id-1, two')
  })

  it('turns a fault of the imported engine into a violation, never into no match', () => {
    const ruleSet = compileRules([rule('a', { operator: 'regex', value: FOREIGN })])
    const broken = toModule(ruleSet).replace('RE2JS.compile(source)', '(() => { throw new Error("no memory") })()')
    const { violations, issues } = loadModule(broken)({ name: 'aaa' })
    expect(violations).toMatchObject([{ ruleId: 'a', issue: 'regex_engine', actualValue: null }])
    expect(issues).toBe(1)
  })

  it('refuses attributes that are not an object, as the engine does', () => {
    const evaluate = loadModule(toModule(compileRules([rule('a')])))
    for (const attributes of [null, 1, 'a', [], undefined]) {
      expect(() => evaluate(attributes as never)).toThrow(new TypeError('attributes must be an object'))
    }
  })

  it('sees own members only, whatever the prototype holds', () => {
    const ruleSet = compileRules([
      rule('polluted', { field: 'polluted', operator: 'notExists' }),
      rule('nested', { field: 'a.polluted', operator: 'notExists' }),
      rule('constructor', { field: 'constructor', operator: 'notExists' }),
      rule('proto', { field: '__proto__.polluted', operator: 'notExists' }),
      rule('method', { field: 'a.toString', operator: 'notExists' }),
    ])
    const source = toModule(ruleSet)
    const inherited = Object.create({ polluted: 1, a: { polluted: 1 } })
    const nested = { a: Object.create({ polluted: 1 }) }
    const cases = [
      [{ a: {} }],
      [inherited],
      [nested],
      [JSON.parse('{"__proto__":{"polluted":1},"constructor":2}')],
    ] as const
    expectSame(ruleSet, source, cases)
    expect(loadModule(source)(inherited).passed).toBe(true)
    expect(loadModule(source)({ polluted: 1 }).passed).toBe(false)
    const evaluate = loadModule(source)
    Object.defineProperty(Object.prototype, 'polluted', {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    let polluted: Evaluation
    try {
      polluted = evaluate({ a: {} })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted')
    }
    expect(polluted.violations).toEqual([])
  })

  it('keeps nothing of an entity: two evaluations share no container', () => {
    const evaluate = loadModule(toModule(compileRules([rule('a', { field: 'list', operator: 'countGt', value: 9 })])))
    const list = [{ deep: [1] }]
    const [one, two] = [evaluate({ list }), evaluate({ list })]
    expect(one).toEqual(two)
    expect(one.violations[0]?.actualValue).not.toBe(list)
    expect(one.violations[0]?.actualValue).not.toBe(two.violations[0]?.actualValue)
    expect(one.violations).not.toBe(two.violations)
  })

  it('takes 10,000 hostile names, values and patterns as data', () => {
    const random = new Random(77)
    const hostile = (): string => {
      let text = ''
      for (let pieces = random.below(5); pieces >= 0; pieces -= 1) text += random.pick(HOSTILE_PIECES)
      return text
    }
    let items = 0
    for (let batch = 0; batch < 20; batch += 1) {
      const rules = Array.from({ length: 100 }, (_, at): Rule => {
        items += 5
        const key = hostile()
        return {
          id: `${at} ${hostile()}`,
          name: `${at} ${hostile()}`,
          description: hostile(),
          target: 'plugin',
          field: `["${key.replace(/[\\"]/g, '\\$&')}"]`,
          operator: random.pick(['eq', 'neq', 'contains', 'in', 'regex'] as const),
          value: random.chance(30) ? [hostile(), { [hostile()]: hostile() }] : hostile(),
          severity: random.pick(['warning', hostile() as 'error']),
          policyIds: [hostile()],
        }
      })
      const ruleSet = compileRules(rules)
      const source = toModule(ruleSet, { regex: 'inline' })
      expect(source).toMatch(/^[\n -~]*$/)
      expect(source).not.toContain('</script')
      const attributes = Object.fromEntries(
        rules.map((each) => [hostile(), random.chance(50) ? hostile() : each.value]),
      )
      expectSame(ruleSet, source, [[attributes], [{}]])
    }
    expect(items).toBe(10_000)
  })
})
