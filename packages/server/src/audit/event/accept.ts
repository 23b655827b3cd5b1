/**
 * Writes one event of a remote service to the outbox. Services may emit the action, the organization is the service's
 * own, and a repeated delivery adds no second event. Source: spec billing-audit 24.
 */
import { canonicalise, isRemoteAllowed, normalise, prepareDetails, scrub } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, eq } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { insufficient, invalidField, Refusal } from '../../runtime/errors.js'
import { putEvidence } from '../../runtime/jobs/evidence.js'
import type { Principal, Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { auditTables } from '../tables.js'
import type { RemoteEvent } from './ingest-schema.js'

export type Service = Extract<Principal, { kind: 'service' }>

export interface Emission {
  readonly service: Service
  readonly event: RemoteEvent
  /** JSON pointer of the event in the request, for messages. */
  readonly at: string
  /**
   * The idempotency key of the event, else of the header; null for an event without one, which may then be stored
   * twice.
   */
  readonly key: string | null
  readonly nowMs: number
}

/** How far the remote clock may be ahead. */
const AHEAD_MS_MAX = 5 * 60_000

/** @throws Refusal 400, 403 or 409; nothing has been written then. */
export async function acceptEvent(
  tx: Tx,
  runtime: Runtime,
  emission: Emission,
): Promise<{ readonly id: string; readonly duplicate: boolean; readonly dropped: string[] }> {
  const { event, at, nowMs, service, key } = emission
  // guard: the-actions-that-services-may-emit
  if (!isRemoteAllowed(event.action)) {
    throw invalidField(`${at}/action`, `\`${event.action}\` is not an action that a service may emit`, 'action')
  }
  if (event.occurredAt !== undefined && Date.parse(event.occurredAt) > nowMs + AHEAD_MS_MAX) {
    throw invalidField(`${at}/occurredAt`, 'is in the future', 'future')
  }
  const orgId = ownOrg(service, event.orgId)
  const affectedOrgId = event.affectedOrgId === undefined ? orgId : ownOrg(service, event.affectedOrgId)
  const prepared = prepareDetails(event.action, event.details)
  const dropped = [...prepared.dropped]
  const id = `evt_${runtime.ids.next()}`
  if (key !== null) {
    const earlier = await claimKey(tx, emission, key, orgId, id)
    if (earlier !== null) return { id: earlier, duplicate: true, dropped }
  }
  const { details } = scrub(nodeCrypto, prepared.details)
  await putEvidence(
    tx,
    runtime,
    {
      id,
      action: event.action,
      actorId: event.actorId,
      actorEmail: event.actorEmail ?? null,
      orgId,
      affectedOrgId,
      targetType: event.targetType ?? null,
      targetId: event.targetId ?? null,
      groupId: event.groupId ?? null,
      outcome: event.outcome ?? null,
      requestId: event.requestId ?? null,
      traceId: event.traceId ?? null,
      idempotencyKey: key,
      occurredAt: event.occurredAt === undefined ? toIso(nowMs) : toIso(Date.parse(event.occurredAt)),
      ip: event.ip ?? null,
      userAgent: event.userAgent ?? null,
    },
    details?.text ?? null,
    nowMs,
  )
  return { id, duplicate: false, dropped }
}

/** A service emits events for its own organization; only service principals of the system name another. */
function ownOrg({ boundOrgId }: Service, named: string | undefined): string {
  if (boundOrgId === null) {
    if (named !== undefined) return named
    // guard: a-service-of-the-system-names-the-organization
    throw insufficient('service', 'the credential belongs to no organization: set `orgId` in the event')
  }
  // guard: a-service-speaks-for-its-organization
  if (named !== undefined && named !== boundOrgId) {
    throw insufficient('service', 'the credential can send events only for its own organization')
  }
  return boundOrgId
}

/** @returns the id of the earlier event with this key, or null for the first one. */
async function claimKey(
  tx: Tx,
  { service, event, nowMs }: Emission,
  key: string,
  orgId: string,
  eventId: string,
): Promise<string | null> {
  const { auditIngestKeys: t } = auditTables(tx)
  const { idempotencyKey: _key, ...body } = event
  const bodyHash = nodeCrypto.sha256Text(new Uint8Array(0), canonicalise(normalise(body)))
  const claim = { service: service.clientId, orgId, key, bodyHash, eventId, createdAtMs: nowMs }
  if (await insertNew(tx, t, claim)) return null
  const [earlier] = await tx
    .select()
    .from(t)
    .where(and(eq(t.service, service.clientId), eq(t.orgId, orgId), eq(t.key, key)))
  // guard: the-body-behind-an-idempotency-key
  if (earlier?.bodyHash === bodyHash) return earlier.eventId
  throw new Refusal('IDEMPOTENCY_CONFLICT', 'the idempotency key was used for another event: use a new one')
}
