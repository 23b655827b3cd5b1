/**
 * 300 pairs of rules with what is true of them, by construction: the corpus that recall is measured on.
 *
 * Each pair belongs to a family that says why its label holds. The labels were written from the specification of the
 * operators, not from what the analysis answers; families that it cannot decide are part of the corpus.
 */

import type { Condition, JsonValue, OperatorName, Rule } from '../src/index.js'

/** `first-implies-second`: whatever violates the first rule violates the second. `none`: no relation holds. */
export type Label = 'contradictory' | 'duplicate' | 'first-implies-second' | 'unreachable' | 'none'

export interface PlantedPair {
  readonly label: Label
  readonly family: string
  readonly rules: readonly [Rule, Rule]
}

type Check = readonly [field: string, operator: OperatorName, value?: JsonValue]
type Body = Check | { readonly all: readonly Check[] } | { readonly any: readonly Check[] }

const conditionOf = ([field, operator, value]: Check): Condition =>
  value === undefined ? { field, operator } : { field, operator, value }

const isCheck = (body: Body): body is Check => Array.isArray(body)

const ruleOf = (name: string, body: Body, gates: readonly string[] = []): Rule => {
  const head = { name, target: 'plugin' as const }
  const gating = gates.map((dependsOnRule): Condition => ({ dependsOnRule }))
  if (isCheck(body)) {
    return gates.length === 0
      ? { ...head, ...conditionOf(body) }
      : { ...head, conditions: [...gating, conditionOf(body)] }
  }
  return 'all' in body
    ? { ...head, conditions: [...gating, ...body.all.map(conditionOf)], conditionMode: 'all' }
    : { ...head, conditions: [...gating, ...body.any.map(conditionOf)], conditionMode: 'any' }
}

const family = (label: Label, name: string, bodies: readonly (readonly [Body, Body])[]): PlantedPair[] =>
  bodies.map(([first, second]) => ({
    label,
    family: name,
    rules: [ruleOf('first', first), ruleOf('second', second, label === 'unreachable' ? ['first'] : [])],
  }))

const bounds: readonly (readonly [number, number])[] = [
  [1, 2],
  [0, 30],
  [-5, 5],
  [59, 60],
  [10, 1000],
]

const names = ['version', 'baseImage', 'category', 'lifecycle', 'labels.team'] as const
const lists = ['keywords', 'commands', 'requiredVars', 'metadata.scopes', 'secrets'] as const

