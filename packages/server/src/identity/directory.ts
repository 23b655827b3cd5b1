/**
 * What authentication asks the database, at most 5 s old: accounts, sessions, tokens, services, organizations, standings.
 * A change drops what it made wrong, here at once, in other processes through the channel, and within 2 s through the
 * stamps, channel or not. When the database does not answer, nobody is let in (spec platform 3.7).
 */
import { and, eq } from 'drizzle-orm'
import { Refusal } from '../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { type Maybe, whenHere } from '../runtime/maybe.js'
import type { OrgSummary, Runtime } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { GRACE_MS } from './credential/grace.js'
import { credentialTables } from './credential/tables.js'
import { type FreshCache, freshCache } from './fresh-cache.js'
import { createStamps, type Stamped } from './stamps.js'
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
/** Whose session a cookie belongs to, and until when it is good; null for as long as the session. */
export interface CookieState {
  readonly sessionId: string
  readonly userId: string
  readonly goodUntilMs: number | null
}
export type SessionProof = ReturnType<typeof credentialTables>['sessionProofs']['$inferSelect']
export type PersonalToken = ReturnType<typeof credentialTables>['personalAccessTokens']['$inferSelect']
export type ServicePrincipal = ReturnType<typeof identityTables>['servicePrincipals']['$inferSelect']

/** What a change made wrong. */
export interface Stale {
  readonly userId?: string
  readonly orgId?: string
  readonly sessionId?: string
  readonly tokenHash?: string
  readonly cookieHash?: string
  readonly clientId?: string
}

/** Carries what is stale to the other processes. */
export interface StaleChannel {
  publish(stale: Stale): void
  subscribe(listener: (stale: Stale) => void): void
}

/** No promise where the answer is remembered. */
export interface Directory {
  account(userId: string): Maybe<Account | null>
  session(id: string): Maybe<SessionState | null>
  /** The session with this cookie, or with this one before its present. */
  cookie(hash: string): Maybe<CookieState | null>
  /** What opens the door of an organization that enforces its sign-on, for this session. */
  proof(sessionId: string, orgId: string): Maybe<SessionProof | null>
  personalToken(hash: string): Maybe<PersonalToken | null>
  service(clientId: string): Maybe<ServicePrincipal | null>
  /** The id of the organization with this slug. */
  slug(slug: string): Maybe<string | null>
  organization(id: string): Maybe<OrgSummary | null>
  standing(userId: string, orgId: string): Maybe<Standing | null>
  /** After a change: drops it here and tells the other processes. */
  drop(stale: Stale): void
  /** Drops it here alone: what another process changed. */
  forget(stale: Stale): void
  /** Waits for what the other processes are being told through the database. */
  settle(): Promise<void>
}

