/**
 * Matches erased halves of records with the events that explain them.
 *
 * An event comes after what it erases, so erased records are kept as ranges until then. Memory grows with the number of
 * separate ranges, not of rows.
 */
import { ERASE_ACTION, type ErasablePart, parseErasure } from '../event/erase.js'
import type { AuditRecord } from '../event/record.js'
import { areDetailsErased, isIdentityErased } from './row.js'

type Ranges = [from: number, to: number][]

export class Erasures {
  readonly #open: Record<ErasablePart, Ranges> = { identity: [], details: [] }
  #erasedRows = 0
  #explainedBy = 0

  /** @param isWithheld The identity is withheld from this copy. The copy cannot show whether it was erased too. */
  push(row: AuditRecord, isWithheld: boolean): void {
    const identity = !isWithheld && isIdentityErased(row)
    const details = areDetailsErased(row)
    if (identity) add(this.#open.identity, row.seq)
    if (details) add(this.#open.details, row.seq)
    if (identity || details) this.#erasedRows++
    if (row.action === ERASE_ACTION && row.details !== null) this.#explain(row.seq, row.details)
  }

  /** The number of rows with an erased half whose erased halves are all explained. */
  get explained(): number {
    return this.#erasedRows - unionSize(this.#open.identity, this.#open.details)
  }

  /** The last event without which an erased half would not be explained; 0 when there is none. */
  get explainedBy(): number {
    return this.#explainedBy
  }

  /** The first row with an erased half that no event explains. */
  get firstUnexplained(): { readonly seq: number; readonly part: ErasablePart } | null {
    const identity = this.#open.identity[0]?.[0]
    const details = this.#open.details[0]?.[0]
    if (identity === undefined && details === undefined) return null
    return identity !== undefined && (details === undefined || identity <= details)
      ? { seq: identity, part: 'identity' }
      : { seq: details ?? 0, part: 'details' }
  }

  /** An event explains only erasures of records before it, never later ones. */
  #explain(seq: number, detailsText: string): void {
    const erasure = parseErasure(detailsText)
    if (erasure === null) return
    for (const [from, to] of erasure.seqs) {
      const open = this.#open[erasure.part]
      const left = subtract(open, from, Math.min(to, seq - 1))
      if (left !== open) this.#explainedBy = seq
      this.#open[erasure.part] = left
    }
  }
}

function add(ranges: Ranges, seq: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && last[1] === seq - 1) last[1] = seq
  else ranges.push([seq, seq])
}

function subtract(ranges: Ranges, from: number, to: number): Ranges {
  if (!ranges.some((range) => range[0] <= to && from <= range[1])) return ranges
  const rest: Ranges = []
  for (const [start, end] of ranges) {
    if (end < from || to < start) rest.push([start, end])
    else {
      if (start < from) rest.push([start, from - 1])
      if (to < end) rest.push([to + 1, end])
    }
  }
  return rest
}

function unionSize(a: Ranges, b: Ranges): number {
  let size = 0
  let reached = 0
  for (const [from, to] of [...a, ...b].sort((x, y) => x[0] - y[0])) {
    size += Math.max(0, to - Math.max(from - 1, reached))
    reached = Math.max(reached, to)
  }
  return size
}