const contradictory: PlantedPair[] = [
  ...family(
    'contradictory',
    'bounds that leave no number',
    bounds.flatMap(([low, high]): [Body, Body][] => [
      [
        ['timeout', 'lt', low],
        ['timeout', 'gt', high],
      ],
      [
        ['timeout', 'lte', low],
        ['timeout', 'gte', high],
      ],
      [
        ['timeout', 'lt', low],
        ['timeout', 'gte', low],
      ],
    ]),
  ),
  ...family(
    'contradictory',
    'a text that must be and must not be',
    names.flatMap((field): [Body, Body][] => [
      [
        [field, 'eq', 'latest'],
        [field, 'neq', 'latest'],
      ],
      [
        [field, 'in', ['a', 'b']],
        [field, 'notIn', ['a', 'b', 'c']],
      ],
      [
        [field, 'eq', 'stable'],
        [field, 'eq', 'edge'],
      ],
    ]),
  ),
  ...family(
    'contradictory',
    'presence against absence',
    names.flatMap((field): [Body, Body][] => [
      [
        [field, 'exists'],
        [field, 'notExists'],
      ],
      [
        [field, 'notEmpty'],
        [field, 'notExists'],
      ],
      [
        [field, 'eq', 'x'],
        [field, 'notExists'],
      ],
    ]),
  ),
  ...family('contradictory', 'a pattern against a constant, a length or a text', [
    [
      ['version', 'regex', '^\\d+\\.\\d+\\.\\d+$'],
      ['version', 'eq', 'latest'],
    ],
    [
      ['version', 'regex', '^v\\d+$'],
      ['version', 'in', ['1', '2', 'latest']],
    ],
    [
      ['name', 'regex', '^[a-z]{5,}$'],
      ['name', 'lengthLt', 5],
    ],
    [
      {
        all: [
          ['name', 'regex', '^.{1,8}$'],
          ['name', 'regex', '^[a-z]'],
        ],
      },
      ['name', 'lengthGt', 8],
    ],
    [
      ['baseImage', 'regex', ':latest$'],
      ['baseImage', 'notContains', 'latest'],
    ],
    [
      ['name', 'regex', '^[a-z0-9]+$'],
      ['name', 'contains', '-'],
    ],
    [
      ['name', 'regex', '^[a-z]+$'],
      ['name', 'regex', '\\d'],
    ],
    [
      ['category', 'regex', '^(build|test)$'],
      ['category', 'regex', '^(deploy|scan)$'],
    ],
    [
      ['description', 'regex', '\\bdraft\\b'],
      ['description', 'notContains', 'draft'],
    ],
    [
      ['name', 'regex', '^x'],
      ['name', 'regex', '^[^x]'],
    ],
  ]),
  ...family(
    'contradictory',
    'lists that are too long, too short, or hold what they must not',
    lists.flatMap((field): [Body, Body][] => [
      [
        [field, 'countGt', 5],
        [field, 'countLt', 3],
      ],
      [
        [field, 'contains', 'root'],
        [field, 'notContains', 'ROOT'],
      ],
      [
        [`$count(${field})`, 'gt', 2],
        [field, 'countLt', 2],
      ],
    ]),
  ),
  ...family('contradictory', 'computed fields, members and their container', [
    [
      ['$count(env)', 'eq', 0],
      ['env.TOKEN', 'exists'],
    ],
    [
      ['$keys(env)', 'notContains', 'TOKEN'],
      ['env.TOKEN', 'exists'],
    ],
    [
      ['$length(description)', 'gt', 10],
      ['description', 'lengthLt', 5],
    ],
    [
      ['$lines(dockerfile)', 'gt', 3],
      ['dockerfile', 'notExists'],
    ],
    [
      ['$lines(dockerfile)', 'gt', 1],
      ['dockerfile', 'regex', '^.*$'],
    ],
    [
      ['labels.team', 'exists'],
      ['labels', 'notExists'],
    ],
    [
      {
        all: [
          ['keywords.length', 'gt', 4],
          ['keywords', 'contains', 'x'],
        ],
      },
      ['$count(keywords)', 'lt', 4],
    ],
    [
      ['keywords[0]', 'exists'],
      ['keywords', 'notExists'],
    ],
    [
      ['timeout', 'gt', 5],
      ['timeout', 'countLt', 5],
    ],
    [
      ['env', 'eq', {}],
      ['env', 'notEmpty'],
    ],
  ]),
  ...family('contradictory', 'two lists without a common entry', [
    ...lists.map((field): [Body, Body] => [
      [field, 'in', ['a', 'b']],
      [field, 'in', ['c', 'd']],
    ]),
    ...lists.map((field): [Body, Body] => [
      [field, 'in', ['a', 'b']],
      [field, 'contains', 'c'],
    ]),
    [
      ['keywords', 'in', ['x']],
      {
        all: [
          ['keywords', 'countGt', 0],
          ['keywords', 'notContains', 'X'],
        ],
      },
    ],
  ]),
  ...family('contradictory', 'an unbounded pattern and a numeric bound', [
    [
      ['version', 'regex', '^\\d+$'],
      ['version', 'lt', 0],
    ],
    [
      ['version', 'regex', '^-\\d+$'],
      ['version', 'gt', 0],
    ],
    [
      ['version', 'regex', '^0\\.\\d+$'],
      ['version', 'gte', 1],
    ],
    [
      ['version', 'regex', '^[1-9]\\d*$'],
      ['version', 'lt', 1],
    ],
  ]),
  ...family('contradictory', 'several conditions in one rule', [
    [
      {
        all: [
          ['timeout', 'gte', 10],
          ['name', 'exists'],
        ],
      },
      {
        all: [
          ['timeout', 'lt', 10],
          ['name', 'notEmpty'],
        ],
      },
    ],
    [
      {
        any: [
          ['version', 'eq', 'a'],
          ['version', 'eq', 'b'],
        ],
      },
      {
        all: [
          ['version', 'neq', 'a'],
          ['version', 'neq', 'b'],
        ],
      },
    ],
    [
      {
        any: [
          ['timeout', 'lt', 1],
          ['timeout', 'gt', 9],
        ],
      },
      {
        all: [
          ['timeout', 'gte', 2],
          ['timeout', 'lte', 8],
        ],
      },
    ],
    [
      {
        all: [
          ['name', 'regex', '^[a-z]+$'],
          ['name', 'lengthGt', 3],
        ],
      },
      ['name', 'lengthLt', 4],
    ],
    [
      {
        all: [
          ['$keys(labels)', 'in', ['team', 'tier']],
          ['labels', 'notEmpty'],
        ],
      },
      ['$count(labels)', 'gt', 2],
    ],
    [
      ['version', 'regex', '^\\d{1,3}$'],
      ['version', 'gt', 1000],
    ],
    [
      ['version', 'regex', '^[0-4]$'],
      ['version', 'gte', 5],
    ],
  ]),
]

