/** Opens a session for a person who has proved who they are. */
import { and, asc, eq } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import type { RequestInfo, Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { newRefreshToken, tokenHash } from '../credential/opaque-token.js'
import { credentialTables } from '../credential/tables.js'
import type { UserRow } from '../new-user.js'
import { readStanding, type Standing } from '../standing.js'
import { identityTables } from '../tables.js'
import type { SessionRow, TokenSetParts } from './token-set.js'

const USER_AGENT_MAX = 300

export interface NewSession {
  readonly user: UserRow
  readonly standing: Standing | null
  /** How the person proved who they are: `pwd`, `otp`. */
  readonly methods: readonly string[]
  /** The identity provider that vouches for the session, and confines it. */
  readonly by?: Voucher & { readonly orgId: string }
}

/** What a provider vouches for: its name for the person, its own session, and how long the proof is valid. */
export interface Voucher {
  readonly providerId: string
  readonly subject: string
  readonly sid: string | null
  readonly hours: number
}

export async function openSession(
  tx: Tx,
  runtime: Runtime,
  request: RequestInfo,
  { user, standing, methods, by }: NewSession,
): Promise<TokenSetParts> {
  const nowMs = runtime.clock.now()
  const refreshToken = newRefreshToken()
  const session: SessionRow = {
    id: runtime.ids.next(),
    userId: user.id,
    orgId: standing?.org.id ?? null,
    refreshHash: tokenHash(refreshToken),
    prevHash: null,
    successor: null,
    rotatedAtMs: null,
    cookieHash: null,
    prevCookieHash: null,
    cookieGivenAtMs: null,
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
    expiresAtMs: nowMs + Math.min(runtime.settings.REFRESH_TOKEN_EXPIRES_IN * 1000, (by?.hours ?? Infinity) * HOUR_MS),
    authenticatedAtMs: nowMs,
    methods: [...methods],
    boundOrgId: by?.orgId ?? null,
    providerId: by?.providerId ?? null,
    providerSubject: by?.subject ?? null,
    providerSid: by?.sid ?? null,
    ip: request.ip,
    userAgent: request.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    revokedAtMs: null,
  }
  await tx.insert(credentialTables(tx).sessions).values(session)
  if (by !== undefined) await proveSession(tx, { sessionId: session.id, orgId: by.orgId, by, nowMs })
  return { user, standing, session, refreshToken }
}

/** Records that this session satisfies an organization's single sign-on: by a provider's proof, or by break-glass. */
export async function proveSession(
  tx: Tx,
  { sessionId, orgId, by, nowMs }: { sessionId: string; orgId: string; by: Voucher | 'break-glass'; nowMs: number },
): Promise<void> {
  const { sessionProofs: t } = credentialTables(tx)
  const voucher = by === 'break-glass' ? null : by
  const row = {
    sessionId,
    orgId,
    method: voucher === null ? 'break-glass' : 'sso',
    provedAtMs: nowMs,
    expiresAtMs: voucher === null ? null : nowMs + voucher.hours * HOUR_MS,
    providerId: voucher?.providerId ?? null,
    providerSubject: voucher?.subject ?? null,
    providerSid: voucher?.sid ?? null,
  }
  await tx
    .insert(t)
    .values(row)
    .onConflictDoUpdate({ target: [t.sessionId, t.orgId], set: row })
}

/**
 * The organization that a session starts in. One without enforced single sign-on comes before one with it. Among these,
 * the last active one is used, else the first that the person still belongs to.
 */
export async function homeStanding(db: Db, runtime: Runtime, user: UserRow): Promise<Standing | null> {
  const { settings } = runtime
  if (user.activeOrgId !== null) {
    const standing = await readStanding(db, settings, user.id, user.activeOrgId)
    if (standing !== null && standing.enforcedBy === null) return standing
  }
  const { memberships } = identityTables(db)
  const rows = await db
    .select({ orgId: memberships.orgId })
    .from(memberships)
    .where(and(eq(memberships.userId, user.id), eq(memberships.isActive, true)))
    .orderBy(asc(memberships.joinedAtMs), asc(memberships.id))
  let closed: Standing | null = null
  for (const { orgId } of rows) {
    const standing = await readStanding(db, settings, user.id, orgId)
    if (standing !== null && standing.enforcedBy === null) return standing
    closed ??= standing
  }
  return closed
}
