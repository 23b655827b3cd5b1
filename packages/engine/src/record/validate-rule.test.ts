import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operators } from '../catalogue/operators.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { JsonValue, Rule } from '../types.js'
import { nearestWord } from '../words/index.js'
import { conditionSchema, ruleSchema, rulesFileSchema } from './schema.js'
import { validateRule } from './validate-rule.js'

const valid: Rule = { name: 'rule', target: 'plugin', field: 'version', operator: 'exists' }
const issuesOf = (more: object) => validateRule({ ...valid, ...more }).map(({ pointer, code }) => [pointer, code])

describe('validateRule', () => {
  it('accepts a small and a complete rule', () => {
    expect(validateRule(valid)).toEqual([])
    const complete: Required<Rule> = {
      id: 'r1',
      orgId: 'o1',
      name: ' rule ',
      description: '',
      target: 'pipeline',
      severity: 'critical',
      priority: 10_000,
      scope: 'published',
      field: '$count($keys(props.global))',
      operator: 'lte',
      value: '10',
      conditions: [
        { dependsOnRule: 'other' },
        { field: 'name', operator: 'regex', value: '^[a-z]+$' },
        { field: 'labels["team.name"]', operator: 'eq', value: null, dependsOnRule: 'third' },
      ],
      conditionMode: 'any',
      tags: ['a', 'b'],
      policyIds: ['p1'],
      policyId: 'p1',
      propagateToChildren: false,
      isTemplate: false,
      isActive: true,
      suppressNotification: true,
      effectiveFrom: '2026-01-01T00:00:00Z',
      effectiveUntil: new Date('2026-01-01T00:00:00Z'),
      forkedFromRuleId: 'r0',
      version: 3,
      createdAt: '2026-01-01T00:00:00Z',
      createdBy: 'u1',
      updatedAt: '2026-01-01T00:00:00Z',
      updatedBy: null,
      deletedAt: null,
      deletedBy: null,
      purgeAfter: null,
      source: 'own',
    }
    expect(validateRule(complete)).toEqual([])
  })

  it('reports every problem at once, each with pointer, code and fix', () => {
    const issues = validateRule({
      nmae: 'x',
      target: 'plugins',
      severity: 'fatal',
      priority: -1,
      scope: 'team',
      field: 'a..b',
      operator: 'gtt',
      value: 1,
      conditionMode: 'some',
      tags: ['', 3],
      isActive: 'yes',
      effectiveFrom: '2026-01-01',
      conditions: [{ dependsOnRule: 'x', note: 1 }, { field: 'a' }, 5],
    })
    expect(issues.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/nmae', 'unknown_key'],
      ['/name', 'missing_name'],
      ['/target', 'unknown_target'],
      ['/severity', 'unknown_severity'],
      ['/priority', 'out_of_range'],
      ['/scope', 'unknown_scope'],
      ['/conditionMode', 'unknown_mode'],
      ['/tags/0', 'invalid_value'],
      ['/tags/1', 'invalid_type'],
      ['/isActive', 'invalid_type'],
      ['/effectiveFrom', 'invalid_date'],
      ['/field', 'invalid_path'],
      ['/operator', 'unknown_operator'],
      ['/conditions/0/note', 'unknown_key'],
      ['/conditions/1', 'invalid_condition'],
      ['/conditions/2', 'invalid_condition'],
    ])
    expect(issues[0]?.fix).toBe('remove it, or did you mean `name`')
    for (const { message, fix } of issues) {
      expect(message).toMatch(/^[^A-Z]/)
      expect(fix).not.toMatch(/\.$/)
    }
  })

  it.each<[object, string, string]>([
    [{ name: '  ' }, '/name', 'missing_name'],
    [{ name: null }, '/name', 'missing_name'],
    [{ name: 'x'.repeat(256) }, '/name', 'too_long'],
    [{ target: null }, '/target', 'unknown_target'],
    [{ description: 'x'.repeat(2_001) }, '/description', 'too_long'],
    [{ priority: 10_001 }, '/priority', 'out_of_range'],
    [{ priority: 1.5 }, '/priority', 'invalid_type'],
    [{ severity: null }, '/severity', 'invalid_type'],
    [{ tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, '/tags', 'too_many'],
    [{ tags: ['x'.repeat(101)] }, '/tags/0', 'too_long'],
    [{ tags: 'a' }, '/tags', 'invalid_type'],
    [{ field: 'x'.repeat(101) }, '/field', 'invalid_path'],
    [{ field: '$size(x)' }, '/field', 'unknown_function'],
    [{ field: null }, '/field', 'no_check'],
    [{ operator: null }, '/operator', 'no_check'],
    [{ operator: 'toString' }, '/operator', 'unknown_operator'],
    [{ value: true }, '/value', 'unexpected_value'],
    [{ operator: 'eq' }, '/value', 'missing_value'],
    [{ operator: 'eq', value: 'x'.repeat(8_191) }, '/value', 'too_long'],
    [{ operator: 'gt', value: 'x' }, '/value', 'invalid_value'],
    [{ operator: 'in', value: [] }, '/value', 'invalid_value'],
    [{ operator: 'in', value: [['a']] }, '/value', 'invalid_value'],
    [{ operator: 'in', value: Array.from({ length: 1_001 }, (_, i) => i) }, '/value', 'invalid_value'],
    [{ operator: 'contains', value: '' }, '/value', 'invalid_value'],
    [{ operator: 'contains', value: null }, '/value', 'invalid_value'],
    [{ operator: 'countGt', value: 1.5 }, '/value', 'invalid_value'],
    [{ operator: 'countGt', value: -2 }, '/value', 'invalid_value'],
    [{ operator: 'lengthLt', value: 1e9 + 1 }, '/value', 'invalid_value'],
    [{ operator: 'regex', value: 'x'.repeat(101) }, '/value', 'regex_too_long'],
    [{ operator: 'regex', value: '(' }, '/value', 'regex_syntax'],
    [{ operator: 'regex', value: '(a+)+' }, '/value', 'regex_unsafe'],
    [{ operator: 'regex', value: '(?=a)' }, '/value', 'regex_unsupported'],
    [{ operator: 'regex', value: '' }, '/value', 'regex_empty'],
    [{ conditions: 'x' }, '/conditions', 'invalid_type'],
    [{ conditions: [{ dependsOnRule: 'a' }] }, '/conditions', 'no_live_check'],
    [
      { conditions: [{ dependsOnRule: 'rule', field: 'a', operator: 'exists' }] },
      '/conditions/0/dependsOnRule',
      'dependency_cycle',
    ],
    [{ conditions: Array.from({ length: 51 }, () => ({ field: 'a', operator: 'exists' })) }, '/conditions', 'too_many'],
    [
      { conditions: [{ dependsOnRule: '', field: 'a', operator: 'exists' }] },
      '/conditions/0/dependsOnRule',
      'invalid_value',
    ],
    [{ conditions: [{ dependsOnRule: 'a', value: 1 }] }, '/conditions/0', 'invalid_condition'],
    [
      { effectiveFrom: '2026-01-02T00:00:00Z', effectiveUntil: '2026-01-01T00:00:00Z' },
      '/effectiveUntil',
      'date_order',
    ],
    [{ scope: 'published', propagateToChildren: true }, '/propagateToChildren', 'not_allowed'],
    [{ scope: 'published', isTemplate: true }, '/isTemplate', 'not_allowed'],
    [{ 'a/b~c': 1 }, '/a~1b~0c', 'unknown_key'],
    [{ version: 0 }, '/version', 'out_of_range'],
  ])('%j', (more, pointer, code) => {
    expect(issuesOf(more)).toEqual([[pointer, code]])
  })

  it('allows as much as the bounds say', () => {
    const conditions = Array.from({ length: 50 }, () => ({ field: 'a', operator: 'exists' }))
    expect(issuesOf({ conditions })).toEqual([])
    expect(issuesOf({ operator: 'eq', value: 'x'.repeat(8_190) })).toEqual([])
    expect(issuesOf({ operator: 'countGt', value: -1 })).toEqual([])
    expect(issuesOf({ operator: 'eq', value: null })).toEqual([])
    expect(issuesOf({ conditions: [] })).toEqual([])
    expect(issuesOf({ operator: 'notExists', value: null })).toEqual([])
  })

  it.each([null, undefined, 'rule', 5, [], () => 1])('%j is not a rule', (input) => {
    expect(validateRule(input)).toMatchObject([{ code: 'not_an_object', pointer: '', ruleId: null }])
  })

  it('reads own properties only', () => {
    expect(validateRule(Object.create(valid)).map(({ code }) => code)).toContain('missing_name')
  })

  it('names the rule in each issue', () => {
    expect(validateRule({ ...valid, id: '7', priority: -1 })[0]).toMatchObject({ ruleId: '7', ruleName: 'rule' })
  })

  it('takes the length limit of patterns', () => {
    const long = { ...valid, operator: 'regex', value: 'ab' }
    expect(validateRule(long, { limits: { regexLength: 1 } }).map(({ code }) => code)).toEqual(['regex_too_long'])
  })

  it('reports 100,000 unknown keys without a stall', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`unknown-key-${i}`, i]))
    const start = performance.now()
    expect(validateRule({ ...valid, ...wide })).toHaveLength(100_000)
    expect(performance.now() - start).toBeLessThan(25_000)
  })

  it('suggests what was probably meant', () => {
    expect(nearestWord('nmae', ['name', 'target'])).toBe('name')
    expect(nearestWord('Severity', ['severity'])).toBe('severity')
    expect(nearestWord('banana', ['name', 'target'])).toBeNull()
    expect(nearestWord('x'.repeat(1_000_000), ['name'])).toBeNull()
  })

  it('suggests a word that needs the fewest edits of all, or none when each needs too many', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
    fc.assert(
      fc.property(letters, fc.array(letters, { maxLength: 5 }), (word, known) => {
        const fewest = Math.min(...known.map((each) => editsBetween(word, each)))
        const allowed = word.length < 4 ? 1 : 2
        const near = nearestWord(word, known)
        if (fewest > allowed) expect(near).toBeNull()
        else expect(near).toBe(known.find((each) => editsBetween(word, each) === fewest))
      }),
    )
  })
})

