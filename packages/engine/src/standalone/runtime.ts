/**
 * The parts of the engine that every standalone module contains. They read values, compare containers, redact, read the
 * context, and run the tables.
 *
 * This file is bundled into `runtime-source.ts` (`node packages/engine/scripts/generate-standalone-runtime.mjs`), so a
 * module behaves like the engine because it runs the engine's code. The generated code calls only what is exported
 * here.
 */
import { type FailedEntry, MAX_FAILURES } from '../compile/alternatives.js'
import { withFailures } from '../compile/violation.js'
import { applicableExemptions } from '../evaluate/exemptions.js'
import type { Check, Outcome } from '../operator/check.js'
import { checkArray, checkObject } from '../operator/kernel.js'
import { computed } from '../path/computed.js'
import { stepInto } from '../path/resolve.js'
import { foldSurrogates } from '../regex/emit.js'
import { MAX_TEXT_UNITS } from '../regex/limits.js'
import type { Violation } from '../types.js'
import { parseNow } from '../value/instant.js'
import { isPolluted, memberCount, own, readValue } from '../value/own.js'
import { presentable, type Sensitivity } from '../value/redact.js'
import { numberOfText } from '../value/scalar.js'

export {
  applicableExemptions,
  computed,
  foldSurrogates,
  isPolluted,
  LONGEST_SHOWN,
  MAX_TEXT_UNITS,
  memberCount,
  numberOfText,
  objectPrototype,
  parseNow,
  stepInto,
}

const objectPrototype = Object.prototype

/** The longest text that results show unchanged. */
const LONGEST_SHOWN = 1024

export function rootMember(attributes: object, key: string): unknown {
  return readValue(own(attributes, key))
}

/** Reads a value that is not a string as JSON knows it. */
export function read(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === objectPrototype
    ? value
    : readValue(value)
}

export function show(value: unknown, sensitivity: Sensitivity, redact: boolean): unknown {
  return value === undefined ? null : presentable(value, sensitivity, redact)
}

/**
 * Adds alternatives to a violation. An alternative is the failed entry, or null when it was left out or is
 * misconfigured.
 */
export function withAlternatives(violation: Violation, alternatives: readonly (FailedEntry | null)[]): Violation {
  const failed = alternatives.filter((each) => each !== null)
  return withFailures(violation, failed.slice(0, MAX_FAILURES), failed.length)
}

/** Returns the verdict of one check on a list or an object. */
export function holdsForContainer(check: Check, value: object): boolean {
  const verdict = new Verdict()
  const outcome = verdict as unknown as Outcome
  if (Array.isArray(value)) checkArray([check], value, outcome)
  else checkObject([check], value, outcome)
  return verdict.holds
}

/** The part of an `Outcome` that checks of containers use. */
class Verdict {
  holds = true
  mark(): void {
    this.holds = false
  }
}

/**
 * Makes a matcher from a table (see `dfa.ts`). Rows and columns are those of the table. Units below 128 get their
 * column without a search.
 */
export function tableMatcher(
  starts: readonly number[],
  classes: readonly number[],
  columns: number,
  first: number,
  next: readonly number[],
  accepting: readonly number[],
): (text: string) => boolean {
  const table = Uint16Array.from(next)
  const accepts = new Set(accepting)
  const columnOf = (unit: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= unit) low = middle
      else high = middle - 1
    }
    return classes[low] as number
  }
  const ascii = Uint16Array.from({ length: 128 }, (_, unit) => columnOf(unit))
  return (text) => {
    if (text.length > MAX_TEXT_UNITS) return false
    let state = first
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      state = table[state * columns + (unit < 128 ? (ascii[unit] as number) : columnOf(unit))] as number
      if (state < 2) return state === 1
    }
    return accepts.has(state)
  }
}
