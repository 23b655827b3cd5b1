/**
 * What the domains decide about one place: lists, objects, keys, indexes, texts and numbers, on their own and together.
 *
 * A found entity is one that people can read, and always the same; the engine has to agree with it.
 */
import { describe, expect, it } from 'vitest'
import { compileRules, type JsonValue, type OperatorName, type Rule } from '../index.js'
import { and, solveFormula } from './formula.js'
import { modelRules } from './rule-model.js'

interface Demand {
  readonly rule: Rule
  readonly violated: boolean
}

const c = (field: string, operator: OperatorName, value?: JsonValue): Demand => ({
  rule: {
    name: `${field} ${operator} ${JSON.stringify(value)}`,
    target: 'plugin',
    field,
    operator,
    ...(value === undefined ? {} : { value }),
  },
  violated: false,
})
/** The rule is to be violated. */
const v = ({ rule }: Demand): Demand => ({ rule, violated: true })

const solve = (demands: readonly Demand[]) => {
  const model = modelRules(demands.map(({ rule }) => rule))
  const parts = demands.map(({ violated }, position) => {
    const rule = model.rules.find((each) => each.position === position)
    if (rule === undefined) throw new Error('a rule is missing')
    return violated ? rule.violated : rule.passes
  })
  return solveFormula(and(parts))
}
const titled = <Row extends readonly unknown[]>(rows: readonly Row[], demandsOf: (row: Row) => readonly Demand[]) =>
  rows.map((row) => {
    const title = demandsOf(row).map(({ rule, violated }) => `${violated ? 'not ' : ''}${rule.name}`)
    return [title.join(', '), row] as const
  })

type Found = readonly [attributes: Readonly<Record<string, unknown>>, ...demands: Demand[]]

