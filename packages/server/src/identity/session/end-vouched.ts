/**
 * Ends what an identity provider vouched for. Its own sessions end; a session that the person opened by their password goes on, and
 * loses the proof that opened the door of the organization: a provider decides nothing outside its organization.
 */
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'

/** Whom the provider names: a session of its own, else a person; everybody when absent. */
export type Named = { readonly sid: string } | { readonly subject: string } | null

export interface Ended {
  readonly sessionIds: readonly string[]
  /** Of the sessions that went on without their proof. */
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

function isVouched(t: Columns, providerId: string, named: Named): SQL | undefined {
  if (named === null) return eq(t.providerId, providerId)
  return and(
    eq(t.providerId, providerId),
    'sid' in named ? eq(t.providerSid, named.sid) : eq(t.providerSubject, named.subject),
  )
}
