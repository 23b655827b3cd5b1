/**
 * What authentication reads from the database, cached for at most 5 s: accounts, sessions, tokens, services,
 * organizations, standings. A change invalidates the cached records it affects: at once in this process, through the
 * channel in other processes, and within 2 s through the stamps even without the channel. When the database does not
 * answer, every caller is refused (spec platform 3.7).
 */
import { and, eq } from 'drizzle-orm'
import { Refusal } from '../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { type Maybe, whenHere } from '../runtime/maybe.js'
import type { OrgSummary, Runtime } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { createStamps, type Stamped } from './cache-versions.js'
import { GRACE_MS } from './credential/grace.js'
import { credentialTables } from './credential/tables.js'
import { type FreshCache, freshCache } from './fresh-cache.js'
import { provisioningTables, type ScimTokenRow } from './provisioning-tables.js'
import { readOrganization, readStanding, type Standing } from './standing.js'
import { identityTables } from './tables.js'

export const FRESH_MS = 5000
const RECORDS_MAX = 10_000

export interface Account {
  readonly id: string
  readonly email: string
  readonly isActive: boolean
  readonly mustChangePassword: boolean
  readonly tokenVersion: number
  readonly isSuperAdmin: boolean
}

type SessionRow = ReturnType<typeof credentialTables>['sessions']['$inferSelect']
export type SessionState = Pick<
  SessionRow,
  'id' | 'userId' | 'orgId' | 'boundOrgId' | 'revokedAtMs' | 'expiresAtMs' | 'lastUsedAtMs'
>
/** The session that a cookie belongs to, and until when the cookie is valid; null for as long as the session. */
export interface CookieState {
  readonly sessionId: string
  readonly userId: string
  readonly goodUntilMs: number | null
}
export type SessionProof = ReturnType<typeof credentialTables>['sessionProofs']['$inferSelect']
export type PersonalToken = ReturnType<typeof credentialTables>['personalAccessTokens']['$inferSelect']
export type ServicePrincipal = ReturnType<typeof identityTables>['servicePrincipals']['$inferSelect']

/** The records that a change invalidates. */
export interface Stale {
  readonly userId?: string
  readonly orgId?: string
  readonly sessionId?: string
  readonly tokenHash?: string
  readonly cookieHash?: string
  readonly clientId?: string
}

/** Sends invalidations to the other processes. */
export interface StaleChannel {
  publish(stale: Stale): void
  subscribe(listener: (stale: Stale) => void): void
}

/** The cached records of authentication. Returns a plain value, not a promise, for a cached answer. */
export interface Directory {
  account(userId: string): Maybe<Account | null>
  session(id: string): Maybe<SessionState | null>
  /** The session whose current or previous cookie has this hash. */
  cookie(hash: string): Maybe<CookieState | null>
  /** The proof of this session for the single sign-on that the organization enforces. */
  proof(sessionId: string, orgId: string): Maybe<SessionProof | null>
  personalToken(hash: string): Maybe<PersonalToken | null>
  /** The token of a directory, by its hash. */
  scimToken(hash: string): Maybe<ScimTokenRow | null>
  service(clientId: string): Maybe<ServicePrincipal | null>
  /** The id of the organization with this slug. */
  slug(slug: string): Maybe<string | null>
  organization(id: string): Maybe<OrgSummary | null>
  standing(userId: string, orgId: string): Maybe<Standing | null>
  /** After a change: invalidates here and notifies the other processes. */
  drop(stale: Stale): void
  /** Invalidates only in this process, after another process made the change. */
  forget(stale: Stale): void
  /** Waits until the invalidations for the other processes are written to the database. */
  settle(): Promise<void>
}

export const createDirectory = (runtime: Runtime, channel?: StaleChannel): Directory =>
  new CachedDirectory(runtime, channel)

class CachedDirectory implements Directory {
  readonly #runtime: Runtime
  readonly #channel: StaleChannel | undefined
  readonly #caches: ReturnType<typeof caches>
  readonly #stamps: ReturnType<typeof createStamps>

  constructor(runtime: Runtime, channel?: StaleChannel) {
    this.#runtime = runtime
    this.#channel = channel
    this.#caches = caches({ clock: runtime.clock, max: RECORDS_MAX, ttlMs: FRESH_MS })
    this.#stamps = createStamps({ runtime, onForeign: (kind) => clear(this.#caches, kind) })
    channel?.subscribe((stale) => this.forget(stale))
  }

  account(userId: string): Maybe<Account | null> {
    return this.#fresh(this.#caches.accounts, userId, (db) => readAccount(db, userId))
  }

  session(id: string): Maybe<SessionState | null> {
    return this.#fresh(this.#caches.sessions, id, (db) => readSession(db, id))
  }

