/**
 * Input that means harm or comes from a broken program: paths, patterns with the texts that hurt them, attribute trees
 * and rule records. Made for the hostile tests and for the stall figure of the proof.
 */
import type { Random } from './random.js'

const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  '__lookupSetter__',
  'then',
  'toJSON',
  'length',
] as const

const PATH_PARTS = [
  ...PROTOTYPE_KEYS,
  ...[
    'a',
    'env',
    'tags',
    '0',
    '00',
    '-1',
    '4294967295',
    '9007199254740993',
    '1e3',
    ' ',
    '\0',
    '\ud800',
    '😀',
    '\u2028',
  ],
  ...['.', '..', '[', ']', '[0]', '["a"]', "['b']", '["', "']", '[\\"]', '["\\', '\\', '"', '$', '$$', '(', ')', '()'],
  ...['$count(', '$length(', '$keys(', '$lines(', '$constructor(', '$__proto__(', '$count($count(', ')))'],
] as const

export function hostilePath(random: Random): string {
  const parts = 1 + random.below(random.chance(5) ? 200 : 6)
  let path = ''
  for (let i = 0; i < parts; i++) path += (random.chance(50) && i > 0 ? '.' : '') + random.pick(PATH_PARTS)
  return path
}

/** Patterns known from published accounts of catastrophic backtracking, and others that grow when compiled. */
const HARMFUL_PATTERNS = [
  '(a+)+$',
  '([a-zA-Z]+)*$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){20}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '^(a?){50}a{50}$',
  '.*.*.*.*=.*',
  '\\s*\\s*\\s*x$',
  '^\\s+|\\s+$',
  '(?:(?:a{1,100}){1,100}){1,100}',
  '((a{0,5}){0,5}){0,5}[^b]',
  '^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@([0-9a-zA-Z][-\\w]*[0-9a-zA-Z]\\.)+[a-zA-Z]{2,9})$',
  '^(?:[a-z0-9]+-?)+[a-z0-9]$',
  '(\\w+\\s*)+:$',
  '(a*)*b',
  '(a*)*?b',
  '([^,]*,){11}P',
  '^(\\d+)*x$',
  '[a-z]+x',
  'a.*b.*c.*d.*e',
  '(?=a+)+b',
  '(a)\\1{1000}',
  'a{1000}',
  '(a{1000}){1000}',
  '[\\s\\S]{0,1000}z',
  '(((((((((((((((((((a)))))))))))))))))))*',
  '(a|b|c|d|e|f)*z',
  '^.{0,100}$',
] as const

/** Patterns whose automata have a state for nearly every text, so that an engine has to fall back on all paths at once. */
const EXPLODING_PATTERNS: readonly ((turns: number) => string)[] = [
  (turns) => `a[ab]{${turns}}[cd]`,
  (turns) => `[ab]{${turns}}a[ab]{${turns}}[cd]`,
  (turns) => `b.{0,${turns}}[yz]`,
  (turns) => `b(?:ab?|b){${turns}}[yz]`,
  (turns) => `(?:[ab]{0,5}b){${turns}}[cd]`,
  (turns) => `a(?:.?a.?){${turns}}[cd]`,
  (turns) => `(?:a|ab|ba|bb){${turns}}[cd]`,
  (turns) => `\\b(?:\\w{1,5}\\b.?){${turns}}[cd]`,
  (turns) => `^(?:[^]*a){${turns}}[cd]`,
  (turns) => `b(?:[ab]?\\b[ab]?){${turns}}[cd]`,
  (turns) => `b(?:a?b?a?b?a?b?a?b?){${turns}}c`,
  (turns) => `^[ab]*(?:a[ab]{${turns}}|b[ab]{${turns}})[cd]`,
]

const PATTERN_PARTS = [
  ...[
    'a',
    'b',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '[a-z]',
    '[^a]',
    '(',
    ')',
    '(?:',
    '(?=',
    '(?<!',
    '(?<x>',
    '(?i)',
    '|',
    '^',
    '$',
  ],
  ...[
    '*',
    '+',
    '?',
    '{2,}',
    '{1,1000}',
    '{1001}',
    '{,',
    '*?',
    '++',
    '[',
    ']',
    '[^',
    '\\',
    '\\1',
    '\\k<x>',
    '\\u{1f600}',
  ],
  ...['\ud800', '😀', '\\b', '\\p{L}', '\\x', '\\c', '[z-a]', '[[:alpha:]]', '\0', '\n', '/', '\\/', '-'],
] as const

export function hostilePattern(random: Random): string {
  if (random.chance(30)) return random.pick(HARMFUL_PATTERNS)
  if (random.chance(15))
    return random.pick(EXPLODING_PATTERNS)(random.pick([3, 8, 20, 30, 60, 100, 130, 300, 450, 1000]))
  let pattern = ''
  for (let parts = 1 + random.below(random.chance(5) ? 80 : 9); parts > 0; parts--)
    pattern += random.pick(PATTERN_PARTS)
  return pattern
}