const duplicate: PlantedPair[] = [
  ...family(
    'duplicate',
    'the same bound, strict and not',
    lists.flatMap((field): [Body, Body][] => [
      [
        [field, 'countGt', 0],
        {
          all: [
            [field, 'countGt', 0],
            [field, 'countGt', -1],
          ],
        },
      ],
      [
        [`$count(${field})`, 'gt', 2],
        [`$count(${field})`, 'gte', 3],
      ],
      [
        [`$count(${field})`, 'lt', 1],
        [`$count(${field})`, 'eq', 0],
      ],
      [
        [`$count(${field})`, 'countLt', 4],
        [`$count(${field})`, 'lte', 3],
      ],
    ]),
  ),
  ...family(
    'duplicate',
    'the same text, written otherwise',
    names.flatMap((field): [Body, Body][] => [
      [
        [field, 'eq', 'latest'],
        [field, 'regex', '^latest$'],
      ],
      [
        [field, 'eq', 5],
        [field, 'eq', '5'],
      ],
      [
        [field, 'contains', 'Alpine'],
        [field, 'contains', 'alpine'],
      ],
      [
        [field, 'exists'],
        [field, 'neq', null],
      ],
      [
        [field, 'regex', '^(dev|develop)$'],
        [field, 'regex', '^dev(elop)?$'],
      ],
    ]),
  ),
  ...family('duplicate', 'an unbounded pattern beside a bound that it implies', [
    [
      ['version', 'regex', '^\\d+$'],
      {
        all: [
          ['version', 'regex', '^\\d+$'],
          ['version', 'regex', '^.'],
        ],
      },
    ],
    [
      {
        all: [
          ['version', 'regex', '^[1-9]\\d{2,}$'],
          ['version', 'gte', 100],
        ],
      },
      {
        all: [
          ['version', 'regex', '^[1-9]\\d{2,}$'],
          ['version', 'gt', 99],
        ],
      },
    ],
  ]),
  ...family('duplicate', 'the same condition in another shape', [
    [
      {
        any: [
          ['version', 'eq', 'a'],
          ['version', 'eq', 'b'],
        ],
      },
      {
        any: [
          ['version', 'eq', 'b'],
          ['version', 'eq', 'a'],
        ],
      },
    ],
    [
      {
        all: [
          ['name', 'exists'],
          ['timeout', 'lt', 5],
        ],
      },
      {
        all: [
          ['timeout', 'lt', 5],
          ['name', 'exists'],
        ],
      },
    ],
    [
      ['labels.team', 'exists'],
      ['labels["team"]', 'exists'],
    ],
    [
      ['keywords.0', 'exists'],
      ['keywords[0]', 'exists'],
    ],
    [
      ['version', 'in', ['a', 'b']],
      ['version', 'in', ['b', 'a', 'a']],
    ],
    [
      ['timeout', 'gte', '10'],
      ['timeout', 'gte', 10],
    ],
    [
      {
        all: [
          ['timeout', 'gt', 3],
          ['timeout', 'gt', 5],
        ],
      },
      ['timeout', 'gt', 5],
    ],
    [
      {
        any: [
          ['timeout', 'gt', 3],
          ['timeout', 'gt', 5],
        ],
      },
      ['timeout', 'gt', 3],
    ],
    [
      {
        any: [
          ['name', 'regex', '^a'],
          ['name', 'regex', '^b'],
        ],
      },
      ['name', 'regex', '^[ab]'],
    ],
    [
      ['$length(name)', 'gte', 1],
      ['$length(name)', 'notEmpty'],
    ],
    [
      ['$count($keys(env))', 'gt', 0],
      ['$keys(env)', 'notEmpty'],
    ],
    [
      ['name', 'regex', '[0-9]'],
      ['name', 'regex', '\\d'],
    ],
    [
      ['name', 'regex', '^a.*$'],
      ['name', 'regex', '^a[^\\n\\r\\u2028\\u2029]*$'],
    ],
    [
      ['name', 'notExists'],
      ['name', 'eq', null],
    ],
    [
      {
        all: [
          ['name', 'regex', '^[a-z]+$'],
          ['name', 'regex', '^.{2,4}$'],
        ],
      },
      ['name', 'regex', '^[a-z]{2,4}$'],
    ],
  ]),
]

