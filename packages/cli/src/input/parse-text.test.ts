import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseText } from './parse-text.js'

const values = (file: string, text: string) => parseText(file, text).documents.map((document) => document.value)

describe('parseText', () => {
  it('reads several YAML documents and places each in the file', () => {
    const { documents, problems } = parseText('a.yaml', 'name: one\n---\n# second\nname: two\nenv:\n  KEY: x\n')
    expect(problems).toEqual([])
    expect(documents.map((document) => document.value)).toEqual([{ name: 'one' }, { name: 'two', env: { KEY: 'x' } }])
    expect(documents[1]?.positionOf(['env', 'KEY'])).toEqual({ line: 6, column: 3 })
    expect(documents[1]?.positionOf(['env', 'KEY'], 'value')).toEqual({ line: 6, column: 8 })
    expect(documents[1]?.positionOf(['missing'])).toEqual({ line: 4, column: 1 })
    expect(documents[1]?.lineText(6)).toBe('  KEY: x')
  })

  it('follows aliases and merge keys to where the value is written', () => {
    const text = 'base: &base\n  timeout: 5\nweb:\n  <<: *base\n  name: w\ncopy: *base\n'
    const [document] = parseText('a.yaml', text).documents
    expect(document?.value).toMatchObject({ web: { timeout: 5, name: 'w' } })
    expect(document?.positionOf(['web', 'timeout'])).toEqual({ line: 2, column: 3 })
    expect(document?.positionOf(['copy', 'timeout'])).toEqual({ line: 2, column: 3 })
    expect(document?.positionOf(['web', 'name'])).toEqual({ line: 5, column: 3 })
  })

  it.each([
    ['a.yaml', '', 'the file is empty'],
    ['a.yaml', '  \n\n', 'the file is empty'],
    ['a.yaml', '# only a comment\n', 'the document is null or empty'],
    ['a.json', 'null', 'the document is null or empty'],
    ['a.yaml', 'a: 1\n---\n', 'the document is null or empty'],
    ['a.yaml', 'a: [1, 2', 'flow sequence'],
    ['a.yaml', 'a: 1\na: 2\n', 'the key `a` appears twice'],
    ['a.json', '{"a": 1, // one\n}', 'expected a key'],
    ['a.json', "{'a': 1}", 'expected a key'],
    ['a.yaml', '['.repeat(20_000) + ']'.repeat(20_000), 'nested deeper than'],
    ['a.yaml', `${'- '.repeat(20_000)}x`, 'nested deeper than'],
    ['a.yaml', `${'? '.repeat(20_000)}x`, 'nested deeper than'],
    ['a.json', '['.repeat(20_000), 'nested deeper than'],
  ])('reports %s with content %.40j as a problem', (file, text, message) => {
    const { documents, problems } = parseText(file, text)
    expect(problems.map((problem) => problem.message).join()).toContain(message)
    expect(documents.filter((document) => document.value === null)).toEqual([])
  })

  it('places a problem on its line', () => {
    expect(parseText('a.json', '{\n  "a": 1\n  "b": 2\n}').problems[0]?.position).toEqual({ line: 3, column: 3 })
    expect(parseText('a.yaml', 'a: 1\nb: 2\na: 3\n').problems[0]?.position).toEqual({ line: 3, column: 1 })
  })

  it('keeps the good lines of NDJSON and reports the bad ones', () => {
    const { documents, problems } = parseText('a.ndjson', '{"a":1}\n\n{"a":}\r\n{"a":3}\n')
    expect(documents.map((document) => document.value)).toEqual([{ a: 1 }, { a: 3 }])
    expect(documents[1]?.positionOf(['a'])).toEqual({ line: 4, column: 2 })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.position).toEqual({ line: 3, column: 6 })
  })

  it('reads the good documents of a file with a broken one', () => {
    const { documents, problems } = parseText('a.yaml', 'a: 1\n---\nb: "\n---\nc: 3\n')
    expect(documents.map((document) => document.value)).toContainEqual({ a: 1 })
    expect(problems.length).toBeGreaterThan(0)
  })

  it('takes the format of nameless text from its content', () => {
    expect(values('-', '{"a":1}\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }])
    expect(values('-', '{\n"a": 1\n}\n')).toEqual([{ a: 1 }])
    expect(values('-', '[1,\n2]')).toEqual([[1, 2]])
    expect(values('-', 'a: 1\n')).toEqual([{ a: 1 }])
  })

  it('refuses an alias bomb in milliseconds, and survives a cycle', () => {
    let bomb = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n'
    for (let level = 1; level < 12; level++) {
      bomb += `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]\n`
    }
    const started = performance.now()
    expect(parseText('bomb.yaml', bomb).problems[0]?.message).toBe('aliases expand more than 10000 times')
    expect(performance.now() - started).toBeLessThan(20_000)
    const [cycle] = parseText('cycle.yaml', 'a: &a\n  b: *a\n').documents
    expect(cycle?.positionOf(['a', 'b', 'b', 'b'])).toEqual({ line: 2, column: 3 })
  })

  it('never throws on any text, and only ever reports positions inside it', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom(
            'a',
            ':',
            ' ',
            '\n',
            '- ',
            '&x',
            '*x',
            '<<: ',
            '{',
            '}',
            '[',
            ']',
            '"',
            '!t ',
            '|',
            '%',
            '---\n',
          ),
          { maxLength: 12 },
        )
        .map((words) => words.join('')),
    )
    fc.assert(
      fc.property(anything, fc.constantFrom('a.yaml', 'a.json', 'a.ndjson', '-'), (text, file) => {
        const { documents, problems } = parseText(file, text)
        expect(documents.length + problems.length).toBeGreaterThan(0)
        for (const document of documents) expect(document.positionOf(['a', 0]).line).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })
})