  cookie(hash: string): Maybe<CookieState | null> {
    return this.#fresh(this.#caches.cookies, hash, (db) => readCookie(db, hash))
  }

  proof(sessionId: string, orgId: string): Maybe<SessionProof | null> {
    const load = (db: Db) => readProof(db, sessionId, orgId)
    return whenHere(this.#fresh(this.#caches.proofs, `${sessionId} ${orgId}`, load), (proof) => {
      // guard: a-proof-ends-with-the-word-of-the-provider
      if (proof !== null && proof.expiresAtMs !== null && proof.expiresAtMs <= this.#runtime.clock.now()) return null
      return proof
    })
  }

  personalToken(hash: string): Maybe<PersonalToken | null> {
    return this.#fresh(this.#caches.personalTokens, hash, (db) => readPersonalToken(db, hash))
  }

  scimToken(hash: string): Maybe<ScimTokenRow | null> {
    return this.#fresh(this.#caches.scimTokens, hash, (db) => readScimToken(db, hash))
  }

  service(clientId: string): Maybe<ServicePrincipal | null> {
    return this.#fresh(this.#caches.services, clientId, (db) => readService(db, clientId))
  }

  slug(slug: string): Maybe<string | null> {
    const found = this.#fresh(this.#caches.slugs, slug, (db) => readSlug(db, slug))
    return whenHere(found, (organization) => organization?.id ?? null)
  }

  organization(id: string): Maybe<OrgSummary | null> {
    const load = (db: Db) => readOrganization(db, this.#runtime.settings, id)
    return this.#fresh(this.#caches.organizations, id, load)
  }

  standing(userId: string, orgId: string): Maybe<Standing | null> {
    const load = (db: Db) => readStanding(db, this.#runtime.settings, userId, orgId)
    return this.#fresh(this.#caches.standings, `${userId} ${orgId}`, load)
  }

  drop(stale: Stale): void {
    this.forget(stale)
    this.#channel?.publish(stale)
    this.#stamps.changed(kindsOf(stale))
  }

  forget(stale: Stale): void {
    drop(this.#caches, stale)
  }

  settle(): Promise<void> {
    return this.#stamps.settle()
  }

  /** INVARIANT: every cached record is returned through this check. */
  #fresh<V extends object>(cache: FreshCache<V>, key: string, load: (db: Db) => Promise<V | null>): Maybe<V | null> {
    const looking = this.#stamps.look()
    const read = () => this.#read(load)
    return looking === null ? cache.get(key, read) : looking.then(() => cache.get(key, read))
  }

  async #read<T>(run: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await this.#runtime.store.system.read(run)
    } catch (cause) {
      throw new Refusal('SERVICE_UNAVAILABLE', 'your identity cannot be checked now; try again', {
        headers: { 'Retry-After': '1' },
        cause,
      })
    }
  }
}

const caches = (options: Parameters<typeof freshCache>[0]) => ({
  accounts: freshCache<Account>(options),
  sessions: freshCache<SessionState>(options),
  cookies: freshCache<CookieState>(options),
  proofs: freshCache<SessionProof>(options),
  personalTokens: freshCache<PersonalToken>(options),
  scimTokens: freshCache<ScimTokenRow>(options),
  services: freshCache<ServicePrincipal>(options),
  slugs: freshCache<{ readonly id: string }>(options),
  organizations: freshCache<OrgSummary>(options),
  standings: freshCache<Standing>(options),
})

type Caches = ReturnType<typeof caches>

function drop(held: Caches, { userId, orgId, sessionId, tokenHash, cookieHash, clientId }: Stale): void {
  if (userId !== undefined) {
    held.accounts.drop(userId)
    held.standings.dropWhere((key) => key.startsWith(`${userId} `))
  }
  if (orgId !== undefined) {
    // A team's standing depends on its root, so every organization of the account would have to be named. Drops all
    // instead.
    held.organizations.clear()
    held.standings.clear()
    held.slugs.clear()
  }
  if (sessionId !== undefined) {
    held.sessions.drop(sessionId)
    held.proofs.dropWhere((key) => key.startsWith(`${sessionId} `))
  }
  if (cookieHash !== undefined) held.cookies.drop(cookieHash)
  if (tokenHash !== undefined) {
    held.personalTokens.drop(tokenHash)
    held.scimTokens.drop(tokenHash)
  }
  if (clientId !== undefined) held.services.drop(clientId)
}

/**
 * The caches that depend on records of each kind. A standing depends on the person, their roles and the organization.
 */
