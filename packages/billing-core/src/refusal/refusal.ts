/**
 * Refusals. A refusal is an expected answer, so it is a value: a code, the field it is about, and a sentence for
 * people.
 *
 * `RefusedError` carries a refusal out of functions that return a single value (`cents(…)`), where a result type would
 * be impractical. Nothing else in the package throws on bad input.
 */
import { type RefusalCode, statusOf } from './codes.js'

export interface Refusal {
  readonly code: RefusalCode
  readonly status: number
  /** The path of the value that was refused, such as `addons[1].quantity`. Absent when no single value is wrong. */
  readonly field?: string
  /** In lower case, without a full stop. Names the field and the fix. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export interface Accepted<T> {
  readonly ok: true
  readonly value: T
}

export interface Refused {
  readonly ok: false
  readonly refusal: Refusal
}

export type Result<T> = Accepted<T> | Refused

export class RefusedError extends Error {
  readonly code: RefusalCode
  constructor(readonly refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusedError'
    this.code = refusal.code
  }
}

export function accept<T>(value: T): Accepted<T> {
  return { ok: true, value }
}

interface RefusalParts {
  readonly field?: string
  readonly status?: number
  readonly details?: Readonly<Record<string, unknown>>
}

export function refuse(code: RefusalCode, message: string, parts: RefusalParts = {}): Refused {
  return { ok: false, refusal: { code, message, ...parts, status: parts.status ?? statusOf(code) } }
}

/** Makes the most common refusal: a value of the wrong shape. */
export function invalid(field: string, message: string, details?: Readonly<Record<string, unknown>>): Refused {
  return refuse('VALIDATION_ERROR', message, details === undefined ? { field } : { field, details })
}

/**
 * Returns the value of a result.
 *
 * @throws {RefusedError} with the refusal of the result.
 */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new RefusedError(result.refusal)
}

/** Renders an untrusted value for a message: JSON, shortened to 60 characters. */
export function show(value: unknown): string {
  let text: string
  if (typeof value === 'string') text = JSON.stringify(value)
  else if (typeof value === 'object' && value !== null) text = Array.isArray(value) ? 'an array' : 'an object'
  else text = Object.is(value, -0) ? '-0' : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
