/**
 * What an evaluation runs and what it writes: checks, and the marks of checks that do not hold.
 *
 * INVARIANT: every check is made by the same object literal, so that all checks have one hidden class. Checks that were
 * spread from their operands had many, and reading them took two to three times as long (see docs/performance.md).
 */

import type { Operand } from './operand.js'

/** An operand on one field, shared by rules. `index` is its place in `Outcome.marks`. */
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
/** The regular expression engine failed. The entry is misconfigured; a failure is never "no match". */
export const FAULT = 2
/** The check is deferred and no rule has asked for it yet. */
export const PENDING = 3

/** The marks of one evaluation. Zero means that the check holds. */
export class Outcome {
  readonly marks: Uint8Array
  /**
   * The checks that were marked, in no particular order; only the first `count` entries are valid. A deferred check may
   * be listed twice.
   */
  readonly marked: Int32Array
  count = 0

  constructor(checks: number) {
    this.marks = new Uint8Array(checks)
    this.marked = new Int32Array(2 * checks)
  }

  mark(index: number, mark: number = FAILS): void {
    this.marks[index] = mark
    this.marked[this.count++] = index
  }

  clear(): void {
    for (let at = 0; at < this.count; at++) this.marks[this.marked[at] as number] = HOLDS
    this.count = 0
  }
}