const RESTS_ON: Readonly<Record<Stamped, readonly (keyof Caches)[]>> = {
  users: ['standings', 'accounts'],
  organizations: ['standings', 'organizations', 'slugs'],
  sessions: ['sessions', 'cookies', 'proofs'],
  tokens: ['personalTokens', 'scimTokens'],
  services: ['services'],
}

function clear(held: Caches, kind: Stamped): void {
  for (const name of RESTS_ON[kind]) held[name].clear()
}

function kindsOf({ userId, orgId, sessionId, tokenHash, cookieHash, clientId }: Stale): Stamped[] {
  return [
    ...(userId === undefined ? [] : (['users'] as const)),
    ...(orgId === undefined ? [] : (['organizations'] as const)),
    ...(sessionId === undefined && cookieHash === undefined ? [] : (['sessions'] as const)),
    ...(tokenHash === undefined ? [] : (['tokens'] as const)),
    ...(clientId === undefined ? [] : (['services'] as const)),
  ]
}

async function readSession(db: Db, id: string): Promise<SessionState | null> {
  const { sessions: table } = credentialTables(db)
  const { id: own, userId, orgId, boundOrgId, revokedAtMs, expiresAtMs, lastUsedAtMs } = table
  const columns = { id: own, userId, orgId, boundOrgId, revokedAtMs, expiresAtMs, lastUsedAtMs }
  return (await db.select(columns).from(table).where(eq(table.id, id)))[0] ?? null
}

async function readProof(db: Db, sessionId: string, orgId: string): Promise<SessionProof | null> {
  const { sessionProofs: table } = credentialTables(db)
  const isIt = and(eq(table.sessionId, sessionId), eq(table.orgId, orgId))
  return (await db.select().from(table).where(isIt))[0] ?? null
}

async function readPersonalToken(db: Db, hash: string): Promise<PersonalToken | null> {
  const { personalAccessTokens: table } = credentialTables(db)
  return (await db.select().from(table).where(eq(table.tokenHash, hash)))[0] ?? null
}

async function readScimToken(db: Db, hash: string): Promise<ScimTokenRow | null> {
  const { scimTokens: table } = provisioningTables(db)
  return (await db.select().from(table).where(eq(table.tokenHash, hash)))[0] ?? null
}

async function readService(db: Db, clientId: string): Promise<ServicePrincipal | null> {
  const { servicePrincipals: table } = identityTables(db)
  return (await db.select().from(table).where(eq(table.clientId, clientId)))[0] ?? null
}

async function readSlug(db: Db, slug: string): Promise<{ readonly id: string } | null> {
  const { organizations: table } = identityTables(db)
  return (await db.select({ id: table.id }).from(table).where(eq(table.slug, slug)))[0] ?? null
}

async function readCookie(db: Db, hash: string): Promise<CookieState | null> {
  const { sessions } = credentialTables(db)
  const whose = { sessionId: sessions.id, userId: sessions.userId }
  const [present] = await db.select(whose).from(sessions).where(eq(sessions.cookieHash, hash))
  if (present !== undefined) return { ...present, goodUntilMs: null }
  const [before] = await db
    .select({ ...whose, givenAtMs: sessions.cookieGivenAtMs })
    .from(sessions)
    .where(eq(sessions.prevCookieHash, hash))
  if (before === undefined) return null
  const { givenAtMs, ...session } = before
  return { ...session, goodUntilMs: (givenAtMs ?? 0) + GRACE_MS }
}

async function readAccount(db: Db, userId: string): Promise<Account | null> {
  const { users } = identityTables(db)
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      isActive: users.isActive,
      mustChangePassword: users.mustChangePassword,
      tokenVersion: users.tokenVersion,
    })
    .from(users)
    .where(eq(users.id, userId))
  return user === undefined ? null : { ...user, isSuperAdmin: await isSuperAdmin(db, userId) }
}

/** True for an active holder of Super Admin in the system organization. */
export async function isSuperAdmin(db: Db, userId: string): Promise<boolean> {
  const { memberships, roles, roleAssignments } = identityTables(db)
  const held = await db
    .select({ level: roles.grantsLevel })
    .from(roleAssignments)
    .innerJoin(roles, eq(roles.id, roleAssignments.roleId))
    .innerJoin(
      memberships,
      and(eq(memberships.userId, roleAssignments.userId), eq(memberships.orgId, roleAssignments.orgId)),
    )
    .where(
      and(
        eq(roleAssignments.userId, userId),
        eq(roleAssignments.orgId, SYSTEM_ORG_ID),
        eq(roles.orgId, SYSTEM_ORG_ID),
        eq(roles.builtIn, true),
        eq(memberships.isActive, true),
      ),
    )
  return held.some(({ level }) => level === 'superadmin')
}
