/**
 * Seals an event into its chain: sets its sequence number, instant, link and commitments, and hashes them.
 *
 * INVARIANT: a pure function of its arguments. The caller makes the salts from random bytes and must never reuse one.
 */
import { defaultOutcome } from '../actions/catalogue.js'
import type { Outcome } from '../actions/outcome.js'
import { mayBeMalformed, wellFormed } from '../canonical/well-formed.js'
import type { CryptoPort } from '../crypto/port.js'
import { toHex } from '../encoding/hex.js'
import { scrubText } from '../scrub/account-token.js'
import { ScrubbedDetails } from '../scrub/scrub.js'
import { chainKey } from './chain-key.js'
import { coreText, eventTextHash, genesis, identityText, SALT_BYTES, saltedHash } from './hashes.js'
import type { AuditRecord } from './record.js'

/** What the caller knows about an event. Fields that are absent are null in the record. */
export interface AuditEvent {
  /** `evt_` and a UUIDv7, made by the caller. */
  readonly id: string
  readonly action: string
  /** `anonymous`, `system` or `bootstrap-env` when no user acted. Defaults to `anonymous`. */
  readonly actorId?: string | null
  readonly actorRole?: string | null
  readonly orgId?: string | null
  readonly affectedOrgId?: string | null
  readonly targetType?: string | null
  readonly targetId?: string | null
  readonly groupId?: string | null
  readonly impersonatorId?: string | null
  /** By default it follows from the action: failure for `….failed`, `….timeout` and `authz.denied`, otherwise success. */
  readonly outcome?: Outcome | null
  readonly requestId?: string | null
  readonly traceId?: string | null
  readonly idempotencyKey?: string | null
  readonly occurredAt?: string | null
  /** The instant of ingest. When it is before that of the previous record, that instant is used. */
  readonly createdAt: string
  readonly actorEmail?: string | null
  readonly ip?: string | null
  readonly userAgent?: string | null
  readonly details?: ScrubbedDetails | null
}

export interface SealInput {
  readonly event: AuditEvent
  /** The last record of the chain; null for the first event. */
  readonly previous: { readonly seq: number; readonly hash: string; readonly createdAt: string } | null
  /** 16 random bytes. */
  readonly identitySalt: Uint8Array
  /** 16 other random bytes; null exactly when the event has no details. */
  readonly detailsSalt: Uint8Array | null
}

export interface Sealed {
  readonly record: AuditRecord
  /** The canonical text that was hashed, equal to `record.details`. Store it byte for byte. */
  readonly detailsText: string | null
}

const USER_AGENT_LENGTH_MAX = 512

type Draft = { -readonly [Field in keyof AuditRecord]: AuditRecord[Field] }

/**
 * Every record starts as a copy of this object. After V8 saw a batch of records survive, it would allocate an object
 * literal of `sealEvent` among the long-lived objects. The texts of each record would then escape the cheap collection
 * of short-lived objects, at half the speed. V8 does not do this to copies.
 */
const BLANK: Draft = {
  v: 1,
  chain: '',
  seq: 0,
  id: '',
  action: '',
  actorId: '',
  actorRole: null,
  orgId: null,
  affectedOrgId: null,
  targetType: null,
  targetId: null,
  groupId: null,
  impersonatorId: null,
  outcome: 'success',
  requestId: null,
  traceId: null,
  idempotencyKey: null,
  occurredAt: null,
  createdAt: '',
  prevHash: '',
  actorEmail: null,
  ip: null,
  userAgent: null,
  identitySalt: null,
  identityHash: '',
  details: null,
  detailsSalt: null,
  detailsHash: null,
  hash: '',
}

/**
 * Returns the record to store, and the canonical text of its details.
 *
 * @throws {TypeError} for details that `scrub` did not return, an instant without a time zone, and salts of the wrong
 * size.
 */
