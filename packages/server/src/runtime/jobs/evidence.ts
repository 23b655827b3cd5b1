/**
 * Writes one audit event to the evidence outbox, in the transaction of the change that it records. When it cannot be
 * written, the change fails. The sequencer seals it into its chain after the commit. Source: spec billing-audit 24.
 */

import { type ActionName, type AuditEvent, chainKey, prepareDetails, scrub } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import type { Placeholder } from 'drizzle-orm'
import { toIso } from '../clock.js'
import { SYSTEM_ORG_ID } from '../ids.js'
import type { ActorRecord, AuditEntry, Authority, RequestInfo, Runtime } from '../operation/context.js'
import { port } from '../port.js'
import type { Tx } from '../store/db.js'
import { prepared } from '../store/prepared.js'
import { jobTables } from './tables.js'

export interface EvidenceSource {
  readonly runtime: Runtime
  readonly actor: ActorRecord
  readonly authority: Pick<Authority, 'org'> & Partial<Pick<Authority, 'isSuperAdmin' | 'isMember'>>
  readonly request: RequestInfo
  readonly nowMs: number
}

/** For changes outside of a request: the actor is the server, or an operator on the host (`host:<os user>`). */
export const outsideRequest = (runtime: Runtime, actorId = 'system'): EvidenceSource => ({
  runtime,
  actor: { id: actorId, email: null, role: null, impersonatorId: null },
  authority: { org: null },
  request: { requestId: runtime.ids.next(), traceId: null, ip: null, userAgent: null },
  nowMs: runtime.clock.now(),
})

export async function writeEvidence(
  tx: Tx,
  source: EvidenceSource,
  action: ActionName,
  entry: AuditEntry,
): Promise<string> {
  const { runtime, authority, request, nowMs } = source
  const actor = entry.actor ?? source.actor
  const tenant = authority.org?.id ?? null
  // A system administrator who changes an organization that is not their own acts for the system.
  // guard: an-operator-acts-for-the-system
  const isOperator = tenant !== null && authority.isSuperAdmin === true && authority.isMember !== true
  const orgId = entry.orgId === undefined ? (isOperator ? SYSTEM_ORG_ID : tenant) : entry.orgId
  const affectedOrgId = entry.affectedOrgId ?? (entry.orgId === undefined ? tenant : orgId)
  const id = `evt_${runtime.ids.next()}`
  const { details } = scrub(nodeCrypto, prepareDetails(action, entry.details).details)
  const event = {
    id,
    action,
    actorId: actor.id,
    actorEmail: actor.email,
    actorRole: actor.role,
    impersonatorId: actor.impersonatorId,
    orgId,
    affectedOrgId,
    targetType: entry.targetType ?? null,
    targetId: entry.targetId ?? null,
    groupId: entry.groupId ?? null,
    outcome: entry.outcome ?? null,
    requestId: request.requestId,
    traceId: request.traceId,
    ip: request.ip,
    userAgent: request.userAgent,
    occurredAt: toIso(nowMs),
  }
  await putEvidence(tx, runtime, event, details?.text ?? null, nowMs)
  return id
}

type Column = 'id' | 'chain' | 'orgId' | 'affectedOrgId' | 'event' | 'details' | 'createdAtMs'

/** Every command writes an event, so the statement is built once. */
const insertEvidence = prepared((db, value: (name: Column) => Placeholder) =>
  db.insert(jobTables(db).auditOutbox).values({
    id: value('id'),
    chain: value('chain'),
    orgId: value('orgId'),
    affectedOrgId: value('affectedOrgId'),
    event: value('event'),
    details: value('details'),
    createdAtMs: value('createdAtMs'),
  }),
)

/** Puts a complete and scrubbed event into the outbox. */
export async function putEvidence(
  tx: Tx,
  runtime: Runtime,
  event: Omit<AuditEvent, 'createdAt' | 'details'>,
  details: string | null,
  nowMs: number,
): Promise<void> {
  const { id, orgId = null, affectedOrgId = null } = event
  const row = {
    id,
    chain: chainKey({ orgId, affectedOrgId }),
    orgId,
    affectedOrgId,
    event,
    details,
    createdAtMs: nowMs,
  }
  await tx.withCommit(() => insertEvidence(tx, row))
  if (runtime.onEvidence !== undefined) tx.afterCommit(runtime.onEvidence)
}

/** Seals events in the background. It is woken after each commit that wrote events. */
export const sealerPort = port<{ wake(): void }>('sealer')
