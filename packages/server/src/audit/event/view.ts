/** An audit event as the API shows it (spec billing-audit 25): sealed, or unsealed with `seq` and `hash` null. */
import { defaultOutcome, isForeign } from '@plumbline/audit-chain'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { EventRow } from '../chain/read-record.js'

const Text = nullable(Type.String())

export const AuditEventView = strictObject({
  id: Type.String({ description: '`evt_` and a UUID' }),
  action: Type.String(),
  actorId: Type.String(),
  actorEmail: Text,
  actorRole: Text,
  orgId: nullable(Type.String({ description: "the actor's organization" })),
  affectedOrgId: nullable(Type.String({ description: 'the organization acted on' })),
  targetType: Text,
  targetId: Text,
  groupId: Text,
  impersonatorId: Text,
  outcome: Type.Enum(['success', 'failure']),
  details: nullable(Type.Object({}, { description: 'scrubbed; null without details and when they were erased' })),
  ip: Text,
  userAgent: Text,
  requestId: Text,
  traceId: Text,
  occurredAt: nullable(Type.String({ description: 'when it happened, as its emitter reported' })),
  createdAt: Type.String({ description: 'when the log received it' }),
  chain: Type.String(),
  seq: nullable(Type.Integer({ description: 'null while the event waits to be sealed' })),
  prevHash: Text,
  hash: Text,
})
export type AuditEventView = Static<typeof AuditEventView>

/** The fields of a stored event that the API shows; for an unsealed event, those that are known. */
export type Shown = Omit<
  EventRow,
  'seq' | 'prevHash' | 'hash' | 'identitySalt' | 'identityHash' | 'detailsSalt' | 'detailsHash' | 'idempotencyKey'
> &
  Pick<AuditEventView, 'seq' | 'prevHash' | 'hash'>

/**
 * @param viewerOrgId the organization whose administrator reads; null for a system administrator, who sees every field.
 */
export function eventView(row: Shown, viewerOrgId: string | null): AuditEventView {
  // An organization must not learn the network address and browser of a foreign actor who acted on it.
  const isHidden = viewerOrgId !== null && isForeign(row, viewerOrgId)
  return {
    id: row.id,
    action: row.action,
    actorId: row.actorId,
    actorEmail: row.actorEmail,
    actorRole: row.actorRole,
    orgId: row.orgId,
    affectedOrgId: row.affectedOrgId,
    targetType: row.targetType,
    targetId: row.targetId,
    groupId: row.groupId,
    impersonatorId: row.impersonatorId,
    outcome: row.outcome as AuditEventView['outcome'],
    details: row.details === null ? null : (JSON.parse(row.details) as object),
    // guard: where-a-foreign-actor-sat
    ip: isHidden ? null : row.ip,
    // guard: the-browser-of-a-foreign-actor
    userAgent: isHidden ? null : row.userAgent,
    requestId: row.requestId,
    traceId: row.traceId,
    occurredAt: row.occurredAt,
    createdAt: row.createdAt,
    chain: row.chain,
    seq: row.seq,
    prevHash: row.prevHash,
    hash: row.hash,
  }
}

/** A row of the outbox as the event that it will become. */
export function waitingEvent(row: {
  readonly id: string
  readonly chain: string
  readonly orgId: string | null
  readonly affectedOrgId: string | null
  readonly event: Record<string, unknown>
  readonly details: string | null
  readonly createdAtMs: number
}): Shown {
  const text = (name: string): string | null => {
    const value = row.event[name]
    return typeof value === 'string' ? value : null
  }
  return {
    id: row.id,
    action: text('action') ?? '',
    actorId: text('actorId') ?? 'anonymous',
    actorEmail: text('actorEmail'),
    actorRole: text('actorRole'),
    orgId: row.orgId,
    affectedOrgId: row.affectedOrgId,
    targetType: text('targetType'),
    targetId: text('targetId'),
    groupId: text('groupId'),
    impersonatorId: text('impersonatorId'),
    outcome: text('outcome') ?? defaultOutcome(text('action') ?? ''),
    details: row.details,
    ip: text('ip'),
    userAgent: text('userAgent'),
    requestId: text('requestId'),
    traceId: text('traceId'),
    occurredAt: text('occurredAt'),
    createdAt: toIso(row.createdAtMs),
    chain: row.chain,
    seq: null,
    prevHash: null,
    hash: null,
  }
}
