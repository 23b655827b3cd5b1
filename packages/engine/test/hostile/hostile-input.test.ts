/**
 * Hostile input: nothing throws but what is documented, nothing stalls, and `Object.prototype` stays as it was.
 *
 * Time is the processor time of this process, so that a busy machine fails no test; the bound is ten times the guarantee
 * of 50 ms, whose strict figure `npm run proof -- engine` prints.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileAttributes, hostilePath, hostilePattern, hostileRule, hostileText } from '../../proof/hostile-input.js'
import { Random } from '../../proof/random.js'
import {
  type Attributes,
  checkAttributes,
  compileRules,
  createSafeRegex,
  evaluateRules,
  explain,
  FieldPathError,
  parseFieldPath,
  RegexEngineFault,
  type Rule,
  resolveField,
  validateRule,
} from '../../src/index.js'

const STALL_MS = 500

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, RegExp.prototype]
const snapshot = () =>
  prototypes.map((each) =>
    Reflect.ownKeys(each).map((key) => [key, Object.getOwnPropertyDescriptor(each, key)?.value] as const),
  )
let before: ReturnType<typeof snapshot> = []

beforeAll(() => {
  before = snapshot()
})

afterAll(() => {
  expect(snapshot()).toEqual(before)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

/** Runs and fails when it used more processor time than the bound; what it throws is for the caller. */
function bounded<T>(what: () => string, run: () => T): T {
  const start = process.cpuUsage()
  let thrown: unknown = null
  let result: T | undefined
  try {
    result = run()
  } catch (error) {
    thrown = error ?? new Error('nothing thrown')
  }
  const { user, system } = process.cpuUsage(start)
  const ms = (user + system) / 1000
  if (ms > STALL_MS) throw new Error(`${ms.toFixed(0)} ms on ${what().slice(0, 300)}`)
  if (thrown !== null) throw thrown
  return result as T
}

describe('hostile paths', () => {
  it('are parsed or refused, 10,000 of them, and read only what the attributes own', () => {
    const random = new Random(11)
    const attributes = { a: { b: [1, { c: 'x' }] }, tags: ['t'], name: 'n' }
    let parsed = 0
    for (let i = 0; i < 10_000; i++) {
      const path = hostilePath(random)
      const result = bounded(
        () => path,
        () => parseFieldPath(path),
      )
      if (result.ok) {
        parsed++
        const value = resolveField(attributes, path)
        expect(['function', 'symbol', 'bigint']).not.toContain(typeof value)
      } else expect(() => resolveField(attributes, path)).toThrow(FieldPathError)
    }
    expect(parsed).toBeGreaterThan(1_000)
  })

  it.each(['__proto__', 'constructor', 'toString', 'a.__proto__', 'tags.map', 'name.length', 'tags.constructor.name'])(
    'finds no inherited member at %s',
    (path) => {
      expect(resolveField({ a: {}, tags: ['t'], name: 'n' }, path)).toBeUndefined()
    },
  )

  it('finds members with the names of prototypes where they are data', () => {
    const attributes = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c", "a": {"__proto__": 2}}') as Attributes
    expect(resolveField(attributes, '__proto__.x')).toBe(1)
    expect(resolveField(attributes, 'constructor')).toBe('c')
    expect(resolveField(attributes, 'a.__proto__')).toBe(2)
  })
})

