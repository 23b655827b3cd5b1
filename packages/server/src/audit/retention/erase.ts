/**
 * Erases a person from the evidence: their e-mail address, network address and browser, and on request the details of
 * events by or about them. Commitments stay, so the chains still verify, and an event in each chain says what was
 * erased. Source: spec billing-audit 20 (Personal data); spec billing-audit 20.
 *
 * INVARIANT: the erasure and the events that explain it are one transaction.
 */
import {
  type AuditEvent,
  chainKey,
  ERASE_ACTION,
  type ErasablePart,
  erasureDetails,
  scrub,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, eq, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { EvidenceTools } from '../../runtime/operation/registration.js'
import type { Tx } from '../../runtime/store/db.js'
import { appendEvents } from '../chain/append.js'
import { holdSealing } from '../chain/seal-batch.js'
import { auditTables } from '../tables.js'
import { eraseHalf } from './maintenance.js'

export interface Erasure {
  readonly userId: string
  /** Also erase the details of events by the person and about them. */
  readonly details: boolean
}

export interface Erased {
  readonly chains: number
  readonly identities: number
  readonly details: number
  /** Unsealed events in the outbox whose personal fields were removed before sealing. */
  readonly pending: number
}

const NOBODY = { actorEmail: null, ip: null, userAgent: null }

export async function eraseUser(tx: Tx, runtime: EvidenceTools, { userId, details }: Erasure): Promise<Erased> {
  // A row that is sealed during the erasure would keep its personal data.
  // guard: nobody-seals-while-somebody-is-erased
  await holdSealing(tx)
  const pending = await erasePending(tx, userId, details)
  const { auditEvents: t } = auditTables(tx)
  const about = or(eq(t.actorId, userId), and(eq(t.targetType, 'user'), eq(t.targetId, userId)))
  const parts: [ErasablePart, SQL | undefined][] = [['identity', and(eq(t.actorId, userId), isNotNull(t.identitySalt))]]
  // Events that explain earlier erasures are kept: without them those erasures would look like tampering.
  if (details) parts.push(['details', and(about, isNotNull(t.detailsSalt), ne(t.action, ERASE_ACTION))])
  const counts: Record<ErasablePart, number> = { identity: 0, details: 0 }
  const explaining: AuditEvent[] = []
  for (const [part, condition] of parts) {
    const rows = await tx
      .select({ chain: t.chain, seq: t.seq })
      .from(t)
      .where(condition)
      .orderBy(asc(t.chain), asc(t.seq))
    for (const [chain, seqs] of byChain(rows)) {
      const gone = await eraseHalf(runtime.store, tx, chain, seqs, part)
      if (gone !== seqs.length) throw new Error(`${gone} of ${seqs.length} events of chain ${chain} were erased`)
      counts[part] += gone
      for (const explanation of erasureDetails(part, seqs)) explaining.push(explain(runtime, chain, explanation))
    }
  }
  const moved = await appendEvents(tx, explaining)
  return { chains: moved.length, identities: counts.identity, details: counts.details, pending }
}

/** Removes the personal fields of unsealed events, so that no commitment to them is ever made. */
async function erasePending(tx: Tx, userId: string, details: boolean): Promise<number> {
  const { auditOutbox } = jobTables(tx)
  let erased = 0
  for (const row of await tx.select().from(auditOutbox)) {
    const event = row.event as { actorId?: unknown; targetType?: unknown; targetId?: unknown }
    const isActor = event.actorId === userId
    const isTarget = event.targetType === 'user' && event.targetId === userId
    if (!isActor && !(details && isTarget)) continue
    await tx
      .update(auditOutbox)
      .set({ event: isActor ? { ...row.event, ...NOBODY } : row.event, details: details ? null : row.details })
      .where(eq(auditOutbox.position, row.position))
    erased += 1
  }
  return erased
}

function byChain(rows: readonly { chain: string; seq: number }[]): Map<string, number[]> {
  const chains = new Map<string, number[]>()
  for (const { chain, seq } of rows) {
    const seqs = chains.get(chain)
    if (seqs === undefined) chains.set(chain, [seq])
    else seqs.push(seq)
  }
  return chains
}

function explain(runtime: EvidenceTools, chain: string, details: object): AuditEvent {
  const orgId = chain === chainKey({}) ? null : chain
  return {
    id: `evt_${runtime.ids.next()}`,
    action: ERASE_ACTION,
    actorId: 'system',
    orgId,
    createdAt: toIso(runtime.clock.now()),
    details: scrub(nodeCrypto, details).details,
  }
}
