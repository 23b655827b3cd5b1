/**
 * What an evaluation runs and what it writes: checks, and the marks of those that do not hold.
 *
 * INVARIANT: every check is made by the one literal. Checks spread from their operands had many hidden classes, and
 * reading them took two to three times as long (see docs/performance.md).
 */

import type { Operand } from './operand.js'

/** An operand on one field: the unit that rules share. `index` is its place in `Outcome.marks`. */
export interface Check extends Operand {
  readonly index: number
}

export const makeCheck = (operand: Operand, index: number): Check => ({
  op: operand.op,
  onAbsent: operand.onAbsent,
  text: operand.text,
  number: operand.number,
  texts: operand.texts,
  numbers: operand.numbers,
  listsNull: operand.listsNull,
  deep: operand.deep,
  pattern: operand.pattern,
  index,
})

export const HOLDS = 0
export const FAILS = 1
/** The regular expression engine gave up: the entry is misconfigured, never "no match". */
export const FAULT = 2
/** A deferred check that no rule has asked for yet. */
export const PENDING = 3

/** Marks of one evaluation. Zero means the check holds. */
export class Outcome {
  readonly marks: Uint8Array
  /** Checks that were marked, in no order; the first `count` entries. A deferred check may be here twice. */
  readonly marked: Int32Array
  count = 0

  constructor(checks: number) {
    this.marks = new Uint8Array(checks)
    this.marked = new Int32Array(2 * checks)
  }

  fail(index: number): void {
    this.mark(index, FAILS)
  }

  mark(index: number, mark: number): void {
    this.marks[index] = mark
    this.marked[this.count++] = index
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.marks[this.marked[at] as number] = HOLDS
    this.count = 0
  }
}
