/**
 * The networks from which a person signed in, or set a password by a link to their mailbox. Guesses from other networks
 * do not lock the person out of a known one, so a stranger who keeps guessing cannot keep them out. Each known network
 * has its own lockout with the same numbers. As for rate limits, an IPv6 address counts by its /64.
 */
import { createHash } from 'node:crypto'
import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm'
import { addressKey } from '../../runtime/http/request-limits.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockoutKey } from './lockout.js'
import { credentialTables } from './tables.js'

/** A network that was not used for this time is forgotten. */
export const NETWORK_KEPT_MS = 90 * 86_400_000
const NETWORKS_MAX = 20

export interface From {
  /** The address that the request came from; null if unknown. */
  readonly ip: string | null
  readonly nowMs: number
}

const keyOf = (userId: string, ip: string): string =>
  createHash('sha256')
    .update(`${userId}\n${addressKey(ip)}`)
    .digest('hex')

export async function isKnownNetwork(db: Db, userId: string, { ip, nowMs }: From): Promise<boolean> {
  if (ip === null) return false
  const { knownNetworks: t } = credentialTables(db)
  const isIt = and(eq(t.key, keyOf(userId, ip)), gt(t.lastUsedAtMs, nowMs - NETWORK_KEPT_MS))
  return (await db.select({ key: t.key }).from(t).where(isIt)).length > 0
}

/**
 * The lockout key that counts a guess, and whether the guess comes from a known network. Both identifiers of a person
 * share one lockout.
 */
export async function loginLock(
  db: Db,
  userId: string | null,
  identifierKey: string,
  from: From,
): Promise<{ readonly lock: string; readonly isKnown: boolean }> {
  if (userId === null) return { lock: lockoutKey('login', identifierKey), isKnown: false }
  const isKnown = await isKnownNetwork(db, userId, from)
  // guard: a-known-network-has-a-lock-of-its-own
  return { lock: isKnown ? lockFrom('login-from', userId, from) : lockoutKey('login-user', userId), isKnown }
}

export const factorLock = async (db: Db, userId: string, from: From): Promise<string> =>
  (await isKnownNetwork(db, userId, from)) ? lockFrom('mfa-from', userId, from) : lockoutKey('mfa', userId)

const lockFrom = (kind: 'login-from' | 'mfa-from', userId: string, { ip }: From): string =>
  lockoutKey(kind, keyOf(userId, ip ?? ''))

/** Called once the person has proved who they are. */
export async function rememberNetwork(tx: Tx, userId: string, { ip, nowMs }: From): Promise<void> {
  if (ip === null) return
  const { knownNetworks: t } = credentialTables(tx)
  await tx
    .insert(t)
    .values({ key: keyOf(userId, ip), userId, lastUsedAtMs: nowMs })
    .onConflictDoUpdate({ target: t.key, set: { lastUsedAtMs: nowMs } })
  const old = await tx
    .select({ key: t.key })
    .from(t)
    .where(eq(t.userId, userId))
    .orderBy(desc(t.lastUsedAtMs), desc(t.key))
    .limit(NETWORKS_MAX)
    .offset(NETWORKS_MAX)
  if (old.length > 0) {
    await tx.delete(t).where(
      inArray(
        t.key,
        old.map(({ key }) => key),
      ),
    )
  }
}

/** For a change of the password: a person who knew the old one may have signed in from any network. */
export async function forgetNetworks(tx: Tx, userId: string, { ip }: Pick<From, 'ip'>): Promise<void> {
  const { knownNetworks: t } = credentialTables(tx)
  await tx.delete(t).where(and(eq(t.userId, userId), ip === null ? undefined : ne(t.key, keyOf(userId, ip))))
}