const found: readonly Found[] = [
  [{ a: [1, 2] }, c('a', 'eq', [1, 2])],
  [{ a: [1, 2] }, c('a', 'eq', [1, 2]), c('a', 'contains', '2')],
  [{ a: { x: 1 } }, c('a', 'eq', { x: 1 }), c('a.x', 'eq', 1)],
  [{ a: ['1'] }, c('a', 'neq', [1]), c('a', 'countGt', 0), c('a', 'contains', '1')],
  [{ a: { x: 1 } }, v(c('a', 'neq', { x: 1 })), c('a.x', 'exists')],
  [{ a: 1.5 }, c('a', 'countGt', 1), c('a', 'countLt', 2)],
  [{ a: ['x', 'x'] }, c('a', 'countGt', 1), c('a', 'countLt', 3), c('a', 'contains', 'x')],
  [{ a: ['x', 'y'] }, c('a[0]', 'eq', 'x'), c('a[1]', 'eq', 'y'), c('a.length', 'eq', 2)],
  [{ a: { '0': 'x', '2': 'y', length: 2 } }, c('a[0]', 'eq', 'x'), c('a[2]', 'eq', 'y'), c('a.length', 'eq', 2)],
  [{ a: ['x', 'x', 'y', 'x', 'x', 'x'] }, c('a[2]', 'eq', 'y'), c('a.length', 'gt', 5), c('a.length', 'lt', 7)],
  [{ a: ['x', 'q'] }, c('a[0]', 'eq', 'x'), c('a', 'contains', 'q'), c('a', 'countGt', 0)],
  [{ a: [{ c: 2, b: 1 }] }, c('a[0].b', 'eq', 1), c('a[0].c', 'eq', 2)],
  [{ a: { '6000': -1 } }, c('a[6000]', 'exists')],
  [
    { a: ['y', 'x', 'x'] },
    c('a', 'in', ['x', 'y']),
    c('a', 'countGt', 2),
    c('a', 'contains', 'x'),
    c('a', 'contains', 'y'),
  ],
  [{ a: 'y' }, c('a', 'in', ['x', 'y']), v(c('a', 'in', ['x']))],
  [{ a: 'x' }, c('a', 'in', ['x']), v(c('a', 'notIn', ['x']))],
  [{ a: 1 }, c('a', 'notIn', ['x', 'y']), c('a', 'notEmpty'), c('a', 'countGt', 0)],
  [{ a: ['straße'] }, c('a', 'contains', 'straße'), c('a', 'countGt', 0)],
  [{}, c('$count(a)', 'eq', 0)],
  [{ a: ['x'] }, c('$count(a)', 'regex', '^1')],
  [{ a: { y: -1, x: 'x' } }, c('$keys(a)', 'contains', 'x'), c('$count(a)', 'eq', 2), c('a.y', 'exists')],
  [{ a: { x: 'x', y: 'x' } }, c('$keys(a)', 'in', ['x', 'y']), c('$count(a)', 'eq', 2)],
  [{ a: { x: 'x', y: 'x' } }, c('$keys(a)', 'eq', ['x', 'y'])],
  [{ a: { x: 5, y: 'x' } }, c('$keys(a)', 'eq', ['x', 'y']), c('a.x', 'eq', 5)],
  [{ a: { x: -1, y: 'x' } }, c('$keys(a)', 'neq', ['x']), c('a.x', 'exists')],
  [{ a: { x: 1, y: 'x' } }, v(c('$keys(a)', 'neq', ['x', 'y'])), c('a.x', 'eq', 1)],
  [{ a: { x: 'x' } }, c('$keys(a)', 'notEmpty')],
  [{ a: { x: 'x', y: 'x', other: 'x' } }, c('$count($keys(a))', 'gt', 2)],
  [{ a: { x: -1, y: 'x', other: 'x' } }, c('$count($keys(a))', 'gt', 2), c('a.x', 'exists'), c('$count(a)', 'lt', 4)],
  [{ a: { x: -1 } }, v(c('$keys(a)', 'regex', 'x')), c('a.x', 'exists')],
  [{ a: { r: 1, q: null } }, c('$keys(a)', 'contains', 'q'), c('a.q', 'notExists'), c('a.r', 'eq', 1)],
  [{ a: { b: { c: 1, x: 'x', y: 'x' } } }, c('a.b.c', 'eq', 1), c('a.b', 'notEmpty'), c('$count(a.b)', 'eq', 3)],
  [{ a: { ['__proto__']: 1 } }, c('a.__proto__', 'eq', 1), c('$count(a)', 'eq', 1)],
  [{ a: 'true' }, c('a', 'eq', true), c('a.b', 'notExists')],
  [{ a: 'xtrue' }, c('a', 'neq', true), c('a', 'neq', false), c('a', 'regex', 'true|false')],
  [{ a: 'false' }, c('a', 'in', [true, false]), c('a', 'neq', true)],
  [{ a: 1.5 }, c('a', 'gt', 1), c('a', 'lt', 2), c('a', 'regex', '^1\\.5$')],
  [{ a: '5001' }, c('a', 'lengthGt', 3), c('a', 'lengthLt', 5), c('a', 'regex', '^[0-9]+$'), c('a', 'gt', 5000)],
  [{ a: 4 }, c('a', 'lengthGt', 3), c('a', 'lengthLt', 5), c('a', 'regex', '^[0-9]+$'), c('a', 'lt', 5)],
  [{ a: '\n\n' }, c('$lines(a)', 'eq', 3), c('$length(a)', 'lt', 3)],
  [{ a: 'bar foo\n' }, c('$lines(a)', 'eq', 2), c('a', 'contains', 'foo'), c('a', 'contains', 'bar')],
  [{ a: 'aaaaaa' }, c('a', 'regex', '^a+$'), v(c('a', 'regex', '^a{1,5}$')), c('$length(a)', 'lt', 7)],
  [{ a: 'abc' }, c('a', 'contains', 'ab'), c('a', 'contains', 'bc'), c('$length(a)', 'lt', 4)],
  [{ a: ['bc', 'ab'] }, c('a', 'contains', 'ab'), c('a', 'contains', 'bc'), c('$length(a)', 'lt', 3)],
  [{ a: 'b' }, v(c('a', 'contains', 'a')), c('a', 'regex', '^[aAbB]$')],
  [{ a: ' 6' }, c('a', 'gt', 5), c('a', 'contains', ' ')],
  [{ a: '06' }, c('a', 'gt', 5), c('a', 'regex', '^0')],
  [{ a: 9 }, c('a', 'gt', 5), c('a', 'regex', '^[1-9]$'), c('a', 'notIn', ['6', '7', '8'])],
  [{ a: [] }, v(c('a', 'notEmpty')), c('a', 'exists'), v(c('a', 'eq', 0)), v(c('a', 'eq', '')), v(c('a', 'eq', false))],
  [{ a: 'Σ' }, c('a', 'contains', 'σ'), c('a', 'regex', '^Σ$')],
  [{ a: ['y', 'y', 'y'] }, c('$count(a)', 'gt', 2), v(c('a', 'contains', 'x')), v(c('a', 'contains', 'null'))],
  [{ a: [-1, null] }, c('a[1]', 'notExists'), c('a[0]', 'exists'), c('a.length', 'gt', 1)],
  [{ a: { '1': 2, '01': 1 } }, c('a[01]', 'eq', 1), c('a[1]', 'eq', 2)],
  [{ a: { '3': -1 } }, v(c('a.length', 'gt', 1)), c('a[3]', 'exists')],
  [{ a: { '0': -1, length: { x: -1 } } }, c('a.length.x', 'exists'), c('a[0]', 'exists')],
  [{ a: ['x'] }, v(c('$keys(a)', 'in', ['x', 'y'])), c('$count(a)', 'eq', 1), c('a.x', 'notExists')],
  [{ a: 'qxxxxxx' }, c('$length(a)', 'regex', '^7$'), c('a', 'contains', 'q')],
  [{ a: 'q\n' }, c('$lines(a)', 'regex', '^2$'), c('a', 'contains', 'q')],
  [{ a: '4x' }, v(c('a', 'lt', 5)), c('a', 'contains', '4'), c('a', 'lengthLt', 3)],
  [{ a: '  4' }, c('a', 'contains', '4'), c('a', 'lt', 5), c('a', 'lengthGt', 2)],
]

