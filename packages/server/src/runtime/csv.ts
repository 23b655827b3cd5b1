/**
 * Comma-separated values (RFC 4180) that a spreadsheet shows and never runs. Every cell is quoted, so that a locale
 * with another separator cannot split it. A cell that would begin a formula gets an apostrophe in front.
 *
 * INVARIANT: the cells can be recovered. Read the file, and remove one apostrophe from each cell that begins with
 * apostrophes and such a character.
 */

/**
 * `=`, `+`, `-`, `@`, their full-width forms, tab and line breaks. Also after apostrophes, so that the escape can be
 * undone.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

export type Cell = string | number | boolean | null

export const csvRow = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  const text = cell === null ? '' : String(cell)
  // guard: a-cell-of-csv-begins-no-formula
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
