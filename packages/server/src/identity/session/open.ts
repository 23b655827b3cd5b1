/** Opens a session for somebody who has proved who they are. */
import { and, asc, eq } from 'drizzle-orm'
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
}

export async function openSession(
  tx: Tx,
  runtime: Runtime,
  request: RequestInfo,
  { user, standing, methods }: NewSession,
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
    expiresAtMs: nowMs + runtime.settings.REFRESH_TOKEN_EXPIRES_IN * 1000,
    authenticatedAtMs: nowMs,
    methods: [...methods],
    ip: request.ip,
    userAgent: request.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    revokedAtMs: null,
  }
  await tx.insert(credentialTables(tx).sessions).values(session)
  return { user, standing, session, refreshToken }
}

/** The organization to begin in: the one that was last active, else the first that the person still belongs to. */
export async function homeStanding(db: Db, runtime: Runtime, user: UserRow): Promise<Standing | null> {
  const { settings } = runtime
  if (user.activeOrgId !== null) {
    const standing = await readStanding(db, settings, user.id, user.activeOrgId)
    if (standing !== null) return standing
  }
  const { memberships } = identityTables(db)
  const rows = await db
    .select({ orgId: memberships.orgId })
    .from(memberships)
    .where(and(eq(memberships.userId, user.id), eq(memberships.isActive, true)))
    .orderBy(asc(memberships.joinedAtMs), asc(memberships.id))
  for (const { orgId } of rows) {
    const standing = await readStanding(db, settings, user.id, orgId)
    if (standing !== null) return standing
  }
  return null
}
