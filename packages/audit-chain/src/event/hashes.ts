/**
 * The four hashes of a chain. Each has its own domain prefix, so that none can be mistaken for another (spec
 * billing-audit 20):
 *
 *     genesis      = H("plumbline-audit-genesis-v1\n"  || chain)
 *     identityHash = H("plumbline-audit-identity-v1\n" || salt || JCS({actorEmail, ip, userAgent}))
 *     detailsHash  = H("plumbline-audit-details-v1\n"  || salt || JCS(details))
 *     hash         = H("plumbline-audit-event-v1\n"    || JCS(core))
 *
 * The canonical texts of core and identity are assembled field by field, because their keys are fixed and sorted
 * already.
 */
import { escaped } from '../canonical/jcs.js'
import { isWellFormed } from '../canonical/well-formed.js'
import type { CryptoPort } from '../crypto/port.js'
import { writeHex } from '../encoding/hex.js'
import { toUtf8 } from '../encoding/utf8.js'
import type { EventCore, Identity } from './record.js'

export const SALT_BYTES = 16

const GENESIS_PREFIX = toUtf8('plumbline-audit-genesis-v1\n')
const EVENT_PREFIX = toUtf8('plumbline-audit-event-v1\n')
const IDENTITY_PREFIX = saltedPrefix('plumbline-audit-identity-v1\n')
const DETAILS_PREFIX = saltedPrefix('plumbline-audit-details-v1\n')

/** Returns the hash that the first record of a chain has as `prevHash`. */
export function genesis(crypto: CryptoPort, chain: string): string {
  return crypto.sha256Text(GENESIS_PREFIX, chain)
}

/** Returns the commitment to a text. The salt is given as bytes, as sealing has it. */
export function saltedHash(crypto: CryptoPort, kind: 'identity' | 'details', salt: Uint8Array, text: string): string {
  const prefix = kind === 'identity' ? IDENTITY_PREFIX : DETAILS_PREFIX
  prefix.bytes.set(salt, prefix.saltAt)
  return crypto.sha256Text(prefix.bytes, text)
}

/**
 * Returns the commitment to the personal fields; null for a salt that is not 32 hexadecimal digits, and for lone
 * surrogates.
 */
export function identityHash(crypto: CryptoPort, salt: string, identity: Identity): string | null {
  return salted(crypto, IDENTITY_PREFIX, salt, identityText(identity))
}

/** Returns the commitment to the canonical text of the details; null in the same cases. */
export function detailsHash(crypto: CryptoPort, salt: string, detailsText: string): string | null {
  return salted(crypto, DETAILS_PREFIX, salt, detailsText)
}

/**
 * Returns the hash of an event. Null for a core with a lone surrogate: no sealed record has one, and it would hash like
 * U+FFFD.
 */
export function eventHash(crypto: CryptoPort, core: EventCore): string | null {
  const text = coreText(core)
  return isWellFormed(text) ? eventTextHash(crypto, text) : null
}

/** Returns the hash of a core that is canonical text already. */
export function eventTextHash(crypto: CryptoPort, text: string): string {
  return crypto.sha256Text(EVENT_PREFIX, text)
}

/** Returns the canonical text (JCS) of the personal fields. */
export function identityText({ actorEmail, ip, userAgent }: Identity): string {
  return (
    (actorEmail === null ? '{"actorEmail":null' : `{"actorEmail":"${escaped(actorEmail)}"`) +
    (ip === null ? ',"ip":null' : `,"ip":"${escaped(ip)}"`) +
    (userAgent === null ? ',"userAgent":null' : `,"userAgent":"${escaped(userAgent)}"`) +
    '}'
  )
}

/**
 * Returns the canonical text (JCS) of exactly the fields of `EventCore`; other fields of `core` are ignored. The text
 * is assembled from few long pieces: this runs for every event, and each piece costs as much as the characters of a
 * short field.
 */
export function coreText(core: EventCore): string {
  return (
    `{"action":"${escaped(core.action)}"` +
    `,"actorId":"${escaped(core.actorId)}"` +
    (core.actorRole === null ? ',"actorRole":null' : `,"actorRole":"${escaped(core.actorRole)}"`) +
    (core.affectedOrgId === null ? ',"affectedOrgId":null' : `,"affectedOrgId":"${escaped(core.affectedOrgId)}"`) +
    `,"chain":"${escaped(core.chain)}"` +
    `,"createdAt":"${escaped(core.createdAt)}"` +
    (core.detailsHash === null ? ',"detailsHash":null' : `,"detailsHash":"${escaped(core.detailsHash)}"`) +
    (core.groupId === null ? ',"groupId":null' : `,"groupId":"${escaped(core.groupId)}"`) +
    `,"id":"${escaped(core.id)}"` +
    (core.idempotencyKey === null ? ',"idempotencyKey":null' : `,"idempotencyKey":"${escaped(core.idempotencyKey)}"`) +
    `,"identityHash":"${escaped(core.identityHash)}"` +
    (core.impersonatorId === null ? ',"impersonatorId":null' : `,"impersonatorId":"${escaped(core.impersonatorId)}"`) +
    (core.occurredAt === null ? ',"occurredAt":null' : `,"occurredAt":"${escaped(core.occurredAt)}"`) +
    (core.orgId === null ? ',"orgId":null' : `,"orgId":"${escaped(core.orgId)}"`) +
    `,"outcome":"${escaped(core.outcome)}"` +
    `,"prevHash":"${escaped(core.prevHash)}"` +
    (core.requestId === null ? ',"requestId":null' : `,"requestId":"${escaped(core.requestId)}"`) +
    `,"seq":${core.seq}` +
    (core.targetId === null ? ',"targetId":null' : `,"targetId":"${escaped(core.targetId)}"`) +
    (core.targetType === null ? ',"targetType":null' : `,"targetType":"${escaped(core.targetType)}"`) +
    (core.traceId === null ? ',"traceId":null' : `,"traceId":"${escaped(core.traceId)}"`) +
    `,"v":${core.v}}`
  )
}

interface SaltedPrefix {
  /** The domain prefix, followed by room for the salt of the current hash. */
  readonly bytes: Uint8Array
  readonly saltAt: number
}

function saltedPrefix(text: string): SaltedPrefix {
  const bytes = new Uint8Array(text.length + SALT_BYTES)
  bytes.set(toUtf8(text))
  return { bytes, saltAt: text.length }
}

function salted(crypto: CryptoPort, prefix: SaltedPrefix, salt: string, text: string): string | null {
  if (salt.length !== SALT_BYTES * 2 || !writeHex(salt, prefix.bytes, prefix.saltAt) || !isWellFormed(text)) return null
  return crypto.sha256Text(prefix.bytes, text)
}
