/** Aligned tables for people: text to the left, figures to the right, two spaces between, no trailing blanks. */
export interface Column {
  readonly title: string
  readonly align?: 'right'
}

export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map((column) => column.title), ...rows]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  return lines
    .map((line) =>
      columns
        .map((column, index) => {
          const text = line[index] ?? ''
          const width = widths[index] ?? 0
          return column.align === 'right' ? text.padStart(width) : text.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
