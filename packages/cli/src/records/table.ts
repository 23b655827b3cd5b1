/**
 * Rows under a heading. To fit the terminal, times are cut to days, then the id is left out, then columns are narrowed.
 * The first column, which names the record, is narrowed last.
 */
import pc from 'picocolors'
import { printable } from '../program/printable.js'
import type { Columns, JsonObject } from './resource.js'

const NARROWEST = 4
const GAP = '  '

export interface TableStyle {
  /** Columns of the terminal; null if lines may have any length. */
  readonly width: number | null
  readonly colour: boolean
}

/** @param columns titles, and the keys of the rows. */
export function tableText(rows: readonly JsonObject[], columns: Columns, { width, colour }: TableStyle): string {
  const all: readonly Column[] = Object.entries(columns).map(([title, key]) => ({
    title: title.toUpperCase(),
    cells: rows.map((row) => cellText(row[key])),
  }))
  const shown = width === null ? all : fitted(all, width)
  const widths = shown.map(widthOf)
  if (width !== null) narrow(widths, shown, width - GAP.length * (widths.length - 1))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => fit(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd()
  const head = line(shown.map(({ title }) => title))
  const lines = rows.map((_, index) => line(shown.map(({ cells }) => cells[index] ?? '')))
  return [colour ? pc.createColors(true).bold(head) : head, ...lines].map((text) => `${text}\n`).join('')
}

interface Column {
  readonly title: string
  readonly cells: readonly string[]
}

const widthOf = ({ title, cells }: Column): number =>
  cells.reduce((most, cell) => Math.max(most, lengthOf(cell)), title.length)

const INSTANT = /^(\d{4}-\d\d-\d\d)T[\d:.]+Z$/

/** Shortens columns while the table is too wide. The other formats have everything in full. */
function fitted(columns: readonly Column[], width: number): readonly Column[] {
  const isTooWide = (list: readonly Column[]) =>
    list.reduce((sum, column) => sum + widthOf(column) + GAP.length, -GAP.length) > width
  if (!isTooWide(columns)) return columns
  const days = columns.map(({ title, cells }) => ({ title, cells: cells.map((cell) => cell.replace(INSTANT, '$1')) }))
  // The id is left out only if another column identifies the record.
  if (!isTooWide(days) || !['NAME', 'RULE', 'PROJECT'].includes(days[0]?.title ?? '')) return days
  return days.filter(({ title }) => title !== 'ID')
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return printable(value.join(', ')) || '-'
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/**
 * Narrows the widest of the other columns first, then the first column, and an id last, because half an id is useless.
 */
function narrow(widths: number[], columns: readonly Column[], width: number): void {
  const turns = [
    (at: number) => at > 0 && columns[at]?.title !== 'ID',
    (at: number) => at === 0 && columns[at]?.title !== 'ID',
    (at: number) => columns[at]?.title === 'ID',
  ]
  const total = () => widths.reduce((sum, each) => sum + each, 0)
  for (const isInTurn of turns) {
    while (total() > width) {
      const widest = Math.max(0, ...widths.filter((_, at) => isInTurn(at)))
      if (widest <= NARROWEST) break
      const at = widths.findLastIndex((each, index) => each === widest && isInTurn(index))
      widths[at] = widest - 1
    }
  }
}

const lengthOf = (text: string): number => [...text].length

function fit(text: string, width: number): string {
  const letters = [...text]
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text + ' '.repeat(width - letters.length)
}