const impossible: readonly (readonly Demand[])[] = [
  [c('a', 'eq', [1, 2]), c('a', 'contains', '3')],
  [c('a', 'eq', { x: 1 }), c('a.x', 'eq', 2)],
  [c('a[0]', 'eq', 'x'), c('a[0]', 'eq', 'y')],
  [c('a', 'contains', 'x'), c('a', 'notContains', 'x')],
  [c('$count(a)', 'eq', 1.5)],
  [c('$keys(a)', 'contains', 'x'), c('$count(a)', 'eq', 1), c('a.y', 'exists')],
  [c('$keys(a)', 'in', ['x', 'y']), c('a.z', 'exists')],
  [c('$keys(a)', 'notIn', ['x']), c('a.x', 'exists')],
  [c('$keys(a)', 'eq', 'x'), c('$count(a)', 'gt', 0)],
  [c('$keys(a)', 'neq', 'x'), c('a.x', 'exists')],
  [c('$keys(a)', 'neq', 'x')],
  [v(c('$keys(a)', 'notEmpty')), c('a.x', 'exists')],
  [c('$keys(a)', 'regex', 'x')],
  [c('a.b', 'exists'), c('a', 'regex', 'x')],
  [c('$lines(a)', 'eq', 3), c('$length(a)', 'lt', 2)],
  [c('$lines(a)', 'gt', 3), c('a', 'regex', '^[a-z]+$')],
  [c('a', 'regex', '^a+$'), v(c('a', 'regex', '^a{1,5}$')), c('$length(a)', 'lt', 6)],
  [c('$length(a)', 'gt', 0), c('a', 'contains', 'ab'), c('a', 'contains', 'bc'), c('$length(a)', 'lt', 3)],
  [v(c('a', 'contains', 'a')), c('a', 'regex', '^[aA]$')],
  [c('a', 'gt', 5), c('a', 'regex', '^[1-4]$')],
  [c('a', 'gt', 5), c('a', 'regex', '^[1-9]$'), c('a', 'notIn', ['6', '7', '8', '9'])],
  [c('a.length', 'eq', 3), c('a.length', 'neq', 3)],
  [c('$keys(a)', 'contains', 'x'), c('$keys(a)', 'notContains', 'x')],
  [c('$keys(a)', 'contains', 'x'), c('$keys(a)', 'contains', 'y'), c('$count(a)', 'lt', 2)],
  [c('$keys(a)', 'in', ['x']), c('$keys(a)', 'contains', 'y')],
  [c('a', 'eq', { x: { y: 1 } }), c('a.x.y', 'gt', 1)],
  [c('a', 'lt', 5), c('a', 'contains', 'x')],
]

