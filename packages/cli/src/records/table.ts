/** Rows under a heading. On a terminal the widest columns give way, so that no line wraps. */
import pc from 'picocolors'
import { printable } from '../report/reporter.js'
import type { Columns, JsonObject } from './resource.js'

const NARROWEST = 4
const GAP = '  '

export interface TableStyle {
  /** Columns of the terminal; null where lines may be as long as they are. */
  readonly width: number | null
  readonly colour: boolean
}

/** `columns` are titles and the keys of the rows. */
export function tableText(rows: readonly JsonObject[], columns: Columns, { width, colour }: TableStyle): string {
  const titles = Object.keys(columns).map((title) => title.toUpperCase())
  const keys = Object.values(columns)
  const cells = rows.map((row) => keys.map((key) => cellText(row[key])))
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((row) => lengthOf(row[at] ?? ''))))
  if (width !== null) narrow(widths, width - GAP.length * (widths.length - 1))
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => fit(cell, widths[at] ?? 0))
      .join(GAP)
      .trimEnd()
  const head = line(titles)
  return [colour ? pc.createColors(true).bold(head) : head, ...cells.map(line)].map((text) => `${text}\n`).join('')
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return printable(value.join(', ')) || '-'
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function narrow(widths: number[], width: number): void {
  const total = () => widths.reduce((sum, each) => sum + each, 0)
  while (total() > width) {
    const widest = Math.max(...widths)
    if (widest <= NARROWEST) return
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
}

const lengthOf = (text: string): number => [...text].length

function fit(text: string, width: number): string {
  const letters = [...text]
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : text + ' '.repeat(width - letters.length)
}
