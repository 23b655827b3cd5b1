import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldPathKey, parseFieldPath } from './field-path.js'
import { FieldPathError, resolveField, stepInto } from './resolve.js'

const segmentsOf = (text: string): readonly string[] | string => {
  const parsed = parseFieldPath(text)
  return parsed.ok ? parsed.path.segments : parsed.problem.code
}

describe('the grammar of field paths', () => {
  it.each<[string, readonly string[]]>([
    ['version', ['version']],
    ['a.b.c', ['a', 'b', 'c']],
    ['items.0.name', ['items', '0', 'name']],
    ['items[0].name', ['items', '0', 'name']],
    ['items[0][1]', ['items', '0', '1']],
    ['labels["team.name"]', ['labels', 'team.name']],
    ["labels['team.name'].x", ['labels', 'team.name', 'x']],
    ['labels["a\\"b\\\\c"]', ['labels', 'a"b\\c']],
    ['labels["a]b"]', ['labels', 'a]b']],
    ['metadata.aws:cdk:privileged', ['metadata', 'aws:cdk:privileged']],
    ['with space.and-hyphen', ['with space', 'and-hyphen']],
    ['$ref', ['$ref']],
    ['__proto__.constructor', ['__proto__', 'constructor']],
  ])('%s', (text, segments) => {
    expect(segmentsOf(text)).toEqual(segments)
  })

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'a[',
    'a[]',
    'a[x]',
    'a[-1]',
    'a[1',
    'a["x"',
    'a["x',
    'a["x\\',
    'a[""]',
    "a['']",
    '[0]',
    '["a"]',
    'a]b',
    'a(b)',
    'a)b',
    'a[0]b',
    '$count(',
    '$count()',
    '$count(a',
    '$count(a)b',
    '$count(a).b',
    '$count(a))',
    '$keys($count(a)',
    'x.$count(a)',
  ])('%j is malformed', (text) => {
    expect(segmentsOf(text)).toBe('invalid_path')
  })

  it('names an unknown function', () => {
    expect(segmentsOf('$size(a)')).toBe('unknown_function')
    expect(segmentsOf('$count($size(a))')).toBe('unknown_function')
    expect(segmentsOf('$constructor(a)')).toBe('unknown_function')
  })

  it('allows 100 characters, 20 segments and 3 calls, and no more', () => {
    expect(segmentsOf('a'.repeat(100))).toHaveLength(1)
    expect(segmentsOf('a'.repeat(101))).toBe('invalid_path')
    expect(segmentsOf(Array.from({ length: 20 }, () => 'a').join('.'))).toHaveLength(20)
    expect(segmentsOf(Array.from({ length: 21 }, () => 'a').join('.'))).toBe('invalid_path')
    expect(segmentsOf('$count($keys($keys(a)))')).toEqual(['a'])
    expect(segmentsOf('$count($keys($keys($keys(a))))')).toBe('invalid_path')
  })

  it.each<[string, string, string, number]>([
    ['', 'the field path is empty', 'name an attribute, for example `version`', 0],
    ['a'.repeat(101), 'the field path has 101 characters', 'use at most 100', 100],
    ['$count(a', '`$count(` is not closed at the end of the path', 'end the path with `)`', 8],
    ['$count(a]', '`$count(` is not closed at the end of the path', 'end the path with `)`', 9],
    ['$keys($keys($keys($count(a))))', 'more than 3 computed functions are nested', 'use at most 3', 18],
    ['$count($size(a))', '`$size` is not a computed function', 'use $count, $length, $keys or $lines', 7],
    [Array.from({ length: 21 }, () => 'a').join('.'), 'the field path has 21 segments', 'use at most 20', 41],
    ['a.b..c', 'the field path has an empty segment', 'name a key between the dots', 4],
    ['x.$count(a)', '`(` cannot stand here', 'quote keys with special characters: `labels["team.name"]`', 8],
    ['aaaaaaa.$count(b)', '`(` cannot stand here', 'quote keys with special characters: `labels["team.name"]`', 14],
    ['a]b', '`]` cannot stand here', 'quote keys with special characters: `labels["team.name"]`', 1],
    ['a[0]b', '`b` cannot stand here', 'quote keys with special characters: `labels["team.name"]`', 4],
    ['a["x"', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['a["x".b]', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['$count(a["x")', 'the bracket is not closed', 'write `[0]` or `["key"]`', 8],
    ['a[""]', 'brackets hold digits or a quoted key', 'write `[0]` or `["key"]`', 1],
    ['a["x', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['a["x\\', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['a[x]', 'brackets hold digits or a quoted key', 'write `[0]` or `["key"]`', 1],
    ['a[1', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['a[1.b', 'the bracket is not closed', 'write `[0]` or `["key"]`', 1],
    ['$count(a[1)', 'the bracket is not closed', 'write `[0]` or `["key"]`', 8],
  ])('says of %j what is wrong, how to mend it and where reading stopped', (text, message, fix, position) => {
    const parsed = parseFieldPath(text)
    expect(parsed.ok ? null : parsed.problem).toMatchObject({ message, fix, position })
  })

  it('refuses what is not a text, of a caller without types', () => {
    const problem = {
      code: 'invalid_path',
      message: 'the field is not a text',
      fix: 'name an attribute, for example `version`',
      position: 0,
    }
    expect(parseFieldPath(undefined as unknown as string)).toEqual({ ok: false, problem })
    expect(parseFieldPath(['a'] as unknown as string)).toEqual({ ok: false, problem })
  })

  it('gives different spellings of one path one key', () => {
    const key = (text: string) => {
      const parsed = parseFieldPath(text)
      return parsed.ok ? fieldPathKey(parsed.path) : null
    }
    expect(key('a[0].b')).toBe(key('a.0["b"]'))
    expect(key('a.b')).not.toBe(key('a["a.b"]'))
    expect(key('$count(a)')).not.toBe(key('$length(a)'))
  })

  it('never throws, and what it accepts is within the bounds', () => {
    const piece = fc.constantFrom('a', '.', '[', ']', '"', "'", '\\', '0', '(', ')', '$count(', '$', ' ', '\ud800')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const parsed = parseFieldPath(pieces.join(''))
        if (!parsed.ok) return
        expect(parsed.path.segments.length).toBeGreaterThan(0)
        expect(parsed.path.segments).not.toContain('')
        expect(parsed.path.calls.length).toBeLessThanOrEqual(3)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('reading a path', () => {
  const attributes = {
    items: [{ name: 'x' }, null, ['y']],
    labels: { 'team.name': 'core', team: { name: 'other' } },
    text: 'abc',
    n: Number.NaN,
    at: new Date(0),
    big: 12n,
    fn: () => 1,
  }

  it.each<[string, unknown]>([
    ['items.0.name', 'x'],
    ['items[2][0]', 'y'],
    ['items.1', undefined],
    ['items.3', undefined],
    ['items.length', 3],
    ['items.name', undefined],
    ['items.00', undefined],
    ['labels["team.name"]', 'core'],
    ['labels.team.name', 'other'],
    ['text.length', undefined],
    ['text.0', undefined],
    ['n', undefined],
    ['at', '1970-01-01T00:00:00.000Z'],
    ['at.getTime', undefined],
    ['$length(at)', 24],
    ['big', '12'],
    ['fn', undefined],
    ['fn.length', undefined],
    ['missing.deep.down', undefined],
    ['$count(items)', 3],
    ['$count($keys(labels))', 2],
    ['$lines(text)', 1],
    ['__proto__', undefined],
    ['constructor.name', undefined],
    ['labels.toString', undefined],
  ])('%s', (path, expected) => {
    expect(resolveField(attributes, path)).toEqual(expected)
  })

  it('finds prototype names when they are data', () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}')
    expect(resolveField(data, '__proto__.a')).toBe(1)
    expect(resolveField(data, 'constructor')).toBe('x')
  })

  it('drops keys that JSON drops', () => {
    const odd = { o: { a: undefined, b: () => 1, c: Symbol('x'), d: null } }
    expect(resolveField(odd, '$keys(o)')).toEqual(['d'])
    expect(resolveField(odd, '$count(o)')).toBe(1)
  })

  it('throws for text that is not a path, with the position', () => {
    expect(() => resolveField({}, 'a..b')).toThrow(FieldPathError)
    expect(() => resolveField({}, 'a..b')).toThrow('the field path has an empty segment: `a..b`')
    try {
      resolveField({}, 'a..b')
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'FieldPathError', position: 2 })
    }
  })

  it('finds nothing in a scalar or in null', () => {
    expect([null, undefined, 'text', 5].map((container) => stepInto(container, 'length'))).toEqual(
      Array(4).fill(undefined),
    )
  })

  it('reads a path that was parsed before', () => {
    const parsed = parseFieldPath('$count(items)')
    expect(parsed.ok && resolveField(attributes, parsed.path)).toBe(3)
  })

  it('reads elements of a list and its length, and no other member of it', () => {
    const list = Object.assign(['a', () => 1, undefined, 'd'], { extra: 'x', '01': 'y' })
    delete list[2]
    const read = (path: string) => resolveField({ list }, path)
    expect([read('list.0'), read('list.3'), read('list.4'), read('list.length')]).toEqual(['a', 'd', undefined, 4])
    expect([read('list.1'), read('list.2'), read('list.extra'), read('list.01')]).toEqual(Array(4).fill(undefined))
  })

  it('reads elements behind the tenth', () => {
    const list = Array.from({ length: 120 }, (_, index) => `e${index}`)
    expect(['list.9', 'list.10', 'list[100]', 'list.119'].map((path) => resolveField({ list }, path))).toEqual([
      ...['e9', 'e10', 'e100', 'e119'],
    ])
    expect(['list.120', 'list.0x1', 'list.1x', 'list.-1'].map((path) => resolveField({ list }, path))).toEqual(
      Array(4).fill(undefined),
    )
  })

  it('finds no element that only the prototype of lists has', () => {
    Object.defineProperty(Array.prototype, 1, { value: 'inherited', configurable: true, writable: true })
    try {
      // biome-ignore lint/suspicious/noSparseArray: the hole is what is read
      expect(resolveField({ list: ['a', , 'c'] }, 'list.1')).toBeUndefined()
    } finally {
      Reflect.deleteProperty(Array.prototype, 1)
    }
  })
})
