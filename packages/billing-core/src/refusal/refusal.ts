/**
 * A refusal is an expected answer, so it is a value: code, the field it is about, a sentence for people.
 * `RefusedError` carries one across constructors of single values (`cents(…)`), where a result type would only be in
 * the way; nothing else in the package throws on bad input.
 */
import { type RefusalCode, statusOf } from './codes.js'

export interface Refusal {
  readonly code: RefusalCode
  readonly status: number
  /** The path of the value that was refused, for example `addons[1].quantity`; absent when no single value is wrong. */
  readonly field?: string
  /** Lower case, no full stop; names the field and the fix. */
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

/** The most common refusal: a value of the wrong shape. */
export function invalid(field: string, message: string, details?: Readonly<Record<string, unknown>>): Refused {
  return refuse('VALIDATION_ERROR', message, details === undefined ? { field } : { field, details })
}

/** The value of a result, or its refusal thrown as `RefusedError`. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new RefusedError(result.refusal)
}

/** Shows an untrusted value in a message: JSON, cut to 60 characters. */
export function show(value: unknown): string {
  let text: string
  if (typeof value === 'string') text = JSON.stringify(value)
  else if (typeof value === 'object' && value !== null) text = Array.isArray(value) ? 'an array' : 'an object'
  else text = Object.is(value, -0) ? '-0' : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