export function createDirectory(runtime: Runtime, channel?: StaleChannel): Directory {
  const options = { clock: runtime.clock, max: RECORDS_MAX, ttlMs: FRESH_MS }
  const accounts = freshCache<Account>(options)
  const sessions = freshCache<SessionState>(options)
  const cookies = freshCache<CookieState>(options)
  const proofs = freshCache<SessionProof>(options)
  const personalTokens = freshCache<PersonalToken>(options)
  const services = freshCache<ServicePrincipal>(options)
  const slugs = freshCache<{ readonly id: string }>(options)
  const organizations = freshCache<OrgSummary>(options)
  const standings = freshCache<Standing>(options)

  async function read<T>(run: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await runtime.store.system.read(run)
    } catch (cause) {
      throw new Refusal('SERVICE_UNAVAILABLE', 'who you are cannot be checked now; try again', {
        headers: { 'Retry-After': '1' },
        cause,
      })
    }
  }

  function dropHere({ userId, orgId, sessionId, tokenHash, cookieHash, clientId }: Stale): void {
    if (userId !== undefined) {
      accounts.drop(userId)
      standings.dropWhere((key) => key.startsWith(`${userId} `))
    }
    if (orgId !== undefined) {
      // A team's standing rests on its root, so every organization of the account would have to be named: drop them all.
      organizations.clear()
      standings.clear()
      slugs.clear()
    }
    if (sessionId !== undefined) {
      sessions.drop(sessionId)
      proofs.dropWhere((key) => key.startsWith(`${sessionId} `))
    }
    if (cookieHash !== undefined) cookies.drop(cookieHash)
    if (tokenHash !== undefined) personalTokens.drop(tokenHash)
    if (clientId !== undefined) services.drop(clientId)
  }
  channel?.subscribe(dropHere)

  const stamps = createStamps({
    runtime,
    onForeign(kind) {
      // A standing rests on the person, their roles and the organization.
      if (kind === 'users' || kind === 'organizations') standings.clear()
      if (kind === 'users') accounts.clear()
      if (kind === 'organizations') {
        organizations.clear()
        slugs.clear()
      }
      if (kind === 'sessions') {
        sessions.clear()
        cookies.clear()
        proofs.clear()
      }
      if (kind === 'tokens') personalTokens.clear()
      if (kind === 'services') services.clear()
    },
  })

  /** INVARIANT: nothing that is remembered is given out without it. */
  function fresh<V extends object>(
    cache: FreshCache<V>,
    key: string,
    load: (key: string) => Promise<V | null>,
  ): Maybe<V | null> {
    const looking = stamps.look()
    return looking === null ? cache.get(key, load) : looking.then(() => cache.get(key, load))
  }

  const loadAccount = (userId: string) => read((db) => readAccount(db, userId))
  const loadSession = (id: string) =>
    read(async (db) => {
      const { sessions: table } = credentialTables(db)
      const { id: own, userId, orgId, boundOrgId, revokedAtMs, expiresAtMs, lastUsedAtMs } = table
      const columns = { id: own, userId, orgId, boundOrgId, revokedAtMs, expiresAtMs, lastUsedAtMs }
      return (await db.select(columns).from(table).where(eq(table.id, id)))[0] ?? null
    })
  const loadProof = (key: string) => {
    const [sessionId = '', orgId = ''] = key.split(' ')
    return read(async (db) => {
      const { sessionProofs: table } = credentialTables(db)
      const isIt = and(eq(table.sessionId, sessionId), eq(table.orgId, orgId))
      return (await db.select().from(table).where(isIt))[0] ?? null
    })
  }
  const loadCookie = (hash: string) => read((db) => readCookie(db, hash))
  const loadPersonalToken = (hash: string) =>
    read(async (db) => {
      const { personalAccessTokens: table } = credentialTables(db)
      return (await db.select().from(table).where(eq(table.tokenHash, hash)))[0] ?? null
    })
  const loadService = (clientId: string) =>
    read(async (db) => {
      const { servicePrincipals: table } = identityTables(db)
      return (await db.select().from(table).where(eq(table.clientId, clientId)))[0] ?? null
    })
  const loadSlug = (slug: string) =>
    read(async (db) => {
      const { organizations: table } = identityTables(db)
      return (await db.select({ id: table.id }).from(table).where(eq(table.slug, slug)))[0] ?? null
    })
  const loadOrganization = (id: string) => read((db) => readOrganization(db, runtime.settings, id))
  const loadStanding = (key: string) => {
    const [userId = '', orgId = ''] = key.split(' ')
    return read((db) => readStanding(db, runtime.settings, userId, orgId))
  }

  return {
    account: (userId) => fresh(accounts, userId, loadAccount),
    session: (id) => fresh(sessions, id, loadSession),
    cookie: (hash) => fresh(cookies, hash, loadCookie),
    proof: (sessionId, orgId) =>
      whenHere(fresh(proofs, `${sessionId} ${orgId}`, loadProof), (proof) => {
        // guard: a-proof-ends-with-the-word-of-the-provider
        if (proof !== null && proof.expiresAtMs !== null && proof.expiresAtMs <= runtime.clock.now()) return null
        return proof
      }),
    personalToken: (hash) => fresh(personalTokens, hash, loadPersonalToken),
    service: (clientId) => fresh(services, clientId, loadService),
    slug: (slug) => whenHere(fresh(slugs, slug, loadSlug), (found) => found?.id ?? null),
    organization: (id) => fresh(organizations, id, loadOrganization),
    standing: (userId, orgId) => fresh(standings, `${userId} ${orgId}`, loadStanding),
    drop(stale) {
      dropHere(stale)
      channel?.publish(stale)
      stamps.changed(kindsOf(stale))
    },
    forget: dropHere,
    settle: () => stamps.settle(),
  }
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
