/** Rule sets that the static analysis has something to say about, each with what it is about. */

import type { LintOptions } from '../../src/lint/index.js'
import type { Condition, Rule } from '../../src/types.js'

const rule = (name: string, parts: Partial<Rule>): Rule => ({ name, target: 'plugin', ...parts })
const check = (
  name: string,
  field: string,
  operator: Rule['operator'],
  value?: Rule['value'],
  more: Partial<Rule> = {},
) => rule(name, { field, operator: operator ?? null, ...(value === undefined ? {} : { value }), ...more })
const all = (name: string, ...conditions: readonly Condition[]): Rule => rule(name, { conditions })
const any = (name: string, ...conditions: readonly Condition[]): Rule =>
  rule(name, { conditions, conditionMode: 'any' })
const exists: Condition = { field: 'x', operator: 'exists' }
const gate = (dependsOnRule: string): Condition => ({ dependsOnRule })

export const scenarios: Readonly<Record<string, readonly [rules: readonly Rule[], options?: LintOptions]>> = {
  'bounds that exclude each other': [[check('low', 'x', 'lt', 3), check('high', 'x', 'gt', 5)]],
  'bounds that exclude each other in turn': [[check('high', 'x', 'gt', 5), check('low', 'x', 'lt', 3)]],
  'a contradiction behind a gate': [
    [
      check('on', 'kind', 'eq', 'a'),
      all('x', gate('on'), { field: 'y', operator: 'eq', value: 1 }),
      check('y', 'y', 'eq', 2),
    ],
  ],
  'a contradiction of patterns and lists': [[check('a', 'x', 'in', ['p', 'q']), check('b', 'x', 'regex', '^[rs]$')]],
  'no entity passes': [
    [
      all('one', { field: 'x', operator: 'gt', value: 5 }, { field: 'x', operator: 'lt', value: 5 }),
      check('two', '$count(x)', 'lt', 0),
    ],
  ],
  'no entity violates': [
    [
      check('one', '$count(x)', 'gte', 0),
      any('two', { field: 'x', operator: 'exists' }, { field: 'x', operator: 'notExists' }),
    ],
  ],
  'gates that cannot be open': [
    [
      check('never', '$count(x)', 'lt', 0),
      all('one', gate('never'), exists),
      check('yes', 'x', 'eq', 1),
      check('no', 'x', 'eq', 2),
      all('two', gate('yes'), gate('no'), { field: 'y', operator: 'exists' }),
      all('three', { field: 'y', operator: 'eq', value: 1, dependsOnRule: 'yes' }),
    ],
  ],
  duplicates: [
    [
      check('a', '$count(x)', 'gt', 2),
      check('b', '$count(x)', 'gte', 3, { severity: 'warning' }),
      check('c', '$count(x)', 'gte', 2.5, { severity: 'critical' }),
    ],
  ],
  'implied by a stricter one': [
    [
      check('warns', 'x', 'lte', 100, { severity: 'warning' }),
      check('blocks', 'x', 'lte', 50),
      check('other', 'x', 'lte', 200),
    ],
  ],
  'a chain, cut at one for each rule': [
    [10, 20, 30, 40].map((value) => check(`lte-${value}`, 'x', 'lte', value)),
    { maxPairsPerRule: 1 },
  ],
  'many contradictions, cut at one for each rule': [
    [1, 2, 3, 4].map((value) => check(`eq-${value}`, 'x', 'eq', value)),
    { maxPairsPerRule: 1 },
  ],
  'no questions left': [
    [check('a', 'x', 'lte', 1), check('b', 'x', 'lte', 2), check('c', 'x', 'gt', 5)],
    { maxQuestions: 0 },
  ],
  'one question left': [
    [check('a', 'x', 'lte', 1), check('b', 'x', 'lte', 2), check('c', 'x', 'gt', 5)],
    { maxQuestions: 1 },
  ],
  'in force one after the other': [
    [
      check('before', 'x', 'gt', 5, { effectiveUntil: '2026-01-01T00:00:00Z' }),
      check('after', 'x', 'lt', 3, { effectiveFrom: '2026-01-01T00:00:00.001Z' }),
      check('at', 'x', 'lt', 4, { effectiveFrom: '2026-01-01T00:00:00Z' }),
    ],
  ],
  'implied for a part of the time': [
    [
      check('always', 'x', 'lte', 100),
      check('long', 'x', 'lte', 50, { effectiveUntil: '2027-01-01T00:00:00Z' }),
      check('short', 'x', 'lte', 50, { effectiveUntil: '2026-01-01T00:00:00Z' }),
    ],
  ],
  'conditions that change nothing': [
    [
      all('all', { field: 'x', operator: 'gt', value: 3 }, { field: 'x', operator: 'gt', value: 5 }),
      any('any', { field: 'y', operator: 'gt', value: 3 }, { field: 'y', operator: 'gt', value: 5 }),
      all('twice', { field: 'z', operator: 'exists' }, { field: 'z', operator: 'exists' }),
      all('thrice', exists, exists, exists),
      all('gated', { field: 'q', operator: 'exists', dependsOnRule: 'all' }, { field: 'q', operator: 'exists' }),
      all('different', { field: 'p', operator: 'exists' }, { field: 'r', operator: 'exists' }),
    ],
  ],
  'more conditions than are compared': [
    [
      all('many', ...Array.from({ length: 13 }, () => exists)),
      all('twelve', ...Array.from({ length: 12 }, () => exists)),
    ],
  ],
  'dependencies that lead nowhere': [
    [
      all('a', gate('gone'), exists),
      all('b', gate('asleep'), exists),
      all('c', gate('same'), exists),
      all('d', gate('job'), exists),
      all('e', { ...exists, dependsOnRule: 'gone' }),
      { ...check('asleep', 'x', 'exists'), isActive: false },
      check('same', 'y', 'exists', undefined, { id: '1' }),
      check('same', 'z', 'exists', undefined, { id: '2' }),
      check('job', 'w', 'exists', undefined, { target: 'pipeline' }),
      all('f', { dependsOnRule: '' }, exists),
      all('g', gate('h'), exists),
      all('h', gate('g'), exists),
    ],
  ],
  'rules that are none': [
    [
      check('a', 'x', 'exists', undefined, { id: '1' }),
      check('b', 'y', 'exists', undefined, { id: '1' }),
      check('c', 'y', 'regex', '('),
      check('', 'y', 'exists'),
      rule('d', { target: 'job' as 'plugin', field: 'x', operator: 'exists' }),
      rule('e', { field: 'a..b', operator: 'exists', severity: 'loud' as 'error' }),
      5 as unknown as Rule,
    ],
  ],
  'tags and names': [
    [
      rule('a', {
        field: 'x',
        operator: 'exists',
        scope: 'published',
        tags: ['set:golden', 'set:standard', 'set:advanced'],
      }),
      rule('b', { field: 'y', operator: 'exists', tags: ['set:standard', 'q', 'q', 5 as unknown as string, 'r', 'q'] }),
      rule(' c', { field: 'z', operator: 'exists' }),
      rule('C', { field: 'w', operator: 'exists' }),
      rule('c', { id: '3', field: 'v', operator: 'exists' }),
      rule('no-list', { field: 'u', operator: 'exists', tags: 'set:golden' as unknown as string[] }),
      rule('bell\u0007', { field: 't', operator: 'exists' }),
    ],
  ],
  'values of another type': [
    [
      ...(['gt', 'gte', 'lt', 'lte', 'countGt', 'countLt', 'lengthGt', 'lengthLt'] as const).map((operator) =>
        check(operator, operator, operator, ' 10'),
      ),
      ...['null', ' undefined ', '[]', '{}', 'NaN', 'nil'].map((value) =>
        check(`eq ${value}`, `eq${value.length}`, 'eq', value),
      ),
      check('neq', 'neq', 'neq', 'null'),
      check('contains', 'contains', 'contains', 'null'),
      check('no number', 'none', 'gt', 'x'),
    ],
  ],
  'lists that name a value twice': [
    [
      check('in', 'a', 'in', ['5', 5, 'x', 'null', null, null, true, 'true']),
      check('notIn', 'b', 'notIn', [1, '1']),
      all('inside', { field: 'c', operator: 'in', value: ['a', 'a'] }, { field: 'd', operator: 'exists' }),
    ],
  ],
  'patterns that are something cheaper': [
    [
      check('one text', 'a', 'regex', '^latest$'),
      check('escaped', 'b', 'regex', '^1\\.0$'),
      check('nothing', 'c', 'regex', '^$'),
      check('a list', 'd', 'regex', '^(?:a|b|)$'),
      check('open', 'e', 'regex', '^latest'),
      check('open before', 'f', 'regex', 'latest$'),
      check('word', 'g', 'regex', '\\blatest$'),
      check('word behind', 'h', 'regex', '^latest\\b'),
      check('class', 'i', 'regex', '^[ab]$'),
      check('class in a list', 'j', 'regex', '^(?:a|[bc])$'),
      check('list and more', 'k', 'regex', '^(?:a|b)c$'),
      check('unbound', 'l', 'regex', '^a|b$'),
      check('a number', 'm', 'regex', '^5$'),
      all('in a condition', { field: 'n', operator: 'regex', value: '^x$' }, { field: 'o', operator: 'exists' }),
      all('behind a gate', { field: 'p', operator: 'regex', value: '^x$', dependsOnRule: 'a number' }),
    ],
  ],
  'a proof of many cases': [
    [
      any('one of five', ...[1, 2, 3, 4, 5].map((value): Condition => ({ field: 'x', operator: 'eq', value }))),
      check('none of them', 'x', 'gt', 9),
      any('one of three', ...[1, 2, 3].map((value): Condition => ({ field: 'y', operator: 'eq', value }))),
      check('nor of these', 'y', 'gt', 9),
    ],
  ],
  'a shorter bound of patterns': [[check('a', 'x', 'regex', '^latest')], { limits: { regexLength: 5 } }],
  'lists of what is not a scalar': [[check('a', 'x', 'in', [['p'], ['p'], { q: 1 }, { q: 1 }])]],
  'more that is not decided than is shown': [
    ['^\\d+$', '^[0-9]+$', '^[0-9]{1,}$']
      .map((value, at) => check(`digits ${at}`, 'x', 'regex', value))
      .concat([check('negative', 'x', 'lt', 0), check('more negative', 'x', 'lt', -1)]),
    { maxPairsPerRule: 1 },
  ],
  'what is not decided': [
    [
      check('digits', 'x', 'regex', '^\\d+$'),
      check('negative', 'x', 'lt', 0),
      check('many', '$count(y)', 'regex', '^5000'),
      check('few', '$count(y)', 'gt', 1000),
    ],
  ],
  'other targets and places': [
    [
      check('a', 'x', 'gt', 5),
      check('b', 'x', 'lt', 3, { target: 'pipeline' }),
      check('c', 'y.z', 'exists'),
      check('d', 'y', 'notExists'),
      check('e', 'y.zz', 'exists'),
    ],
  ],
}
