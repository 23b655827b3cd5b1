/** Rows in columns for people, or the answer as JSON for programs. */
import type { Invocation, Io } from '../command.js'
import { write } from '../program/write.js'

export async function print(
  invocation: Invocation,
  io: Io,
  data: unknown,
  rows: readonly (readonly string[])[],
): Promise<void> {
  if (invocation.options.json === true) {
    await write(io.stdout, `${JSON.stringify(data, null, 2)}\n`)
    return
  }
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  await write(io.stdout, lines.map((line) => `${line}\n`).join(''))
}
