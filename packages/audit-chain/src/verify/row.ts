/**
 * Checks one row by itself: its form, then its commitments and its hash. `LogVerifier` checks what depends on
 * neighbouring rows.
 */
import type { CryptoPort } from '../crypto/port.js'
import { isHash } from '../encoding/hex.js'
import { detailsHash, eventHash, identityHash } from '../event/hashes.js'
import { type AuditRecord, RECORD_FIELDS } from '../event/record.js'
import { isInstant } from '../event/seal.js'

const FIELD_COUNT = Object.keys(RECORD_FIELDS).length

/** True for a record with exactly the required fields, each of its type. Written out, because this runs for every row. */
export function isRecord(value: unknown): value is AuditRecord {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Record<keyof AuditRecord, unknown>
  let fields = 0
  for (const _ in row) fields++
  return (
    fields === FIELD_COUNT &&
    row.v === 1 &&
    Number.isSafeInteger(row.seq) &&
    isText(row.chain) &&
    isText(row.id) &&
    isText(row.action) &&
    isText(row.actorId) &&
    isTextOrNull(row.actorRole) &&
    isTextOrNull(row.orgId) &&
    isTextOrNull(row.affectedOrgId) &&
    isTextOrNull(row.targetType) &&
    isTextOrNull(row.targetId) &&
    isTextOrNull(row.groupId) &&
    isTextOrNull(row.impersonatorId) &&
    (row.outcome === 'success' || row.outcome === 'failure') &&
    isTextOrNull(row.requestId) &&
    isTextOrNull(row.traceId) &&
    isTextOrNull(row.idempotencyKey) &&
    isTextOrNull(row.occurredAt) &&
    isText(row.createdAt) &&
    isInstant(row.createdAt) &&
    isText(row.prevHash) &&
    isTextOrNull(row.actorEmail) &&
    isTextOrNull(row.ip) &&
    isTextOrNull(row.userAgent) &&
    isTextOrNull(row.identitySalt) &&
    isText(row.identityHash) &&
    isTextOrNull(row.details) &&
    isTextOrNull(row.detailsSalt) &&
    isTextOrNull(row.detailsHash) &&
    isHash(row.hash)
  )
}

/** True when the personal fields and their salt are gone, as `eraseRecord` leaves them. */
export function isIdentityErased(row: AuditRecord): boolean {
  return row.identitySalt === null && row.actorEmail === null && row.ip === null && row.userAgent === null
}

/** True when the record had details, and they are gone together with their salt. */
export function areDetailsErased(row: AuditRecord): boolean {
  return row.detailsHash !== null && row.details === null && row.detailsSalt === null
}

/** Returns the field whose hash does not fit, or null when every hash fits. */
export function mismatchOf(crypto: CryptoPort, row: AuditRecord): 'identityHash' | 'detailsHash' | 'hash' | null {
  if (!identityFits(crypto, row)) return 'identityHash'
  if (!detailsFit(crypto, row)) return 'detailsHash'
  return eventHash(crypto, row) === row.hash ? null : 'hash'
}

function identityFits(crypto: CryptoPort, row: AuditRecord): boolean {
  if (row.identitySalt === null) return isIdentityErased(row) && isHash(row.identityHash)
  return identityHash(crypto, row.identitySalt, row) === row.identityHash
}

function detailsFit(crypto: CryptoPort, row: AuditRecord): boolean {
  if (row.detailsHash === null) return row.details === null && row.detailsSalt === null
  if (row.details === null || row.detailsSalt === null) return areDetailsErased(row) && isHash(row.detailsHash)
  return detailsHash(crypto, row.detailsSalt, row.details) === row.detailsHash
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