const implied: PlantedPair[] = [
  ...family(
    'first-implies-second',
    'a wider and a narrower bound',
    bounds
      .flatMap(([low, high]): [Body, Body][] => [
        [
          ['timeout', 'lte', high],
          ['timeout', 'lte', low],
        ],
        [
          ['timeout', 'gt', low],
          ['timeout', 'gt', high],
        ],
        [
          ['timeout', 'gte', low],
          ['timeout', 'gt', low],
        ],
        [
          ['description', 'lengthGt', 2],
          ['description', 'lengthGt', 20],
        ],
      ])
      .filter((pair, index, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(pair)) === index),
  ),
  ...family(
    'first-implies-second',
    'presence before anything else',
    names.flatMap((field): [Body, Body][] => [
      [
        [field, 'exists'],
        [field, 'notEmpty'],
      ],
      [
        [field, 'exists'],
        [field, 'regex', '^[a-z]+$'],
      ],
      [
        [field, 'exists'],
        [field, 'in', ['a', 'b', 'c']],
      ],
      [
        [field, 'exists'],
        [field, 'contains', 'a'],
      ],
    ]),
  ),
  ...family(
    'first-implies-second',
    'a longer list of what is allowed',
    names.flatMap((field): [Body, Body][] => [
      [
        [field, 'in', ['a', 'b', 'c']],
        [field, 'in', ['a', 'b']],
      ],
      [
        [field, 'notIn', ['a', 'b']],
        [field, 'notIn', ['a', 'b', 'c']],
      ],
      [
        [field, 'regex', 'late'],
        [field, 'regex', 'latest'],
      ],
    ]),
  ),
  ...family('first-implies-second', 'a wider and a narrower pattern', [
    [
      ['name', 'regex', '^[a-z]'],
      ['name', 'regex', '^[a-z]+$'],
    ],
    [
      ['version', 'regex', '^\\d'],
      ['version', 'regex', '^\\d+\\.\\d+\\.\\d+$'],
    ],
    [
      ['version', 'neq', 'latest'],
      ['version', 'regex', '^\\d+\\.\\d+\\.\\d+$'],
    ],
    [
      ['name', 'regex', '^[a-z0-9-]+$'],
      ['name', 'regex', '^[a-z][a-z0-9-]{1,63}$'],
    ],
    [
      ['name', 'regex', '^.{0,64}$'],
      ['name', 'regex', '^[a-z][a-z0-9-]{1,63}$'],
    ],
    [
      ['name', 'contains', 'x'],
      ['name', 'regex', 'x'],
    ],
    [
      ['category', 'in', ['a', 'b']],
      ['category', 'regex', '^(a|b)$'],
    ],
    [
      ['category', 'regex', '^(build|test|scan)$'],
      ['category', 'regex', '^(build|test)$'],
    ],
    [
      ['category', 'regex', 'b'],
      ['category', 'eq', 'build'],
    ],
  ]),
  ...family('first-implies-second', 'members, keys and counts', [
    [
      ['$keys(env)', 'contains', 'TOKEN'],
      ['env.TOKEN', 'exists'],
    ],
    [
      ['env', 'exists'],
      ['env.TOKEN', 'exists'],
    ],
    [
      ['$count(keywords)', 'gt', 0],
      ['keywords[0]', 'exists'],
    ],
    [
      ['keywords', 'notEmpty'],
      ['keywords', 'countGt', 3],
    ],
    [
      ['$keys(env)', 'contains', 'TOKEN'],
      ['env.token', 'exists'],
    ],
    [
      ['$count(secrets)', 'gt', 0],
      ['$count(secrets)', 'gt', 4],
    ],
    [
      ['secrets', 'exists'],
      ['secrets', 'countGt', 0],
    ],
    [
      ['keywords', 'notEmpty'],
      ['keywords', 'in', ['a', 'b']],
    ],
  ]),
  ...family('first-implies-second', 'one condition less, one alternative more', [
    [
      ['name', 'exists'],
      {
        all: [
          ['name', 'exists'],
          ['timeout', 'gt', 5],
        ],
      },
    ],
    [
      ['timeout', 'gt', 5],
      {
        all: [
          ['name', 'exists'],
          ['timeout', 'gt', 5],
        ],
      },
    ],
    [
      {
        any: [
          ['name', 'exists'],
          ['timeout', 'gt', 5],
        ],
      },
      ['name', 'exists'],
    ],
    [
      {
        any: [
          ['version', 'eq', 'a'],
          ['version', 'eq', 'b'],
        ],
      },
      ['version', 'eq', 'a'],
    ],
    [
      {
        all: [
          ['a', 'exists'],
          ['b', 'exists'],
        ],
      },
      {
        all: [
          ['a', 'exists'],
          ['b', 'exists'],
          ['c', 'exists'],
        ],
      },
    ],
    [
      {
        any: [
          ['a', 'gt', 1],
          ['b', 'gt', 1],
          ['c', 'gt', 1],
        ],
      },
      {
        any: [
          ['a', 'gt', 1],
          ['b', 'gt', 2],
        ],
      },
    ],
    [
      ['version', 'gte', 5],
      {
        all: [
          ['version', 'regex', '^[5-9]$'],
          ['name', 'exists'],
        ],
      },
    ],
  ]),
]

