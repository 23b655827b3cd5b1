/**
 * Tokens in links: e-mail verification and password reset. The hash is stored; using one deletes its row, so of two uses
 * one wins. A new token of a kind makes the person's older ones worthless.
 */
import { and, eq, gt } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { isOneTimeToken, newOneTimeToken, tokenHash } from './opaque-token.js'
import { credentialTables } from './tables.js'

export type OneTimeKind = 'verify-email' | 'reset-password'

const LIFETIME_MS: Readonly<Record<OneTimeKind, number>> = {
  'verify-email': 24 * 3_600_000,
  'reset-password': 3_600_000,
}

/** @param email the address that the use of the token verifies; null where the token does not go there. */
export async function issueOneTimeToken(
  tx: Tx,
  kind: OneTimeKind,
  { userId, email, nowMs }: { readonly userId: string; readonly email: string | null; readonly nowMs: number },
): Promise<string> {
  const { oneTimeTokens } = credentialTables(tx)
  await dropOneTimeTokens(tx, kind, userId)
  const token = newOneTimeToken()
  const expiresAtMs = nowMs + LIFETIME_MS[kind]
  await tx
    .insert(oneTimeTokens)
    .values({ tokenHash: tokenHash(token), kind, userId, email, createdAtMs: nowMs, expiresAtMs })
  return token
}

/** Uses the token up. @returns whose it was, or null for one that is unknown, used or expired. */
export async function useOneTimeToken(
  tx: Tx,
  kind: OneTimeKind,
  token: string,
  nowMs: number,
): Promise<{ readonly userId: string; readonly email: string | null } | null> {
  if (!isOneTimeToken(token)) return null
  const { oneTimeTokens: table } = credentialTables(tx)
  const isGood = and(eq(table.tokenHash, tokenHash(token)), eq(table.kind, kind), gt(table.expiresAtMs, nowMs))
  const [row] = await tx.delete(table).where(isGood).returning({ userId: table.userId, email: table.email })
  return row ?? null
}

export async function dropOneTimeTokens(tx: Tx, kind: OneTimeKind, userId: string): Promise<void> {
  const { oneTimeTokens: table } = credentialTables(tx)
  await tx.delete(table).where(and(eq(table.userId, userId), eq(table.kind, kind)))
}
