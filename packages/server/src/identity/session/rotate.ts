/**
 * Rotates a refresh token, in one transaction.
 *
 * - The current token is replaced by a new one with a conditional update, so of parallel refreshes one wins.
 * - The previous token returns the same successor for 20 s, so that parallel tabs stay signed in. The successor is
 *   stored encrypted under a key derived from the previous token, so the database alone never reveals it.
 * - Any older token of the session means reuse: somebody copied it. That session ends; the person's other sessions
 *   continue.
 *
 * Source: spec platform 4.4.
 */
import { and, eq, gt, isNull } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { deriveKey, openWith, sealWith } from '../../runtime/secret-box.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { GRACE_MS } from '../credential/grace.js'
import { newRefreshToken, tokenHash } from '../credential/opaque-token.js'
import { credentialTables } from '../credential/tables.js'
import { type SessionRow, sessionEndMs } from './token-set.js'

export type Rotation =
  | { readonly kind: 'rotated'; readonly session: SessionRow; readonly refreshToken: string }
  | { readonly kind: 'reused'; readonly session: SessionRow }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

const revoked = (): Rotation => ({
  kind: 'refused',
  refusal: new Refusal('TOKEN_REVOKED', 'the refresh token is no longer valid; sign in again'),
})

const successorKey = (olderToken: string): Uint8Array => deriveKey(olderToken, 'plumbline refresh successor')

const successorPurpose = (sessionId: string): string => `refresh ${sessionId}`

export async function rotate(tx: Tx, runtime: Runtime, token: string): Promise<Rotation> {
  const { sessions, spentRefreshTokens } = credentialTables(tx)
  const nowMs = runtime.clock.now()
  const hash = tokenHash(token)
  const [live] = await tx.select().from(sessions).where(eq(sessions.refreshHash, hash))
  if (live !== undefined) {
    if (live.revokedAtMs !== null) return revoked()
    // guard: the-end-of-a-session-that-is-refreshed
    if (sessionEndMs(runtime, live) <= nowMs) {
      return { kind: 'refused', refusal: new Refusal('TOKEN_EXPIRED', 'the session has ended; sign in again') }
    }
    const refreshToken = newRefreshToken()
    const [session] = await tx
      .update(sessions)
      .set({
        refreshHash: tokenHash(refreshToken),
        prevHash: hash,
        successor: sealWith(successorKey(token), refreshToken, successorPurpose(live.id)),
        rotatedAtMs: nowMs,
        lastUsedAtMs: nowMs,
      })
      .where(and(eq(sessions.id, live.id), eq(sessions.refreshHash, hash), isNull(sessions.revokedAtMs)))
      .returning()
    if (session !== undefined) {
      await tx.insert(spentRefreshTokens).values({ tokenHash: hash, sessionId: live.id, spentAtMs: nowMs })
      return { kind: 'rotated', session, refreshToken }
    }
    // A concurrent request rotated the token between the two statements, so this token is now the previous one.
  }
  return (await inGrace(tx, token, hash, nowMs)) ?? reuse(tx, hash, nowMs)
}

/** The successor that a parallel refresh got a moment ago, or null. */
async function inGrace(tx: Tx, token: string, hash: string, nowMs: number): Promise<Rotation | null> {
  const { sessions } = credentialTables(tx)
  const [session] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.prevHash, hash), isNull(sessions.revokedAtMs), gt(sessions.rotatedAtMs, nowMs - GRACE_MS)))
  if (session === undefined || session.successor === null) return null
  const refreshToken = openWith(successorKey(token), session.successor, successorPurpose(session.id))
  return { kind: 'rotated', session, refreshToken }
}

/** Ends the session that the spent token belongs to. A token without a session is only refused. */
async function reuse(tx: Tx, hash: string, nowMs: number): Promise<Rotation> {
  const { sessions, spentRefreshTokens } = credentialTables(tx)
  const [spent] = await tx.select().from(spentRefreshTokens).where(eq(spentRefreshTokens.tokenHash, hash))
  if (spent === undefined) return revoked()
  // guard: a-refresh-token-that-was-used-again-ends-its-session
  const [session] = await tx
    .update(sessions)
    .set({ revokedAtMs: nowMs, successor: null })
    .where(and(eq(sessions.id, spent.sessionId), isNull(sessions.revokedAtMs)))
    .returning()
  return session === undefined ? revoked() : { kind: 'reused', session }
}

export interface TokenOwner {
  readonly sessionId: string
  readonly userId: string
}

/** The session and the user that a refresh token of any age belongs to; neither ever changes for a token. */
export async function ownerOfToken(db: Db, token: string): Promise<TokenOwner | null> {
  const { sessions, spentRefreshTokens } = credentialTables(db)
  const hash = tokenHash(token)
  const owner = { sessionId: sessions.id, userId: sessions.userId }
  const [live] = await db.select(owner).from(sessions).where(eq(sessions.refreshHash, hash))
  if (live !== undefined) return live
  const [spent] = await db
    .select(owner)
    .from(spentRefreshTokens)
    .innerJoin(sessions, eq(sessions.id, spentRefreshTokens.sessionId))
    .where(eq(spentRefreshTokens.tokenHash, hash))
  return spent ?? null
}
