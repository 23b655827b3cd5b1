/**
 * Draws a series as bars on a terminal: one line per period, each bar divided into its parts. Pure. Names and values
 * are shown as plain text.
 */
import pc from 'picocolors'
import { printable } from '../program/printable.js'
import type { JsonObject, Plot } from './resource.js'
import { cellText } from './table.js'

export interface PlotStyle {
  /** Columns of the terminal. */
  readonly width: number
  readonly colour: boolean
}

const MARKS = ['█', '▒', '░'] as const
const COLOURS = ['green', 'red', 'yellow'] as const
const NARROWEST = 10
/** Columns between label, bars and figures. */
const GAPS = 3

const numberIn = (row: JsonObject, field: string): number => {
  const value = row[field]
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/** All bars of a series have the same scale. A value above zero always has a mark. */
export function plotText(rows: readonly JsonObject[], plot: Plot, { width, colour }: PlotStyle): string {
  if (rows.length === 0) return 'nothing to draw\n'
  const colours = pc.createColors(colour)
  const bars = Object.entries(plot.bars)
  const labels = rows.map((row) => `${printable(String(row[plot.label] ?? '-'))}${row['partial'] === true ? '*' : ''}`)
  const notes = rows.map((row) => noteOf(row, plot))
  const labelWidth = Math.max(...labels.map(({ length }) => length))
  const noteWidth = Math.max(...notes.map(({ length }) => length))
  const room = Math.max(NARROWEST, width - labelWidth - noteWidth - GAPS - bars.length)
  const totals = rows.map((row) => bars.reduce((sum, [, field]) => sum + numberIn(row, field), 0))
  const scale = room / Math.max(1, ...totals)
  const lines = rows.map((row, at) => {
    const parts = bars.map(([, field], place) => {
      const value = numberIn(row, field)
      const length = value === 0 ? 0 : Math.max(1, Math.round(value * scale))
      return { text: (MARKS[place % MARKS.length] as string).repeat(length), length, place }
    })
    const drawn = parts.map(({ text, place }) => colours[COLOURS[place % COLOURS.length] ?? 'green'](text)).join('')
    const length = parts.reduce((sum, each) => sum + each.length, 0)
    const label = (labels[at] as string).padEnd(labelWidth)
    return `${label}  ${drawn}${' '.repeat(Math.max(0, room + bars.length - length))} ${notes[at]}`.trimEnd()
  })
  const legend = bars.map(([name], place) => `${MARKS[place % MARKS.length]} ${name}`).join('  ')
  const partial = rows.some((row) => row['partial'] === true) ? '  * is a part of its period' : ''
  return `${[...lines, `${legend}${partial}`].join('\n')}\n`
}

function noteOf(row: JsonObject, { bars, rate }: Plot): string {
  const counts = Object.values(bars).map((field) => cellText(row[field] ?? 0))
  return rate === undefined ? counts.join('/') : `${counts.join('/')}  ${cellText(row[rate])} %`
}