/** By the definition of the edit distance, every way tried. */
function editsBetween(from: string, to: string): number {
  if (from === '' || to === '') return from.length + to.length
  const [a, b] = [from.slice(1), to.slice(1)]
  const replaced = editsBetween(a, b) + (from[0] === to[0] ? 0 : 1)
  return Math.min(replaced, editsBetween(a, to) + 1, editsBetween(from, b) + 1)
}

const json = fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue>

/** Mostly the first value: wrong ones are rare, so that many rules are accepted and many nearly. */
const mostly = <T>(usual: T, ...others: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) })

const documented = operators.flatMap(({ name, examples }) =>
  examples.map((example) => ({ operator: name as string, ...('value' in example ? { value: example.value } : {}) })),
)
const check = fc
  .tuple(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...documented) },
      {
        weight: 1,
        arbitrary: fc.record({ operator: fc.constantFrom('eq', 'in', 'like', 'countGt', 'exists'), value: json }),
      },
    ),
    fc.oneof(mostly('a', 'a..b', '', null), mostly('$count(labels["x"])', '$size(a)'), mostly('a.0', undefined)),
  )
  .map(([given, field]) => ({ ...given, field }))
const anyCondition = fc.oneof(
  { weight: 6, arbitrary: check },
  { weight: 2, arbitrary: mostly({ dependsOnRule: 'other' }, { dependsOnRule: '' }, { dependsOnRule: null }, 5, null) },
  { weight: 2, arbitrary: check.map((given) => ({ ...given, dependsOnRule: 'other' })) },
)
const anyRule = fc
  .tuple(
    check,
    fc.record({
      name: mostly('rule', ' ', 5),
      target: mostly('plugin', 'pipeline', 'x'),
      conditions: fc.option(fc.array(anyCondition, { maxLength: 3 })),
      conditionMode: mostly('any', 'all', null, 'x'),
      priority: mostly(5, -1, 'x'),
      severity: mostly('warning', 'error', 'x', null),
      tags: mostly(['a'], [], [1]),
      scope: mostly('published', 'org'),
      propagateToChildren: mostly(false, true),
    }),
    fc.subarray(['severity', 'tags', 'scope', 'priority', 'conditionMode', 'operator', 'value']),
  )
  .map(([single, rest, without]): unknown => {
    const given: Record<string, unknown> = { ...single, ...rest }
    for (const key of without.slice(0, 2)) delete given[key]
    return given
  })

