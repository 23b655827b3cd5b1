/** The person's live sessions, most recently used first. */
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { signedIn } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { ofBound } from '../confined-session.js'
import { credentialTables } from '../credential/tables.js'

export const listSessions = query({
  name: 'identity.session.list',
  summary: 'List your sessions',
  http: { method: 'get', path: '/auth/sessions' },
  access: signedIn(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    sessions: Type.Array(
      strictObject({
        id: Uuid,
        createdAt: Instant,
        lastUsedAt: Instant,
        ip: nullable(Type.String()),
        userAgent: nullable(Type.String()),
        current: Type.Boolean(),
      }),
    ),
  }),
  errors: [],
  async run({ db, principal, runtime, nowMs }) {
    const { userId, sessionId } = sessionOf(principal)
    const { sessions } = credentialTables(db)
    const idleSince = nowMs - runtime.settings.REFRESH_TOKEN_IDLE * 1000
    const rows = await db
      .select()
      .from(sessions)
      .where(
        and(
          eq(sessions.userId, userId),
          ofBound(sessions.boundOrgId, principal),
          isNull(sessions.revokedAtMs),
          gt(sessions.expiresAtMs, nowMs),
          gt(sessions.lastUsedAtMs, idleSince),
        ),
      )
      .orderBy(desc(sessions.lastUsedAtMs), desc(sessions.id))
    return {
      sessions: rows.map(({ id, createdAtMs, lastUsedAtMs, ip, userAgent }) => ({
        id,
        createdAt: toIso(createdAtMs),
        lastUsedAt: toIso(lastUsedAtMs),
        ip,
        userAgent,
        current: id === sessionId,
      })),
    }
  },
})