const undecided: readonly (readonly [reason: string, ...demands: Demand[]])[] = [
  ['a list or an object would have to be too large to build', c('a.length', 'gt', 6000), c('a', 'contains', 'x')],
  [
    'conditions on a container and on its members meet in one value',
    c('a', 'contains', 'x'),
    v(c('a', 'in', ['x', 'X'])),
    c('a', 'countGt', 0),
    c('a', 'countLt', 2),
  ],
  [
    'conditions on a container and on its members meet in one value',
    c('$count(a)', 'regex', '^5000'),
    c('$count(a)', 'gt', 1000),
  ],
  [
    'conditions on a container and on its members meet in one value',
    c('$keys(a)', 'eq', ['x', 'y']),
    c('$count(a)', 'gt', 2),
  ],
  ['a number would have to meet a pattern and a bound', c('a', 'gt', 1), c('a', 'lt', 2), c('a', 'regex', '^3')],
  [
    'the text would have to meet patterns, texts or bounds that are too large to try out',
    c('$length(a)', 'eq', 70000),
    c('a', 'contains', 'x'),
  ],
  [
    'the text would have to meet patterns, texts or bounds that are too large to try out',
    c('$length(a)', 'eq', 70000),
    c('a', 'regex', 'x'),
  ],
  [
    'conditions on a container and on its members meet in one value',
    c('a[0]', 'exists'),
    c('a.length', 'eq', 1),
    c('a', 'contains', 'x'),
    c('a[0]', 'neq', 'x'),
  ],
  [
    'a number would have to meet a pattern and a bound',
    c('a.b', 'regex', '^\\d+$'),
    c('a.b', 'lt', 0),
    c('a.c', 'eq', 1),
  ],
  [
    'a number would have to meet a pattern and a bound',
    c('a[0]', 'regex', '^\\d+$'),
    c('a[0]', 'lt', 0),
    c('a.length', 'eq', 1),
  ],
  [
    'a list or an object would have to be too large to build',
    c('$count(a)', 'eq', 9000),
    c('$keys(a)', 'contains', 'x'),
  ],
  [
    'the text would have to meet patterns, texts or bounds that are too large to try out',
    c('$length(a)', 'gt', 3),
    c('$length(a)', 'regex', '^[1-3]$'),
  ],
]

describe('the domains', () => {
  it.each(titled(found, ([, ...demands]) => demands))('find an entity for %s', (_, [attributes, ...demands]) => {
    const result = solve(demands)
    expect(result).toEqual({ status: 'found', value: attributes })
    const { violations } = compileRules(demands.map(({ rule }) => rule)).evaluate(attributes)
    const violated = demands.filter((demand) => demand.violated).map(({ rule }) => rule.name)
    expect(violations.map(({ ruleId }) => ruleId).sort()).toEqual(violated.sort())
  })

  it.each(titled(impossible, (demands) => demands))('prove that there is none for %s', (_, demands) => {
    expect(solve(demands)).toEqual({ status: 'none' })
  })

  it.each(titled(undecided, ([, ...demands]) => demands))(
    'say why they cannot tell for %s',
    (_, [reason, ...demands]) => {
      expect(solve(demands)).toEqual({ status: 'unknown', reason })
    },
  )
})
