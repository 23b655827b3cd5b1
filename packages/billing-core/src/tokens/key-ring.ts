/**
 * The versioned keys that seal discount tokens, from `BILLING_DISCOUNT_KEYS`: `v1:<base64>,v2:<base64>`. The highest
 * version seals, and every version opens. Tokens of a version that was removed cannot be opened any more.
 */
import { KEY_BYTES } from '../crypto/port.js'
import { invalid, type Result } from '../refusal/refusal.js'
import { decodeBase64 } from '../text/base64.js'

export interface KeyRing {
  readonly newest: number
  readonly keys: ReadonlyMap<number, Uint8Array>
}

/** `v1`, `v2` and so on: without leading zeros, at most six digits. */
export const VERSION = /^v([1-9][0-9]{0,5})$/

/** Parses the keys. Messages name an entry by its position and never repeat its text, because it is a secret. */
export function parseKeyRing(text: string, field = 'BILLING_DISCOUNT_KEYS'): Result<KeyRing> {
  const keys = new Map<number, Uint8Array>()
  for (const [index, entry] of text.split(',').entries()) {
    const where = `${field} entry ${index + 1}`
    const parts = entry.trim().split(':')
    const version = VERSION.exec(parts[0] ?? '')?.[1]
    if (parts.length !== 2 || version === undefined) {
      return invalid(field, `${where} must be v<number>:<base64 of ${KEY_BYTES} bytes>`)
    }
    const key = decodeBase64(parts[1] ?? '')
    if (key === null || key.length !== KEY_BYTES) {
      return invalid(field, `${where} must hold ${KEY_BYTES} bytes in padded base64`)
    }
    if (keys.has(Number(version))) return invalid(field, `${where} repeats version v${version}`)
    keys.set(Number(version), key)
  }
  return { ok: true, value: { newest: Math.max(...keys.keys()), keys } }
}
