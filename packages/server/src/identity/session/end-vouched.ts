/**
 * Ends what an identity provider vouched for. Sessions that it opened end. A session that the person opened by password
 * continues without the proof for the organization's single sign-on, because a provider has no say outside its
 * organization.
 */
import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'

/** The target that the provider names: one of its sessions, else a person; null for everyone. */
export type Named = { readonly sid: string } | { readonly subject: string } | null

export interface Ended {
  readonly sessionIds: readonly string[]
  /** The sessions that continue without their proof. */
  readonly provedSessionIds: readonly string[]
}

interface Columns {
  readonly providerId: SQLiteColumn
  readonly providerSubject: SQLiteColumn
  readonly providerSid: SQLiteColumn
}

export async function endVouched(
  { tx, runtime, nowMs }: { readonly tx: Tx; readonly runtime: Runtime; readonly nowMs: number },
  providerId: string,
  named: Named,
): Promise<Ended> {
  const { sessions, sessionProofs } = credentialTables(tx)
  const ended = await tx
    .update(sessions)
    .set({ revokedAtMs: nowMs, successor: null })
    .where(and(isNull(sessions.revokedAtMs), isVouched(sessions, providerId, named)))
    .returning({ id: sessions.id })
  const proofs = await tx
    .delete(sessionProofs)
    .where(isVouched(sessionProofs, providerId, named))
    .returning({ id: sessionProofs.sessionId })
  const sessionIds = ended.map(({ id }) => id)
  const over = new Set(sessionIds)
  const provedSessionIds = proofs.map(({ id }) => id).filter((id) => !over.has(id))
  tx.afterCommit(() => {
    for (const sessionId of [...sessionIds, ...provedSessionIds]) identityOf({ runtime }).directory.drop({ sessionId })
  })
  return { sessionIds, provedSessionIds }
}

/**
 * Ends the proofs of a person for the single sign-on of organizations that they leave: a return would otherwise bring
 * them back. The sessions continue elsewhere.
 */
export async function endProofs(
  { tx, runtime }: { readonly tx: Tx; readonly runtime: Runtime },
  userId: string,
  orgIds: readonly string[],
): Promise<void> {
  const { sessions, sessionProofs: t } = credentialTables(tx)
  const own = tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
  const gone = await tx
    .delete(t)
    .where(and(inArray(t.orgId, [...orgIds]), inArray(t.sessionId, own)))
    .returning({ sessionId: t.sessionId })
  tx.afterCommit(() => {
    for (const { sessionId } of gone) identityOf({ runtime }).directory.drop({ sessionId })
  })
}

function isVouched(t: Columns, providerId: string, named: Named): SQL | undefined {
  if (named === null) return eq(t.providerId, providerId)
  return and(
    eq(t.providerId, providerId),
    'sid' in named ? eq(t.providerSid, named.sid) : eq(t.providerSubject, named.subject),
  )
}