const unreachable: PlantedPair[] = [
  ...family('unreachable', 'gated on a rule that nothing passes', [
    [
      {
        all: [
          ['timeout', 'gt', 5],
          ['timeout', 'lt', 5],
        ],
      },
      ['name', 'exists'],
    ],
    [
      ['$count(secrets)', 'lt', 0],
      ['secrets', 'notEmpty'],
    ],
    [
      {
        all: [
          ['version', 'eq', 'a'],
          ['version', 'eq', 'b'],
        ],
      },
      ['version', 'exists'],
    ],
    [
      ['$length(name)', 'eq', 'long'],
      ['name', 'lengthGt', 5],
    ],
    [
      {
        all: [
          ['name', 'exists'],
          ['name', 'notExists'],
        ],
      },
      ['timeout', 'gt', 1],
    ],
    [
      ['$count(keywords)', 'countLt', 0],
      ['keywords', 'contains', 'x'],
    ],
    [
      {
        all: [
          ['name', 'regex', '^a$'],
          ['name', 'lengthGt', 1],
        ],
      },
      ['name', 'exists'],
    ],
    [
      ['$count(env)', 'notExists'],
      ['env', 'exists'],
    ],
    [
      {
        all: [
          ['labels.team', 'exists'],
          ['labels', 'notExists'],
        ],
      },
      ['labels', 'exists'],
    ],
    [
      ['$lines(dockerfile)', 'lt', 0],
      ['dockerfile', 'exists'],
    ],
  ]),
]

const moreUnreachable: PlantedPair[] = [
  ...family('unreachable', 'gated on a rule with conditions that exclude each other', [
    [
      {
        all: [
          ['version', 'regex', '^\\d+$'],
          ['version', 'eq', 'latest'],
        ],
      },
      ['version', 'exists'],
    ],
    [
      {
        all: [
          ['keywords', 'countGt', 3],
          ['keywords', 'countLt', 2],
          ['keywords', 'contains', 'x'],
        ],
      },
      ['name', 'exists'],
    ],
    [
      {
        all: [
          ['timeout', 'gt', 10],
          ['timeout', 'lte', 10],
        ],
      },
      {
        any: [
          ['name', 'exists'],
          ['version', 'exists'],
        ],
      },
    ],
    [
      {
        all: [
          ['env.TOKEN', 'exists'],
          ['$count(env)', 'eq', 0],
        ],
      },
      ['env', 'exists'],
    ],
    [
      {
        all: [
          ['name', 'regex', 'abc'],
          ['name', 'regex', '^[^b]+$'],
        ],
      },
      ['name', 'exists'],
    ],
    [
      {
        all: [
          ['name', 'in', ['a', 'b']],
          ['name', 'in', ['c']],
        ],
      },
      ['name', 'exists'],
    ],
    [
      {
        all: [
          ['name', 'notExists'],
          ['name', 'notEmpty'],
        ],
      },
      ['name', 'exists'],
    ],
    [
      {
        all: [
          ['description', 'lengthGt', 9],
          ['$length(description)', 'lt', 9],
          ['description', 'contains', 'a'],
        ],
      },
      ['name', 'exists'],
    ],
  ]),
]

