/** Gives a session its cookie: at a sign-in, and a new one after a step-up. */
import { eq } from 'drizzle-orm'
import type { OutcomeHeaders, Principal, Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { newSessionCookie, tokenHash } from '../credential/opaque-token.js'
import { setCookie } from '../credential/session-cookie.js'
import { credentialTables } from '../credential/tables.js'
import { identityOf } from '../services.js'

interface At {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly nowMs: number
}

/**
 * Gives the session a new cookie.
 * @param before what happens to the current one: with `grace` it stays valid for requests under way.
 */
export async function giveCookie(
  { tx, runtime, nowMs }: At,
  { sessionId, name, before }: { readonly sessionId: string; readonly name: string; readonly before: 'grace' | 'ends' },
): Promise<OutcomeHeaders> {
  const { sessions } = credentialTables(tx)
  const value = newSessionCookie()
  const [old] = await tx
    .select({ hash: sessions.cookieHash, expiresAtMs: sessions.expiresAtMs })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  await tx
    .update(sessions)
    .set({
      cookieHash: tokenHash(value),
      prevCookieHash: old?.hash ?? null,
      cookieGivenAtMs: before === 'grace' ? nowMs : 0,
    })
    .where(eq(sessions.id, sessionId))
  const oldHash = old?.hash
  if (oldHash) tx.afterCommit(() => identityOf({ runtime }).directory.drop({ cookieHash: oldHash }))
  const seconds = Math.max(0, Math.floor(((old?.expiresAtMs ?? nowMs) - nowMs) / 1000))
  return { 'set-cookie': setCookie(name, value, seconds) }
}

/** Renews the cookie after its holder stepped up or changed the password. Other callers get no header. */
export async function renewCookie(
  at: At & { readonly principal: Principal },
  before: 'grace' | 'ends',
): Promise<OutcomeHeaders> {
  const { principal } = at
  if (principal.kind !== 'user' || principal.sessionId === null || principal.cookieName === undefined) return {}
  return giveCookie(at, { sessionId: principal.sessionId, name: principal.cookieName, before })
}
