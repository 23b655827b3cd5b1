/**
 * Public aliases of discounts: stored in upper case and compared case-insensitively. An alias contains no dot, so it
 * never looks like a token.
 */
import { invalid, type Result } from '../refusal/refusal.js'

const ALIAS = /^[A-Za-z0-9_-]{3,40}$/

/**
 * Returns an alias in its stored form, upper case: 3 to 40 letters, digits, `-` or `_`. A refusal does not repeat the
 * text.
 */
export function parseAlias(text: unknown, field = 'alias'): Result<string> {
  // The message does not repeat the value, because anyone who knows an alias can redeem it.
  if (typeof text === 'string' && ALIAS.test(text)) return { ok: true, value: text.toUpperCase() }
  return invalid(field, `${field} must be 3 to 40 letters, digits, - or _`)
}

/** The longest code that a redemption reads. */
export const MAX_CODE_LENGTH = 1_024

export type RedemptionCode =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'alias'; readonly alias: string }

/** Reads what a person typed: a token (it contains a dot) or an alias. Null when it can be neither. */
export function readRedemptionCode(code: unknown): RedemptionCode | null {
  if (typeof code !== 'string' || code.length > MAX_CODE_LENGTH) return null
  if (code.includes('.')) return { kind: 'token', token: code }
  const alias = parseAlias(code)
  return alias.ok ? { kind: 'alias', alias: alias.value } : null
}