const unrelated: PlantedPair[] = [
  ...family(
    'none',
    'fields that do not meet',
    names.map((field): [Body, Body] => [
      [field, 'exists'],
      ['timeout', 'gt', 5],
    ]),
  ),
  ...family('none', 'bounds that overlap', [
    ...bounds.map(([low, high]): [Body, Body] => [
      ['timeout', 'gt', low],
      ['timeout', 'lt', high + 10],
    ]),
    [
      ['name', 'lengthGt', 2],
      ['name', 'lengthLt', 30],
    ],
    [
      ['keywords', 'countGt', 1],
      ['keywords', 'countLt', 9],
    ],
    [
      ['$count(env)', 'gt', 1],
      ['$count(env)', 'lt', 5],
    ],
  ]),
  ...family('none', 'close to a relation, and not one: numbers, lists and spellings count too', [
    [
      ['name', 'lengthLt', 65],
      ['name', 'regex', '^[a-z][a-z0-9-]{1,63}$'],
    ],
    [
      ['name', 'regex', '^.{1,8}$'],
      ['name', 'lengthGt', 8],
    ],
    [
      ['version', 'neq', 'latest'],
      ['version', 'notIn', ['latest', 'edge']],
    ],
    [
      ['baseImage', 'notContains', 'latest'],
      ['baseImage', 'notContains', 'late'],
    ],
    [
      ['category', 'contains', 'team'],
      ['category', 'contains', 'team-a'],
    ],
    [
      ['keywords', 'countGt', 0],
      ['keywords', 'contains', 'x'],
    ],
    [
      ['keywords.length', 'gt', 4],
      ['$count(keywords)', 'lt', 4],
    ],
    [
      ['version', 'neq', '1.0'],
      ['version', 'gt', 0.5],
    ],
    [
      ['timeout', 'gt', 5],
      ['timeout', 'contains', '9'],
    ],
    [
      ['env.TOKEN', 'notExists'],
      ['$keys(env)', 'contains', 'TOKEN'],
    ],
    [
      ['timeout', 'countGt', 5],
      ['timeout', 'gt', 2],
    ],
    [
      ['name', 'contains', '\u0130'],
      ['name', 'contains', 'i'],
    ],
  ]),
  ...family('none', 'negative operators on lists and texts', [
    [
      ['keywords', 'notContains', 'a'],
      ['keywords', 'notContains', 'b'],
    ],
    [
      ['keywords', 'contains', 'a'],
      ['keywords', 'contains', 'b'],
    ],
    [
      ['name', 'contains', 'ab'],
      ['name', 'contains', 'bc'],
    ],
    [
      ['version', 'neq', 'a'],
      ['version', 'neq', 'b'],
    ],
    [
      ['version', 'notIn', ['a']],
      ['version', 'notIn', ['b']],
    ],
    [
      ['timeout', 'neq', 5],
      ['timeout', 'lte', 10],
    ],
    [
      ['name', 'regex', '^a'],
      ['name', 'regex', 'z$'],
    ],
    [
      ['name', 'regex', 'a'],
      ['name', 'notContains', 'b'],
    ],
    [
      ['labels.team', 'exists'],
      ['labels.tier', 'exists'],
    ],
    [
      ['keywords[0]', 'eq', 'x'],
      ['keywords[1]', 'eq', 'y'],
    ],
    [
      ['env', 'notEmpty'],
      ['env.TOKEN', 'notExists'],
    ],
    [
      ['description', 'lengthLt', 100],
      ['$lines(description)', 'gt', 1],
    ],
  ]),
  ...family('none', 'the same field, asked for different things', [
    [
      ['keywords', 'countGt', 1],
      ['keywords', 'contains', 'x'],
    ],
    [
      ['env', 'exists'],
      ['$count(env)', 'lt', 9],
    ],
    [
      ['name', 'regex', '^[a-z]+$'],
      ['name', 'lengthGt', 3],
    ],
    [
      ['version', 'regex', '^\\d+\\.\\d+$'],
      ['version', 'gt', 2],
    ],
    [
      {
        any: [
          ['name', 'exists'],
          ['timeout', 'gt', 5],
        ],
      },
      {
        any: [
          ['name', 'exists'],
          ['version', 'exists'],
        ],
      },
    ],
    [
      {
        all: [
          ['name', 'exists'],
          ['timeout', 'gt', 5],
        ],
      },
      {
        all: [
          ['name', 'exists'],
          ['version', 'exists'],
        ],
      },
    ],
  ]),
]

/** In a fixed order; `npm run proof -- lint` checks that there are 300. */
export const plantedPairs: readonly PlantedPair[] = [
  ...contradictory,
  ...duplicate,
  ...implied,
  ...unreachable,
  ...moreUnreachable,
  ...unrelated,
]
