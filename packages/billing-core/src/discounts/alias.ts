/** Public aliases: stored upper-case, looked up without regard to case. They hold no dot, so none looks like a token. */
import { invalid, type Result } from '../refusal/refusal.js'

const ALIAS = /^[A-Za-z0-9_-]{3,40}$/

/** An alias in its stored form, upper-case: 3 to 40 letters, digits, `-` or `_`. A refusal does not repeat the text. */
export function parseAlias(text: unknown, field = 'alias'): Result<string> {
  // The value itself stays out of the message: an alias is as good as money.
  if (typeof text === 'string' && ALIAS.test(text)) return { ok: true, value: text.toUpperCase() }
  return invalid(field, `${field} must be 3 to 40 letters, digits, - or _`)
}

/** The longest code that a redemption reads. */
export const MAX_CODE_LENGTH = 1_024

export type RedemptionCode =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'alias'; readonly alias: string }

/** What a person typed: a token (it has a dot) or an alias. Null when it can be neither. */
export function readRedemptionCode(code: unknown): RedemptionCode | null {
  if (typeof code !== 'string' || code.length > MAX_CODE_LENGTH) return null
  if (code.includes('.')) return { kind: 'token', token: code }
  const alias = parseAlias(code)
  return alias.ok ? { kind: 'alias', alias: alias.value } : null
}
