/**
 * Seals a discount into an opaque token, `v<N>.<base64url>`: AES-256-GCM under the newest key, with the version as
 * additional data. The IV is an argument: twelve random bytes that are never used twice with one key.
 */
import { type CryptoPort, IV_BYTES } from '../crypto/port.js'
import type { DiscountKind, DiscountValue } from '../discounts/types.js'
import { accept, invalid, type Result, refuse } from '../refusal/refusal.js'
import { encodeBase64Url } from '../text/base64.js'
import { encodeUtf8 } from '../text/utf8.js'
import type { KeyRing } from './key-ring.js'

/** The content of a token. Every field must equal the record's when the token is redeemed. */
export type TokenPayload = DiscountValue & {
  readonly id: string
  readonly kind: DiscountKind
  readonly targetOrgId?: string
}

export const MAX_TOKEN_LENGTH = 1_024

export function additionalData(version: number): Uint8Array {
  return encodeUtf8(`plumbline-discount-token|v${version}`)
}

/**
 * Returns the token of a discount. Refused with `SIGNING_NOT_CONFIGURED` when there are no keys. An IV that is not 12
 * bytes, and ids that are too long for a token, are refused too.
 */
export function sealToken(
  crypto: CryptoPort,
  ring: KeyRing | null,
  payload: TokenPayload,
  iv: Uint8Array,
): Result<string> {
  const key = ring?.keys.get(ring.newest)
  if (ring === null || key === undefined) {
    return refuse('SIGNING_NOT_CONFIGURED', 'tokens need a key: set BILLING_DISCOUNT_KEYS')
  }
  if (iv.length !== IV_BYTES) return invalid('iv', `iv must be ${IV_BYTES} bytes, not ${iv.length}`)
  const { id, value, unit, kind, targetOrgId } = payload
  const text = JSON.stringify({ id, value, unit, kind, ...(targetOrgId === undefined ? {} : { targetOrgId }) })
  const sealed = crypto.seal(key, iv, additionalData(ring.newest), encodeUtf8(text))
  const bytes = new Uint8Array(iv.length + sealed.length)
  bytes.set(iv)
  bytes.set(sealed, iv.length)
  const token = `v${ring.newest}.${encodeBase64Url(bytes)}`
  if (token.length > MAX_TOKEN_LENGTH) return invalid('id', 'id and targetOrgId are too long for a token')
  return accept(token)
}
