/** Ends sessions and tokens: at once in this process, within 5 s in others. */
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'

interface At {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly nowMs: number
}

/**
 * Ends the person's live sessions: one (`only`), all but one (`except`), or all.
 * @returns how many ended.
 */
export async function revokeSessions(
  { tx, runtime, nowMs }: At,
  userId: string,
  which: { readonly only?: string; readonly except?: string; readonly boundOrgId?: string } = {},
): Promise<number> {
  const { sessions } = credentialTables(tx)
  const rows = await tx
    .update(sessions)
    // An ended session needs no sealed successor.
    .set({ revokedAtMs: nowMs, successor: null })
    .where(
      and(
        eq(sessions.userId, userId),
        isNull(sessions.revokedAtMs),
        equals(sessions.id, which.only),
        equals(sessions.boundOrgId, which.boundOrgId),
        which.except === undefined ? undefined : ne(sessions.id, which.except),
      ),
    )
    .returning({ id: sessions.id })
  tx.afterCommit(() => {
    for (const { id } of rows) identityOf({ runtime }).directory.drop({ sessionId: id })
  })
  return rows.length
}

/** Ends the person's personal access tokens: all, or those that were bound to the password. @returns how many. */
export async function revokePersonalTokens(
  { tx, runtime, nowMs }: At,
  userId: string,
  which: 'all' | 'bound-to-password',
): Promise<number> {
  const { personalAccessTokens: table } = credentialTables(tx)
  const rows = await tx
    .update(table)
    .set({ revokedAtMs: nowMs })
    .where(
      and(
        eq(table.userId, userId),
        isNull(table.revokedAtMs),
        which === 'all' ? undefined : eq(table.bindToPassword, true),
      ),
    )
    .returning({ tokenHash: table.tokenHash })
  tx.afterCommit(() => {
    for (const { tokenHash } of rows) identityOf({ runtime }).directory.drop({ tokenHash })
  })
  return rows.length
}

/** Invalidates every access token of the person. */
export async function revokeAccessTokens({ tx, runtime }: At, userId: string): Promise<void> {
  const { users } = identityTables(tx)
  await tx
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(eq(users.id, userId))
  tx.afterCommit(() => identityOf({ runtime }).directory.drop({ userId }))
}
