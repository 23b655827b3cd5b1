/** Goal: what is written comes back cell by cell, read by a parser that is not ours, and no cell begins a formula. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvRow } from './csv.js'

/** RFC 4180, character by character. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === ',') {
      row.push(cell)
      cell = ''
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      at++
    } else cell += character
  }
  if (isQuoted || cell !== '' || row.length > 0) throw new Error('the file ends within a row')
  return rows
}
const undone = (cell: string) => (/^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell)

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', '＝', '＋', '－', '＠', 'a', ' '),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('=HYPERLINK("http://evil/","x")', "@SUM(1+1)*cmd|' /C calc'!A0", '-1', '\t=1', '"', '\r\n'),
)

it('law: reading what was written gives the cells back', () => {
  fc.assert(
    fc.property(fc.array(fc.array(hostile, { minLength: 1, maxLength: 5 }), { maxLength: 4 }), (rows) => {
      const read = parse(rows.map((row) => csvRow(row)).join(''))
      expect(read.map((row) => row.map(undone))).toEqual(rows)
    }),
  )
})

it('law: no cell begins a formula', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 5 }), (row) => {
      for (const cell of parse(csvRow(row)).flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }),
  )
})

it('numbers, yes and no, and nothing are cells too', () => {
  expect(csvRow([1, -1, true, null, 'a "b"'])).toBe('"1","\'-1","true","","a ""b"""\r\n')
})
