/** Report rows as a table: cells by name; a list is joined with spaces. */
import type { Cell } from '../../runtime/csv.js'
import type { CsvTable } from '../../runtime/operation/forms.js'

type Row = Readonly<Record<string, unknown>>

export const tableOf = (rows: readonly object[], columns: readonly string[]): CsvTable => ({
  columns,
  rows: rows.map((row) => columns.map((column) => cellOf(valueAt(row as Row, column)))),
})

const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, step) => (value as Row | null | undefined)?.[step], row)

const cellOf = (value: unknown): Cell =>
  value === undefined || value === null
    ? null
    : typeof value === 'object'
      ? Array.isArray(value)
        ? value.join(' ')
        : JSON.stringify(value)
      : (value as Cell)
