/**
 * The audit record: one row of a chain, as it is stored, exported and verified (spec billing-audit 20).
 *
 * INVARIANT: `RECORD_FIELDS` is the closed set of its fields. `hash` covers each of them: directly, through a
 * commitment, or as the salt of one. The tamper test iterates over this list, so it fails for a field that is not
 * covered.
 */
import type { Outcome } from '../actions/outcome.js'

export interface AuditRecord {
  /** The version of the record's form: 1. */
  readonly v: 1
  readonly chain: string
  /** 1, 2, 3 and so on within the chain, without gaps. */
  readonly seq: number
  /** `evt_` and a UUID. */
  readonly id: string
  readonly action: string
  readonly actorId: string
  readonly actorRole: string | null
  /** The actor's organization. */
  readonly orgId: string | null
  /** The organization that the event affects. */
  readonly affectedOrgId: string | null
  readonly targetType: string | null
  readonly targetId: string | null
  readonly groupId: string | null
  readonly impersonatorId: string | null
  readonly outcome: Outcome
  readonly requestId: string | null
  readonly traceId: string | null
  readonly idempotencyKey: string | null
  /** When the event happened, as its emitter reported: ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string | null
  /** When the chain accepted the event: ISO 8601, UTC, milliseconds. Never before that of the previous record. */
  readonly createdAt: string
  /** The hash of the previous record; for the first record, the hash of the chain's name (`genesis`). */
  readonly prevHash: string
  /** Personal data, erasable together with `identitySalt`. */
  readonly actorEmail: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** 16 random bytes as hexadecimal; null when the identity is erased. */
  readonly identitySalt: string | null
  readonly identityHash: string
  /** Canonical JSON text, scrubbed. Null when there are no details, or when they were erased. */
  readonly details: string | null
  /** 16 random bytes as hexadecimal. Null when there are no details, or when they were erased. */
  readonly detailsSalt: string | null
  /** Null when the event never had details. */
  readonly detailsHash: string | null
  readonly hash: string
}

/** How each field is covered by the record's hash. */
export type Coverage = 'core' | 'identity' | 'details' | 'hash'

/** Every field of a record, and what covers it. A list that lacks a field does not compile. */
export const RECORD_FIELDS: Readonly<Record<keyof AuditRecord, Coverage>> = {
  v: 'core',
  chain: 'core',
  seq: 'core',
  id: 'core',
  action: 'core',
  actorId: 'core',
  actorRole: 'core',
  orgId: 'core',
  affectedOrgId: 'core',
  targetType: 'core',
  targetId: 'core',
  groupId: 'core',
  impersonatorId: 'core',
  outcome: 'core',
  requestId: 'core',
  traceId: 'core',
  idempotencyKey: 'core',
  occurredAt: 'core',
  createdAt: 'core',
  prevHash: 'core',
  actorEmail: 'identity',
  ip: 'identity',
  userAgent: 'identity',
  identitySalt: 'identity',
  identityHash: 'core',
  details: 'details',
  detailsSalt: 'details',
  detailsHash: 'core',
  hash: 'hash',
}

/** The input of a record's hash: the fields that are covered directly. */
export type EventCore = Omit<
  AuditRecord,
  'hash' | 'actorEmail' | 'ip' | 'userAgent' | 'identitySalt' | 'details' | 'detailsSalt'
>

export interface Identity {
  readonly actorEmail: string | null
  readonly ip: string | null
  readonly userAgent: string | null
}
