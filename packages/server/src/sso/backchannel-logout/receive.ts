/**
 * Back-channel logout: the provider reports that a person signed out there, so the sessions that it opened for them end
 * here.
 */
import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { endVouched } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { noTenant, rawCommand } from '../../runtime/operation/operation.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { peerOf } from '../flow/begin.js'
import type { Claims } from '../oidc/judge.js'
import { SignInRefused } from '../oidc/reasons.js'
import { ssoOf } from '../services.js'
import { ssoTables } from '../tables.js'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const KEPT_MS = 900_000
const TOKEN_MAX = 16_384

export const receiveBackchannelLogout = rawCommand({
  name: 'sso.backchannel-logout.receive',
  summary: 'Receive a logout token of an identity provider (OpenID Connect Back-Channel Logout)',
  http: { method: 'post', path: '/auth/sso/:idpId/backchannel-logout' },
  access: anyone(),
  tenant: noTenant,
  audit: ['user.session.revoke'],
  silentWhen: 'no session of the person is open',
  raw: {
    bytesMax: 65_536,
    atOnceMax: 12,
    atOnceEach: { parameter: 'idpId', max: 3 },
    refusedIn: 'raw-refused',
    description: '`logout_token=<token>`',
    mediaType: 'application/x-www-form-urlencoded',
  },
  input: { path: Type.Object({ idpId: Type.String() }) },
  output: null,
  errors: ['PROVIDER_UNAVAILABLE', 'TOKEN_INVALID'],
  async prepare({ runtime, read }, { path }, { bytes }) {
    const token = new URLSearchParams(bytes.toString('utf8')).get('logout_token') ?? ''
    const provider = await read(async (db) => {
      const { identityProviders: t } = ssoTables(db)
      return (await db.select().from(t).where(eq(t.id, path.idpId)))[0]
    })
    if (provider === undefined || token === '' || token.length > TOKEN_MAX) throw invalid()
    try {
      const claims = await ssoOf(runtime).oidc.logoutClaims(peerOf(runtime, provider), token)
      return { provider, said: checked(claims) }
    } catch (error) {
      throw error instanceof SignInRefused ? invalid() : error
    }
  },
  async run(context, _input, { provider, said }) {
    const { tx, nowMs } = context
    const key = createHash('sha256').update(`${provider.issuer}\n${said.jti}`).digest('hex')
    const isFirst = await insertNew(tx, ssoTables(tx).logoutTokens, { key, expiresAtMs: nowMs + KEPT_MS })
    // guard: a-logout-token-is-good-once
    if (!isFirst) throw invalid()
    // Ends the provider's session if the token names one, else every session of the person.
    const named = said.sid === null ? { subject: said.sub ?? '' } : { sid: said.sid }
    const { sessionIds, provedSessionIds } = await endVouched(context, provider.id, named)
    // A sign-in that waits for its program or for a mailbox would open a session after the logout.
    const { authGrants: t } = ssoTables(tx)
    const isNamed = said.sid === null ? eq(t.subject, said.sub ?? '') : eq(t.sid, said.sid)
    // guard: what-waits-ends-with-the-session-at-the-provider
    await tx.delete(t).where(and(eq(t.providerId, provider.id), isNamed))
    const about = { orgId: provider.orgId, targetType: 'session' }
    for (const targetId of sessionIds) await context.audit('user.session.revoke', { ...about, targetId })
    for (const targetId of provedSessionIds) {
      const details = { reason: 'its proof by the identity provider ended; the session goes on elsewhere' }
      await context.audit('user.session.revoke', { ...about, targetId, details })
    }
    return sessionIds.length + provedSessionIds.length === 0 ? unchanged(null) : changed(null)
  },
})

interface Said {
  readonly jti: string
  readonly sub: string | null
  readonly sid: string | null
}

/** @throws SignInRefused */
function checked({ events, nonce, jti, sub, sid }: Claims): Said {
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
  // guard: a-token-of-a-sign-in-is-none-of-a-logout
  if (!isLogout || nonce !== undefined) throw new SignInRefused('token')
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value !== '' && value.length <= 255 ? value : null
  const said = { jti: text(jti) ?? '', sub: text(sub), sid: text(sid) }
  if (said.jti === '' || (said.sub === null && said.sid === null)) throw new SignInRefused('token')
  return said
}

const invalid = (): Refusal => new Refusal('TOKEN_INVALID', 'this is not a logout token for this provider')