describe('what is accepted', () => {
  it('never throws and is never misconfigured', () => {
    let accepted = 0
    fc.assert(
      fc.property(anyRule, fc.dictionary(fc.constantFrom('a', 'labels'), json), (input, attributes) => {
        if (validateRule(input).length > 0) return
        accepted += 1
        const ruleSet = compileRules([input as Rule], { strict: true })
        expect(ruleSet.evaluate(attributes).issues).toBe(0)
      }),
      { numRuns: 2_000 },
    )
    expect(accepted).toBeGreaterThan(300)
  })

  it('the JSON Schema accepts too', () => {
    const accepts = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
    }).compile(ruleSchema)
    let accepted = 0
    fc.assert(
      fc.property(anyRule, (input) => {
        if (validateRule(input).length > 0) return
        accepted += 1
        expect(accepts(input), JSON.stringify(accepts.errors)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(accepted).toBeGreaterThan(300)
  })
})

describe('the JSON Schemas', () => {
  const compile = (schema: object) =>
    new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
      allErrors: true,
    }).compile(schema)

  it('refuse what an editor can see', () => {
    const accepts = compile(ruleSchema)
    for (const bad of [
      { ...valid, surprise: 1 },
      { ...valid, severity: 'fatal' },
      { ...valid, priority: 10_001 },
      { ...valid, operator: 'like' },
      { ...valid, operator: 'eq' },
      { ...valid, value: 1 },
      { ...valid, operator: 'in', value: 'a' },
      { ...valid, operator: 'gt', value: 'x' },
      { ...valid, operator: 'countGt', value: 1.5 },
      { ...valid, field: null },
      { ...valid, scope: 'published', isTemplate: true },
      { ...valid, conditions: [{ field: 'a' }] },
      { name: 'a', target: 'plugin' },
      { name: 'a', target: 'plugin', conditions: [{ dependsOnRule: 'b' }] },
      { target: 'plugin', field: 'a', operator: 'exists' },
    ]) {
      expect(accepts(bad), JSON.stringify(bad)).toBe(false)
      expect(validateRule(bad)).not.toEqual([])
    }
  })

  it('of a condition: a check, a gate, or both', () => {
    const accepts = compile(conditionSchema)
    expect(accepts({ field: 'a', operator: 'exists' })).toBe(true)
    expect(accepts({ dependsOnRule: 'b' })).toBe(true)
    expect(accepts({ field: 'a', operator: 'eq', value: 1, dependsOnRule: 'b' })).toBe(true)
    expect(accepts({ dependsOnRule: 'b', value: 1 })).toBe(false)
    expect(accepts({})).toBe(false)
  })

  it('of a rule file: an object with rules, a list, or one rule', () => {
    const accepts = compile(rulesFileSchema)
    const $schema = 'https://example.org/schema.json'
    for (const file of [{ rules: [valid] }, { $schema, rules: [] }, [valid], [], valid, { $schema, ...valid }]) {
      expect(accepts(file), JSON.stringify(accepts.errors)).toBe(true)
    }
    for (const file of [{ rules: [{ ...valid, x: 1 }] }, { rules: [], x: 1 }, [1], { ...valid, x: 1 }, {}, 'x']) {
      expect(accepts(file)).toBe(false)
    }
  })

  it('describe every field', () => {
    const { properties } = ruleSchema as { properties: Record<string, { description: string }> }
    for (const { description } of Object.values(properties)) expect(description).toMatch(/\.$/)
  })
})