export function sealEvent(crypto: CryptoPort, input: SealInput): Sealed {
  const { event, previous, identitySalt } = input
  const details = event.details ?? null
  if (details !== null && !ScrubbedDetails.is(details)) throw new TypeError('`details` must come from `scrub`')
  const createdAt = instant(event.createdAt)
  if (createdAt === null) {
    throw new TypeError('`createdAt` is not an instant: give ISO 8601 text with a zone, such as 2026-01-31T08:00:00Z')
  }
  checkSalt(identitySalt, 'identitySalt')
  const detailsSalt = details === null ? null : input.detailsSalt
  if (details !== null) checkSalt(detailsSalt, 'detailsSalt')
  const chain = chainKey(event)
  const orgId = event.orgId ?? null
  const record: Draft = { ...BLANK }
  record.chain = chain
  record.seq = previous === null ? 1 : previous.seq + 1
  record.id = event.id
  record.action = event.action
  record.actorId = event.actorId ?? 'anonymous'
  record.actorRole = event.actorRole ?? null
  record.orgId = orgId
  record.affectedOrgId = event.affectedOrgId?.trim() ? event.affectedOrgId : orgId
  record.targetType = event.targetType ?? null
  record.targetId = scrubbed(event.targetId)
  record.groupId = event.groupId ?? null
  record.impersonatorId = event.impersonatorId ?? null
  record.outcome = event.outcome ?? defaultOutcome(event.action)
  record.requestId = scrubbed(event.requestId)
  record.traceId = event.traceId ?? null
  record.idempotencyKey = event.idempotencyKey ?? null
  record.occurredAt = event.occurredAt == null ? null : instant(event.occurredAt)
  record.createdAt = previous !== null && createdAt < previous.createdAt ? previous.createdAt : createdAt
  record.actorEmail = event.actorEmail ?? null
  record.ip = event.ip ?? null
  record.userAgent = userAgent(event.userAgent)
  record.identitySalt = toHex(identitySalt)
  if (details !== null && detailsSalt !== null) {
    record.details = details.text
    record.detailsSalt = toHex(detailsSalt)
    record.detailsHash = saltedHash(crypto, 'details', detailsSalt, details.text)
  }
  const personal = identityText(record)
  record.prevHash = previous === null ? genesis(crypto, chain) : previous.hash
  record.identityHash = saltedHash(crypto, 'identity', identitySalt, personal)
  const core = coreText(record)
  // Lone surrogates are rare, and one look at the texts finds them. Then the texts are repaired and the event is sealed
  // again.
  if (mayBeMalformed(core) || mayBeMalformed(personal)) {
    const repaired = wellFormedEvent(event)
    if (repaired !== null) return sealEvent(crypto, { ...input, event: repaired })
  }
  record.hash = eventTextHash(crypto, core)
  return { record, detailsText: record.details }
}

/** Returns the event with well-formed texts, or null when all texts are well formed already. */
function wellFormedEvent(event: AuditEvent): AuditEvent | null {
  let isChanged = false
  const entries = Object.entries(event).map(([name, value]) => {
    const repaired: unknown = typeof value === 'string' ? wellFormed(value) : value
    isChanged ||= repaired !== value
    return [name, repaired]
  })
  return isChanged ? (Object.fromEntries(entries) as AuditEvent) : null
}

/** spec billing-audit 23: these fields name things outside the platform and may contain an account number. */
function scrubbed(text: string | null | undefined): string | null {
  return text == null ? null : scrubText(text)
}

function userAgent(text: string | null | undefined): string | null {
  if (text == null) return null
  const cut = text.length > USER_AGENT_LENGTH_MAX ? text.slice(0, USER_AGENT_LENGTH_MAX) : text
  // Scrubbed after shortening, because the cut may leave exactly the first twelve digits of a longer run.
  return scrubText(CONTROL.test(cut) ? cut.replace(CONTROL_ALL, ' ') : cut)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const CONTROL_ALL = new RegExp(CONTROL, 'g')

function checkSalt(salt: Uint8Array | null, name: string): asserts salt is Uint8Array {
  if (salt === null || salt.length !== SALT_BYTES) {
    throw new TypeError(`\`${name}\` must hold ${SALT_BYTES} random bytes`)
  }
}

/** In this form text order is time order. It is the only form in a record. */
const CANONICAL_INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/**
 * The accepted forms of input. A time zone is required: without it, the result would depend on the time zone of the
 * machine.
 */
const ZONED_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i

export function isInstant(text: string): boolean {
  return CANONICAL_INSTANT.test(text)
}

/** Returns the instant in UTC with milliseconds, or null when the text is not an instant. */
function instant(text: string): string | null {
  if (CANONICAL_INSTANT.test(text)) return text
  const time = ZONED_INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isFinite(time)) return null
  const canonical = new Date(time).toISOString()
  return CANONICAL_INSTANT.test(canonical) ? canonical : null
}
