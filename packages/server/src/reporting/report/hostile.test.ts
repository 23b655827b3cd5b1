/** Other parsers, Python's `csv` and expat, read tables and charts with hostile names back unchanged. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvRow } from '../../runtime/csv.js'
import { chartOf } from './chart.js'
import { tableOf } from './table.js'

const READER = `
import csv, io, json, sys, xml.parsers.expat as expat
csv.field_size_limit(10 ** 9)
found = []
for table, chart in json.load(sys.stdin):
    rows = list(csv.reader(io.StringIO(table, newline=''), strict=True))
    names, texts, inside = set(), [], []
    def begin(name, attributes):
        names.update([name] + ['@' + each for each in attributes])
        inside.append('')
    def text(data):
        inside[-1] += data
    def end(name):
        texts.append([name, inside.pop()])
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.CharacterDataHandler, parser.EndElementHandler = begin, text, end
    parser.Parse(chart.encode(), True)
    found.append([rows, sorted(names), texts])
json.dump(found, sys.stdout)
`

const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '=HYPERLINK("https://evil.test","x")',
    "'=1+1",
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r\n"x",1',
    '＝cmd',
    'a,"b";c',
    '</text><script>alert(1)</script>',
    '" onload="alert(1)',
    ']]>',
    '&lt;&#0;',
    '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
    '\u202eexe.gpj',
    '\uFFFE',
    '',
  ),
)
const drawn = fc.record({
  cells: fc.array(fc.record({ name, inner: fc.record({ list: fc.array(name, { maxLength: 2 }) }) }), { maxLength: 4 }),
  title: name,
  series: fc.array(fc.record({ name, kind: fc.constantFrom('bar' as const, 'line' as const) }), {
    minLength: 1,
    maxLength: 3,
  }),
  periods: fc.array(name, { maxLength: 5 }),
})

/** Reverts the escaping as the head comment of `runtime/csv.ts` describes it. */
const undone = (cell: string): string => (/^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? cell.slice(1) : cell)
const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '')

it('reads the same names, begins no formula, and finds no element of theirs', () => {
  const cases = fc.sample(drawn, { numRuns: 300, seed: 19 })
  const written = cases.map(({ cells, title, series, periods }) => {
    const table = tableOf(cells, ['name', 'inner.list', 'missing'])
    const points = periods.map((period, at) => ({ period, values: series.map((_, of) => at + of) }))
    return [[table.columns, ...table.rows].map(csvRow).join(''), chartOf({ title, series, points })]
  })
  const read = JSON.parse(
    execFileSync('python3', ['-c', READER], {
      input: JSON.stringify(written),
      maxBuffer: 1 << 27,
      env: { ...process.env, PYTHONUTF8: '1' },
    }).toString(),
  ) as [rows: string[][], names: string[], texts: [string, string][]][]
  expect(read).toHaveLength(300)
  for (const [at, [rows, names, texts]] of read.entries()) {
    const { cells, title, series, periods } = cases[at] as (typeof cases)[number]
    const [head, ...body] = rows
    expect(head).toEqual(['name', 'inner.list', 'missing'])
    expect(body.map((row) => row.map(undone))).toEqual(
      cells.map(({ name: own, inner }) => [own, inner.list.join(' '), '']),
    )
    for (const cell of body.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/)
    const known =
      /^(?:svg|title|rect|text|path|@(?:xmlns|viewBox|role|font-family|font-size|width|height|fill|x|y|text-anchor|d|stroke|stroke-width))$/
    expect(names.filter((each) => !known.test(each))).toEqual([])
    expect(texts.find(([tag]) => tag === 'title')).toEqual(['title', visible(title)])
    const shown = texts.filter(([tag]) => tag === 'text').map(([, text]) => text)
    for (const wanted of [title, ...series.map((each) => `■ ${each.name}`), ...periods])
      expect(shown).toContain(visible(wanted))
  }
})