describe('hostile patterns', () => {
  it('are refused or run without a stall on the texts that hurt backtracking engines, 10,000 pairs', () => {
    const random = new Random(12)
    let accepted = 0
    for (let i = 0; i < 10_000; i++) {
      const pattern = hostilePattern(random)
      const regex = createSafeRegex()
      if (
        bounded(
          () => pattern,
          () => regex.check(pattern, 100),
        ) !== null
      )
        continue
      accepted++
      const text = hostileText(random)
      const compiled = regex.compile(pattern)
      try {
        bounded(
          () => `${pattern} on ${text.length} units of ${text.slice(0, 20)}`,
          () => compiled.test(text.slice(0, 65_536)),
        )
      } catch (error) {
        if (!(error instanceof RegexEngineFault)) throw error
      }
    }
    expect(accepted).toBeGreaterThan(500)
  })

  it('make a rule misconfigured, never passing, when they are refused', () => {
    const random = new Random(13)
    const regex = createSafeRegex()
    for (let i = 0; i < 1_000; i++) {
      const pattern = hostilePattern(random)
      if (regex.check(pattern, 100) === null) continue
      const rule: Rule = { name: 'r', target: 'plugin', field: 'a', operator: 'regex', value: pattern }
      expect(evaluateRules([rule], { a: 'x' }).violations[0]?.issue).toMatch(/^regex_/)
    }
  })
})

describe('hostile attributes', () => {
  it('are evaluated, explained and measured without throw or stall, 10,000 trees', () => {
    const random = new Random(14)
    const fields = [
      'a',
      'env',
      'env.a',
      'tags',
      'tags.0',
      'name',
      'secretToken',
      'constructor',
      '__proto__',
      'a.a.a.a.a',
    ]
    const operators = [
      'eq',
      'neq',
      'gt',
      'contains',
      'notContains',
      'in',
      'notIn',
      'regex',
      'notEmpty',
      'countLt',
    ] as const
    const values = {
      gt: 1,
      contains: 'a',
      notContains: 'a',
      in: ['a'],
      notIn: ['a'],
      regex: '^a+b$',
      countLt: 3,
    } as const
    const rules = fields.flatMap((field) =>
      operators.map((operator): Rule => {
        const value =
          operator in values ? values[operator as keyof typeof values] : operator === 'notEmpty' ? null : [[1]]
        return { name: `${field} ${operator}`, target: 'plugin', field, operator, value }
      }),
    )
    const computed = fields.map(
      (field): Rule => ({
        name: `count ${field}`,
        target: 'plugin',
        field: `$count($keys(${field}))`,
        operator: 'gt',
        value: 9,
      }),
    )
    const ruleSet = compileRules([...rules, ...computed])
    for (let i = 0; i < 10_000; i++) {
      const attributes = hostileAttributes(random)
      const describeIt = () => Object.keys(attributes).join(', ')
      const verdict = bounded(describeIt, () => ruleSet.evaluate(attributes))
      expect(verdict.rulesEvaluated).toBe(110)
      if (i % 20 === 0) {
        bounded(describeIt, () => explain(ruleSet, attributes))
        bounded(describeIt, () => checkAttributes(attributes))
        expect(JSON.stringify(verdict).length).toBeLessThan(400_000)
      }
    }
  })

  it('only throw when they are not an object', () => {
    for (const attributes of [null, undefined, 1, 'text', true, [], Symbol.iterator, () => 1]) {
      expect(() => compileRules([]).evaluate(attributes as unknown as Attributes)).toThrow(TypeError)
    }
  })
})

describe('hostile rules', () => {
  it('are compiled, validated and evaluated without throw or stall, 10,000 records', () => {
    const random = new Random(15)
    for (let i = 0; i < 2_000; i++) {
      const rules = Array.from({ length: 5 }, () => hostileRule(random)) as Rule[]
      for (const rule of rules)
        bounded(
          () => `validateRule of ${String(Object.keys(rule ?? {}))}`,
          () => validateRule(rule),
        )
      const ruleSet = bounded(
        () => 'compileRules',
        () => compileRules(rules),
      )
      const verdict = bounded(
        () => 'evaluate',
        () => ruleSet.evaluate({ a: 'aaaa!', tags: ['a'], name: 'n' }, { now: 0 }),
      )
      expect(verdict.rulesEvaluated + verdict.rulesSkipped).toBe(ruleSet.rules.length)
      expect(() => JSON.stringify(verdict)).not.toThrow()
    }
  })

  it('that are not a list throw a TypeError', () => {
    for (const rules of [null, undefined, {}, 'rules', 1]) {
      expect(() => compileRules(rules as unknown as Rule[])).toThrow(TypeError)
    }
  })
})
