import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonSyntaxError, parseJson } from './json-text.js'
import { nestingMax } from './located.js'

const parse = (text: string): unknown => parseJson(text).value

describe('parseJson', () => {
  it('yields what JSON.parse yields, for every JSON text', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('refuses what JSON.parse refuses, and accepts the rest but duplicate keys', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-0',
      '01',
      '1.',
      '.5',
      '1e3',
      'tru',
      'true',
      ' ',
      '\n',
      '\\',
      '"\\u00e',
      "'a'",
      '//c',
      '\u00a0',
      '\ufeff',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (words) => {
        const text = words.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parse(text)).toThrow(JsonSyntaxError)
          return
        }
        try {
          expect(parse(text)).toEqual(expected)
        } catch (error) {
          if (!(error instanceof JsonSyntaxError)) throw error
          expect(error.message).toContain('appears twice')
        }
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['{"a": 1, "a": 2}', 'key "a" appears twice', 9],
    ['{"a": 1,}', 'expected a key in double quotes, found "}"', 8],
    ['[1 2]', 'expected , or ] in the list, found "2"', 3],
    ['{"a" 1}', 'expected : after the key, found "1"', 5],
    ['{"a": }', 'unexpected "}"', 6],
    ['"a', 'a string is not closed', 2],
    ['"\n"', 'a line break or control character inside a string', 1],
    ['"\\x"', 'unknown escape \\x', 1],
    ['', 'a value is missing', 0],
    ['1 // one', 'unexpected "/" after the value', 2],
  ])('names mistake and place in %j', (text, message, offset) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ message, offset }))
  })

  it('keeps `__proto__` as data', () => {
    const value = parse('{"__proto__": {"polluted": true}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect((value as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('refuses nesting that would exhaust the stack', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(() => parse(deep(nestingMax))).not.toThrow()
    expect(() => parse(deep(200_000))).toThrow('nested deeper than')
  })

  it('knows where each key and value stands, and the nearest ancestor of what is absent', () => {
    const { spans } = parseJson('{"a": [10, {"b": "x"}]}', 100)
    expect(spans.find(['a'])).toEqual({ keyStart: 101, valueStart: 106, valueEnd: 122 })
    expect(spans.find(['a', 1, 'b'])).toEqual({ keyStart: 112, valueStart: 117, valueEnd: 120 })
    expect(spans.find(['a', 1, 'missing', 'deeper'])).toEqual(spans.find(['a', 1]))
    expect(spans.find(['a', 0])).toEqual({ keyStart: 107, valueStart: 107, valueEnd: 109 })
  })
})
