/**
 * Seals an event into its chain: fixes its sequence number, its instant, its link and its commitments, and hashes them.
 * INVARIANT: a pure function of its arguments. Salts are random bytes made by the caller; they must never be reused.
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

/** What a caller knows about an event. Everything left out is null in the record. */
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
  /** Defaults by the action: failure for `….failed`, `….timeout` and `authz.denied`, else success. */
  readonly outcome?: Outcome | null
  readonly requestId?: string | null
  readonly traceId?: string | null
  readonly idempotencyKey?: string | null
  readonly occurredAt?: string | null
  /** The instant of ingest. Moved up to the previous record's when it lies before it. */
  readonly createdAt: string
  readonly actorEmail?: string | null
  readonly ip?: string | null
  readonly userAgent?: string | null
  readonly details?: ScrubbedDetails | null
}

export interface SealInput {
  readonly event: AuditEvent
  /** The last record of the chain, null for the first event. */
  readonly previous: { readonly seq: number; readonly hash: string; readonly createdAt: string } | null
  /** 16 random bytes. */
  readonly identitySalt: Uint8Array
  /** 16 other random bytes; null exactly when the event has no details. */
  readonly detailsSalt: Uint8Array | null
}

export interface Sealed {
  readonly record: AuditRecord
  /** The canonical text that was hashed, to be stored byte for byte; the same as `record.details`. */
  readonly detailsText: string | null
}

const USER_AGENT_LENGTH_MAX = 512

type Draft = { -readonly [Field in keyof AuditRecord]: AuditRecord[Field] }

/**
 * What every record is a copy of, before its fields are set. A literal in `sealEvent` would be allocated among the
 * long-lived objects once V8 saw a batch of records survive, and each would then keep its texts from the cheap
 * collection of short-lived ones: half of the speed. Copies are not subject to that.
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
 * The record to store, and the canonical text of its details. Throws `TypeError` for details that did not come from
 * `scrub`, an instant without a zone, and salts of the wrong size.
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
  // Lone surrogates are rare, and one look at the texts finds them: then the event is repaired and sealed again.
  if (mayBeMalformed(core) || mayBeMalformed(personal)) {
    const repaired = wellFormedEvent(event)
    if (repaired !== null) return sealEvent(crypto, { ...input, event: repaired })
  }
  record.hash = eventTextHash(crypto, core)
  return { record, detailsText: record.details }
}

/** The event with well-formed texts, or null when they all are. */
function wellFormedEvent(event: AuditEvent): AuditEvent | null {
  let isChanged = false
  const entries = Object.entries(event).map(([name, value]) => {
    const repaired: unknown = typeof value === 'string' ? wellFormed(value) : value
    isChanged ||= repaired !== value
    return [name, repaired]
  })
  return isChanged ? (Object.fromEntries(entries) as AuditEvent) : null
}

/** spec billing-audit 23: these name things of the outside world and may carry an account number. */
function scrubbed(text: string | null | undefined): string | null {
  return text == null ? null : scrubText(text)
}

function userAgent(text: string | null | undefined): string | null {
  if (text == null) return null
  const cut = text.length > USER_AGENT_LENGTH_MAX ? text.slice(0, USER_AGENT_LENGTH_MAX) : text
  // Scrubbed after the cut, which could leave exactly the first twelve digits of a longer run.
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

/** Text order is time order in this form, and it is the only one that a record may hold. */
const CANONICAL_INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/** What is accepted on the way in. A zone is required: without one the reading would depend on the machine's. */
const ZONED_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i

export function isInstant(text: string): boolean {
  return CANONICAL_INSTANT.test(text)
}

/** The instant in UTC with milliseconds, or null when the text is none. */
function instant(text: string): string | null {
  if (CANONICAL_INSTANT.test(text)) return text
  const time = ZONED_INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isFinite(time)) return null
  const canonical = new Date(time).toISOString()
  return CANONICAL_INSTANT.test(canonical) ? canonical : null
}
