/** Rows in columns for people, or the answer as data for programs. */
import type { Invocation, Io } from '../command.js'
import { printData } from '../program/print-data.js'
import { printable } from '../program/printable.js'

export const print = (
  invocation: Invocation,
  io: Io,
  data: unknown,
  rows: readonly (readonly string[])[],
): Promise<void> => printData(invocation, io, data, () => columnsText(rows))

/** INVARIANT: what a server sent is made printable, since a name may hold an escape sequence. */
export function columnsText(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable))
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length)
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd()
  return cells.map((row) => `${line(row)}\n`).join('')
}
