/**
 * Comma-separated values (RFC 4180) that a spreadsheet shows and never runs. Every cell is quoted, so that no separator of
 * another locale splits it, and a cell that would begin a formula has an apostrophe before it.
 *
 * INVARIANT: reading the file and taking one apostrophe from what begins with apostrophes and such a character gives the cells back.
 */

/** `=`, `+`, `-`, `@`, their full-width forms, tab and line breaks; behind apostrophes too, so that it can be undone. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

export type Cell = string | number | boolean | null

export const csvRow = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  // guard: a-cell-of-csv-begins-no-formula
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
