/**
 * The audit record: one row of a chain, as it is stored, exported and verified (spec billing-audit 20).
 * INVARIANT: `RECORD_FIELDS` is the closed set of its fields. Each of them is covered by `hash`, directly, through a
 * commitment, or as the salt of one; the tamper proof walks this list, so a field that is not covered fails by itself.
 */
import type { Outcome } from '../actions/outcome.js'

export interface AuditRecord {
  /** Version of the record's form: 1. */
  readonly v: 1
  readonly chain: string
  /** 1, 2, 3 … within the chain, without gaps. */
  readonly seq: number
  /** `evt_` and a UUID. */
  readonly id: string
  readonly action: string
  readonly actorId: string
  readonly actorRole: string | null
  /** The actor's organization. */
  readonly orgId: string | null
  /** The organization acted on. */
  readonly affectedOrgId: string | null
  readonly targetType: string | null
  readonly targetId: string | null
  readonly groupId: string | null
  readonly impersonatorId: string | null
  readonly outcome: Outcome
  readonly requestId: string | null
  readonly traceId: string | null
  readonly idempotencyKey: string | null
  /** When it happened, as its emitter says: ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string | null
  /** When the chain took it in: ISO 8601, UTC, milliseconds; never before the previous record's. */
  readonly createdAt: string
  /** Hash of the previous record; of the chain's name for the first one (`genesis`). */
  readonly prevHash: string
  /** Personal, erasable together with `identitySalt`. */
  readonly actorEmail: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** 16 random bytes as hexadecimal; null when the identity is erased. */
  readonly identitySalt: string | null
  readonly identityHash: string
  /** Canonical JSON text, scrubbed. Null without details, and when they are erased. */
  readonly details: string | null
  /** 16 random bytes as hexadecimal; null without details, and when they are erased. */
  readonly detailsSalt: string | null
  /** Null when the event never had details. */
  readonly detailsHash: string | null
  readonly hash: string
}

/** How each field is covered by the record's hash. */
export type Coverage = 'core' | 'identity' | 'details' | 'hash'

/** Every field of a record and what covers it. The compiler refuses a list that lacks one. */
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

/** What the hash of a record is computed over: the fields that are covered directly. */
export type EventCore = Omit<
  AuditRecord,
  'hash' | 'actorEmail' | 'ip' | 'userAgent' | 'identitySalt' | 'details' | 'detailsSalt'
>

export interface Identity {
  readonly actorEmail: string | null
  readonly ip: string | null
  readonly userAgent: string | null
}
