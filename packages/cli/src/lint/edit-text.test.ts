import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { editText } from './edit-text.js'

const remove = (path: string) => [{ op: 'remove', path }] as const
const replace = (path: string, value: string | number | string[]) => [{ op: 'replace', path, value }] as const
const edit = (text: string, patch: Parameters<typeof editText>[1]['patch'], at: (string | number)[] = []) =>
  editText(text, { ordinal: 0, at, patch }, false)

const text = `# Rules of the house.
rules:
  # The first.
  - name: a
    tags:   [one, two,  two]   # why

    conditions:
      - { field: x, operator: regex, value: '^abc$' }   # keep me
      # between
      - field: "y"     # odd spacing
        operator: gte
        value: "5"

      - { field: z, operator: in, value: [a, b,
            a] }
`

describe('editText', () => {
  it('replaces a scalar and touches nothing else', () => {
    expect(edit(text, replace('/conditions/1/value', 5), ['rules', 0])).toBe(text.replace('"5"', '5'))
  })

  it('keeps the style of quotes, and quotes what would otherwise be read differently', () => {
    expect(edit(text, replace('/conditions/0/value', "it's"), ['rules', 0])).toBe(text.replace("'^abc$'", "'it''s'"))
    expect(edit(text, replace('/name', 'b'), ['rules', 0])).toBe(text.replace('name: a', 'name: b'))
    for (const value of ['yes', '1', 'a: b', '', 'null', '# no', ' x']) {
      const changed = edit(text, replace('/name', value), ['rules', 0])
      expect((parse(changed ?? '') as { rules: { name: unknown }[] }).rules[0]?.name).toBe(value)
    }
  })

  it('makes several changes of one rule, and a list out of a pattern', () => {
    const patch = [...replace('/conditions/0/operator', 'in'), ...replace('/conditions/0/value', ['a', 'b c'])]
    expect(edit(text, patch, ['rules', 0])).toBe(
      text.replace("operator: regex, value: '^abc$'", "operator: in, value: ['a', 'b c']"),
    )
  })

  it('removes entries of flow lists: first, middle, last, over lines', () => {
    expect(edit(text, remove('/tags/0'), ['rules', 0])).toBe(text.replace('[one, two,  two]', '[two,  two]'))
    expect(edit(text, remove('/tags/1'), ['rules', 0])).toBe(text.replace('[one, two,  two]', '[one,  two]'))
    expect(edit(text, remove('/tags/2'), ['rules', 0])).toBe(text.replace('[one, two,  two]', '[one, two]'))
    expect(edit(text, remove('/conditions/2/value/2'), ['rules', 0])).toBe(text.replace(',\n            a]', ']'))
  })

  it('removes entries of block lists with what belongs to them', () => {
    const conditions = (changed: string | null) => {
      const [rule] = (parse(changed ?? '') as { rules: { conditions: { field: string }[] }[] }).rules
      return rule?.conditions.map(({ field }) => field)
    }
    const first = edit(text, remove('/conditions/0'), ['rules', 0])
    expect(conditions(first)).toEqual(['y', 'z'])
    expect(first).toContain('# Rules of the house.')
    expect(first).toContain('- field: "y"     # odd spacing\n        operator: gte\n')
    expect(conditions(edit(text, remove('/conditions/1'), ['rules', 0]))).toEqual(['x', 'z'])
    const last = edit(text, remove('/conditions/2'), ['rules', 0])
    expect(conditions(last)).toEqual(['x', 'y'])
    expect(last).toBe(text.slice(0, text.indexOf('\n      - { field: z')))
  })

  it('edits one document of several, and JSON', () => {
    const stream = 'name: a\ntags: [x, x]\n---\nname: b\ntags: [y, y] # twice\n'
    expect(editText(stream, { ordinal: 1, at: [], patch: remove('/tags/1') }, false)).toBe(
      stream.replace('[y, y]', '[y]'),
    )
    const json = '{\n  "tags": ["x", "x"],\n  "value": "5"\n}\n'
    expect(editText(json, { ordinal: 0, at: [], patch: remove('/tags/0') }, true)).toBe(
      json.replace('["x", "x"]', '["x"]'),
    )
    expect(editText(json, { ordinal: 0, at: [], patch: replace('/value', 'a"b') }, true)).toBe(
      json.replace('"5"', '"a\\"b"'),
    )
  })

  it('refuses what it cannot do in place, and leaves the text alone', () => {
    expect(edit('a: &x [1, 1]\nb: *x\n', remove('/b/1'))).toBeNull()
    expect(edit('a: &x [1, 1]\nb: *x\n', remove('/a/1'))).toBeNull()
    expect(edit('a:\n  - 1\n', remove('/a/0'))).toBeNull()
    expect(edit('a: |\n  text\n', replace('/a', 'b'))).toBeNull()
    expect(edit('a: { b: 1 }\n', replace('/a', 1))).toBeNull()
    expect(edit('a: [', remove('/a/0'))).toBeNull()
    expect(edit('a: 1\n', replace('/b', 1))).toBeNull()
  })

  it('either does exactly what was asked or nothing, for any list in any style', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 2, maxLength: 6 }),
        fc.nat(5),
        fc.constantFrom('flow', 'block'),
        value,
        (list, position, style, replacement) => {
          const index = position % list.length
          const [document] = parseAllDocuments('list: []\nafter: here # stays\n')
          const node = document?.createNode(list)
          if (!document || !node) return
          Object.assign(node, { flow: style === 'flow' })
          document.set('list', node)
          const source = String(document)
          const removed = edit(source, remove(`/list/${index}`))
          if (removed !== null) expect(parse(removed)).toEqual({ list: list.toSpliced(index, 1), after: 'here' })
          if (typeof replacement === 'boolean' || replacement === null) return
          const replaced = edit(source, replace(`/list/${index}`, replacement))
          if (replaced === null) return
          expect(parse(replaced)).toEqual({ list: list.with(index, replacement), after: 'here' })
          expect(replaced).toContain('after: here # stays')
        },
      ),
    )
  })
})