export function hostileText(random: Random): string {
  if (random.chance(10)) return mixedText(random, random.pick([1_000, 65_536]))
  const unit = random.pick(['a', 'ab', 'x', ' ', 'a,', '1', 'a-', 'word ', '=', '\ud800', '😀', 'aA', '\t', '.', 'a.'])
  const length = random.pick([
    10,
    28,
    100,
    1_000,
    10_000,
    10_000,
    65_535,
    65_536,
    65_537,
    random.chance(20) ? 200_000 : 50,
  ])
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 1) + random.pick(['!', 'z', '', '\n', 'b'])
}

/** Letters at random, which lead an automaton to new states all the time. */
function mixedText(random: Random, length: number): string {
  const letters = random.pick(['ab', 'ab', 'abc', 'ab ', 'a\ud800'])
  let text = ''
  for (let i = 0; i < length; i++) text += letters[random.below(letters.length)]
  return text
}

/** An attribute tree as no honest client sends it; JSON values, values JSON does not know, and cycles. */
export function hostileAttributes(random: Random): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let i = 1 + random.below(6); i > 0; i--) put(result, random.pick(ROOT_KEYS), hostileValue(random))
  return result
}

const ROOT_KEYS = ['a', 'env', 'tags', 'name', 'secretToken', '0', '\ud800', '', ...PROTOTYPE_KEYS]

function hostileValue(random: Random): unknown {
  const makers: readonly (() => unknown)[] = [
    () => hostileText(random),
    () => nested(random, 10 ** (1 + random.below(4))),
    () => Array.from({ length: random.chance(10) ? 50_000 : random.below(300) }, (_, i) => i),
    () => new Array(random.chance(10) ? 100_000 : random.below(9)),
    () =>
      Object.fromEntries(
        Array.from({ length: random.chance(5) ? 20_000 : random.below(90) }, (_, i) => [`k${i}`, `${i}`]),
      ),
    () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
    () => Object.create(null),
    () => Object.assign(Object.create({ inherited: 1 }), { own: 1 }),
    () => cyclic(),
    () => new Map([['a', 1]]),
    () => Buffer.from('bytes'),
    () => Object('boxed'),
    () => Symbol('s'),
    () => 10n ** 400n,
    () => Number.NaN,
    () => -0,
    () => new Date(Number.NaN),
    () => new Date(8.64e15),
    () => ({ toJSON: () => 'other', toString: null, valueOf: null }),
    () => ['\ud800', '\udc00', '\ud83d\ude00'.slice(0, 1)],
    () => null,
  ]
  return random.pick(makers)()
}

function nested(random: Random, depth: number): unknown {
  const isList = random.chance(50)
  let value: unknown = 'leaf'
  for (let i = 0; i < depth; i++) value = isList ? [value] : { a: value }
  return value
}

function cyclic(): unknown {
  const object: Record<string, unknown> = { a: [1, 2, 3] }
  object.self = object
  ;(object.a as unknown[]).push(object, object.a)
  return object
}

/** A record that some fields of are not what the type says, as files written by hand and old databases hold them. */
export function hostileRule(random: Random, pattern = hostilePattern(random)): unknown {
  if (random.chance(4))
    return random.pick<unknown>([null, undefined, 1, 'rule', [], [[]], true, () => 1, Symbol.iterator])
  const condition = () => {
    const result: Record<string, unknown> = {}
    put(result, 'field', random.chance(80) ? hostilePath(random) : wrong(random))
    put(result, 'operator', random.chance(80) ? random.pick(OPERATORS) : wrong(random))
    put(result, 'value', random.chance(40) ? pattern : random.chance(50) ? wrong(random) : hostileValue(random))
    if (random.chance(30)) put(result, 'dependsOnRule', random.chance(80) ? `r${random.below(4)}` : wrong(random))
    return result
  }
  const rule: Record<string, unknown> = { name: `r${random.below(4)}`, target: 'plugin', ...condition() }
  if (random.chance(40))
    rule.conditions = Array.from({ length: random.below(4) }, () => (random.chance(90) ? condition() : wrong(random)))
  for (let i = random.below(4); i > 0; i--) put(rule, random.pick(RECORD_KEYS), wrong(random))
  return rule
}

const OPERATORS = [
  'regex',
  'regex',
  'eq',
  'neq',
  'in',
  'notIn',
  'contains',
  'notContains',
  'lte',
  'countGt',
  'notEmpty',
]

const RECORD_KEYS = [
  ...['id', 'name', 'target', 'severity', 'priority', 'scope', 'conditions', 'conditionMode', 'tags', 'policyIds'],
  ...['isActive', 'isTemplate', 'deletedAt', 'effectiveFrom', 'effectiveUntil', 'source', 'description', '__proto__'],
] as const

function wrong(random: Random): unknown {
  return random.pick<() => unknown>([
    () => null,
    () => undefined,
    () => Number.NaN,
    () => -1,
    () => 1e308,
    () => '',
    () => 'constructor',
    () => '\ud800',
    () => [],
    () => [null],
    () => ({}),
    () => ({ length: 3 }),
    () => nested(random, 1_000),
    () => 'x'.repeat(10_000),
    () => true,
    () => new Date(Number.NaN),
    () => 5n,
    () => () => 'called',
    () => cyclic(),
    () => JSON.parse('{"__proto__": []}'),
  ])()
}

/** As `JSON.parse` does it: `__proto__` becomes an own key. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
