/** Opens a token. Every failure gets the same answer, `DISCOUNT_NOT_FOUND`, because a reason would help a forger. */
import { type CryptoPort, IV_BYTES, TAG_BYTES } from '../crypto/port.js'
import { type Discount, discountKinds } from '../discounts/types.js'
import { parseCents } from '../money/cents.js'
import { parsePercent } from '../money/percent.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import { parseJson } from '../settings/read.js'
import { decodeBase64Url } from '../text/base64.js'
import { decodeUtf8 } from '../text/utf8.js'
import { type KeyRing, VERSION } from './key-ring.js'
import { additionalData, MAX_TOKEN_LENGTH, type TokenPayload } from './seal.js'

/** Returns the sealed fields, or `DISCOUNT_NOT_FOUND`, also when no keys are configured (`ring` is null). */
export function openToken(crypto: CryptoPort, ring: KeyRing | null, token: unknown): Result<TokenPayload> {
  const payload = ring === null ? null : read(crypto, ring, token)
  return payload === null ? refuse('DISCOUNT_NOT_FOUND', 'no such discount') : accept(payload)
}

/**
 * True when every sealed field equals the record. A record that was edited, or a token of another record, does not
 * match.
 */
export function matchesDiscount(payload: TokenPayload, discount: Discount): boolean {
  return (
    payload.id === discount.id &&
    payload.value === discount.value &&
    payload.unit === discount.unit &&
    payload.kind === discount.kind &&
    payload.targetOrgId === discount.targetOrgId
  )
}

function read(crypto: CryptoPort, ring: KeyRing, token: unknown): TokenPayload | null {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) return null
  const dot = token.indexOf('.')
  const version = VERSION.exec(token.slice(0, Math.max(0, dot)))?.[1]
  const key = version === undefined ? undefined : ring.keys.get(Number(version))
  if (version === undefined || key === undefined) return null
  const bytes = decodeBase64Url(token.slice(dot + 1))
  if (bytes === null || bytes.length < IV_BYTES + TAG_BYTES) return null
  const iv = bytes.slice(0, IV_BYTES)
  const plain = crypto.open(key, iv, additionalData(Number(version)), bytes.slice(IV_BYTES))
  const text = plain === null ? null : decodeUtf8(plain)
  return text === null ? null : toPayload(parseJson(text))
}

const FIELDS = new Set(['id', 'value', 'unit', 'kind', 'targetOrgId'])

function toPayload(value: unknown): TokenPayload | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const record = value as Readonly<Record<string, unknown>>
  if (Object.keys(record).some((field) => !FIELDS.has(field))) return null
  const { id, unit, targetOrgId } = record
  const kind = discountKinds.find((known) => known === record.kind)
  if (typeof id !== 'string' || id === '' || kind === undefined) return null
  if (Object.hasOwn(record, 'targetOrgId') && (typeof targetOrgId !== 'string' || targetOrgId === '')) return null
  const target = typeof targetOrgId === 'string' ? { targetOrgId } : {}
  if (unit === 'percent') {
    const points = parsePercent(record.value)
    return points.ok && points.value > 0 ? { id, unit, value: points.value, kind, ...target } : null
  }
  if (unit === 'dollar') {
    const amount = parseCents(record.value)
    return amount.ok && amount.value > 0 ? { id, unit, value: amount.value, kind, ...target } : null
  }
  return null
}
