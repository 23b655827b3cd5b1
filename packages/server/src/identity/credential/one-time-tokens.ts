/**
 * Tokens in links: e-mail verification, password reset, restoring a changed address, the first sign-in to a demo. Only
 * the hash is stored. Using a token deletes its row, so of two concurrent uses one succeeds. A new token of a kind
 * invalidates the person's older ones, except those that restore an address.
 */
import { and, eq, gt, gte, min } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { isOneTimeToken, newOneTimeToken, tokenHash } from './opaque-token.js'
import { credentialTables } from './tables.js'

export type OneTimeKind = 'verify-email' | 'reset-password' | 'restore-email' | 'sign-in'

/** Short, because a link that signs in is as good as a password. */
export const SIGN_IN_LINK_SECONDS = 900

const LIFETIME_MS: Readonly<Record<OneTimeKind, number>> = {
  'verify-email': 24 * 3_600_000,
  'reset-password': 3_600_000,
  'restore-email': 7 * 86_400_000,
  'sign-in': SIGN_IN_LINK_SECONDS * 1000,
}

/**
 * @param email the address that using the token verifies or restores; null where the token was not sent to that
 *   address.
 */
export async function issueOneTimeToken(
  tx: Tx,
  kind: OneTimeKind,
  {
    userId,
    email,
    nowMs,
    sinceMs = nowMs,
  }: { readonly userId: string; readonly email: string | null; readonly nowMs: number; readonly sinceMs?: number },
): Promise<string> {
  const { oneTimeTokens } = credentialTables(tx)
  if (kind !== 'restore-email') await dropOneTimeTokens(tx, kind, userId)
  const token = newOneTimeToken()
  const expiresAtMs = nowMs + LIFETIME_MS[kind]
  await tx
    .insert(oneTimeTokens)
    .values({ tokenHash: tokenHash(token), kind, userId, email, createdAtMs: sinceMs, expiresAtMs })
  return token
}

/** Uses the token up. @returns its owner, or null for a token that is unknown, used or expired. */
export async function useOneTimeToken(
  tx: Tx,
  kind: OneTimeKind,
  token: string,
  nowMs: number,
): Promise<{ readonly userId: string; readonly email: string | null; readonly createdAtMs: number } | null> {
  if (!isOneTimeToken(token)) return null
  const { oneTimeTokens: table } = credentialTables(tx)
  // guard: a-link-is-for-its-purpose-and-time
  const isGood = and(eq(table.tokenHash, tokenHash(token)), eq(table.kind, kind), gt(table.expiresAtMs, nowMs))
  const { userId, email, createdAtMs } = table
  // guard: a-link-works-once
  const [row] = await tx.delete(table).where(isGood).returning({ userId, email, createdAtMs })
  return row ?? null
}

/** When the change away from this former address was requested; null when no restore link of it is valid. */
export async function changeAskedAtMs(tx: Tx, userId: string, email: string, nowMs: number): Promise<number | null> {
  const { oneTimeTokens: table } = credentialTables(tx)
  const isOfIt = and(
    eq(table.userId, userId),
    eq(table.kind, 'restore-email'),
    eq(table.email, email),
    gt(table.expiresAtMs, nowMs),
  )
  const [row] = await tx
    .select({ first: min(table.createdAtMs) })
    .from(table)
    .where(isOfIt)
  return row?.first ?? null
}

/** Ends the restore links of changes that were requested at this instant or later. */
export async function dropRestoreTokens(tx: Tx, userId: string, fromMs: number): Promise<void> {
  const { oneTimeTokens: table } = credentialTables(tx)
  await tx
    .delete(table)
    .where(and(eq(table.userId, userId), eq(table.kind, 'restore-email'), gte(table.createdAtMs, fromMs)))
}

export async function dropOneTimeTokens(tx: Tx, kind: OneTimeKind, userId: string): Promise<void> {
  const { oneTimeTokens: table } = credentialTables(tx)
  await tx.delete(table).where(and(eq(table.userId, userId), eq(table.kind, kind)))
}
