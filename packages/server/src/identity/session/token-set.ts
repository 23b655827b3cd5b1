/**
 * The answer of a sign-in, a refresh and a switch of organization: a short-lived access token, the refresh token, and
 * the user and organization. In a browser the refresh token travels as an HttpOnly cookie and is not in the body. A
 * second cookie, which scripts of the site can read, has to be sent back as `x-csrf`. Source: spec platform 4.2, 4.3.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { OutcomeHeaders, Principal, RequestInfo, Runtime } from '../../runtime/operation/context.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { goneCookie } from '../credential/session-cookie.js'
import type { credentialTables } from '../credential/tables.js'
import type { UserRow } from '../new-user.js'
import { identityOf } from '../services.js'
import type { Standing } from '../standing.js'
import type { AccessClaims } from '../token/claims.js'

export type SessionRow = ReturnType<typeof credentialTables>['sessions']['$inferSelect']

const BY_COOKIE = 'absent for a session by cookie'

export const TokenSet = strictObject({
  accessToken: Type.Optional(Type.String({ description: `The bearer token; ${BY_COOKIE}` })),
  refreshToken: Type.Optional(Type.String({ description: 'Absent in browser mode, where it is a cookie' })),
  tokenType: Type.Optional(Type.Literal('Bearer')),
  expiresIn: Type.Optional(Type.Integer({ description: `Seconds for which the bearer token is valid; ${BY_COOKIE}` })),
  refreshExpiresIn: Type.Integer({ description: 'Seconds until the session ends if it is not used' }),
  user: strictObject({
    id: Uuid,
    username: Type.String(),
    email: Type.String(),
    isEmailVerified: Type.Boolean(),
    mustChangePassword: Type.Boolean(),
  }),
  organization: nullable(
    strictObject({
      id: Uuid,
      name: Type.String(),
      slug: Type.String(),
      tier: Type.String(),
      role: nullable(Type.Enum(['owner', 'admin', 'member'])),
    }),
  ),
})
export type TokenSet = Static<typeof TokenSet>

/** The answer for a session by tokens. */
export const BearerSet = strictObject({
  ...TokenSet.properties,
  accessToken: Type.String(),
  tokenType: Type.Literal('Bearer'),
  expiresIn: Type.Integer({ description: 'Seconds for which the bearer token is valid' }),
})
export type BearerSet = Static<typeof BearerSet>

export const CookieMode = Type.Object({
  cookie: Type.Optional(Type.Enum(['1', '0'], { description: '1: the refresh token as a cookie, not in the body' })),
})

export const SignInMode = Type.Object({
  cookie: Type.Optional(
    Type.Enum(['session', '1', '0'], {
      description:
        'session: a cookie is the session and the answer holds no token, for pages of this server; 1: the refresh token as a cookie, not in the body',
    }),
  ),
})

/** The answer for a session by cookie: it has no token that a script of the page could steal. */
export function withoutTokens(set: TokenSet): TokenSet {
  const { accessToken: _a, refreshToken: _r, tokenType: _t, expiresIn: _e, ...data } = set
  return data
}

export interface TokenSetParts {
  readonly user: UserRow
  /** Null for a person who belongs to no organization now. */
  readonly standing: Standing | null
  readonly session: SessionRow
  readonly refreshToken: string
}

export async function makeTokenSet(runtime: Runtime, parts: TokenSetParts): Promise<BearerSet> {
  const { user, standing, session, refreshToken } = parts
  const nowMs = runtime.clock.now()
  const expiresIn = accessSeconds(runtime, standing)
  const accessToken = await identityOf({ runtime }).tokens.sign('access', accessClaims(parts), expiresIn)
  return {
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn,
    refreshExpiresIn: Math.max(0, Math.floor((sessionEndMs(runtime, session) - nowMs) / 1000)),
    user: {
      id: user.id,
      username: user.username,
      email: user.email,
      isEmailVerified: user.emailVerifiedAtMs !== null,
      mustChangePassword: user.mustChangePassword,
    },
    organization: standing && {
      id: standing.org.id,
      name: standing.org.name,
      slug: standing.org.slug,
      tier: standing.org.tier,
      role: standing.role,
    },
  }
}

/** When the session ends unless it is used again. */
export const sessionEndMs = (
  { settings }: Runtime,
  session: Pick<SessionRow, 'expiresAtMs' | 'lastUsedAtMs'>,
): number => Math.min(session.expiresAtMs, session.lastUsedAtMs + settings.REFRESH_TOKEN_IDLE * 1000)

function accessSeconds({ settings }: Runtime, standing: Standing | null): number {
  const tier = standing?.org.tier.toUpperCase() as Uppercase<'developer' | 'pro' | 'team' | 'enterprise' | 'unlimited'>
  return (standing === null ? null : settings[`JWT_EXPIRES_IN_${tier}`]) ?? settings.JWT_EXPIRES_IN
}

function accessClaims({ user, standing, session }: TokenSetParts): AccessClaims {
  const claims: AccessClaims = {
    sub: user.id,
    typ: 'access',
    sid: session.id,
    tv: user.tokenVersion,
    amr: session.methods,
    auth_time: Math.floor(session.authenticatedAtMs / 1000),
  }
  if (standing === null) return claims
  const { org, role } = standing
  const isSuperAdmin = standing.isSuperAdmin && session.boundOrgId === null
  const { permissions } = session.boundOrgId === null ? standing : standing.asMember
  return {
    ...claims,
    org: org.id,
    orgSlug: org.slug,
    ...(org.parentOrgId === null ? {} : { root: org.rootOrgId }),
    ...(role === null ? {} : { role }),
    tier: org.tier,
    features: [...org.features],
    permissions: [...permissions],
    ...(isSuperAdmin ? { sa: true } : {}),
  }
}

const REFRESH_COOKIE = 'plumbline_refresh'
const CSRF_COOKIE = 'plumbline_csrf'

/** The data and the headers of an answer, with the refresh token in the body or in a cookie. */
export function answerTokens(
  { runtime }: { readonly runtime: Runtime },
  set: BearerSet,
  useCookie: boolean,
): { readonly data: BearerSet; readonly headers: OutcomeHeaders } {
  if (!useCookie || set.refreshToken === undefined) return { data: set, headers: {} }
  const { refreshToken, ...data } = set
  const end = `Max-Age=${set.refreshExpiresIn}; Secure; SameSite=Lax`
  return {
    data,
    headers: {
      'set-cookie': [
        `${REFRESH_COOKIE}=${refreshToken}; Path=${cookiePath(runtime)}; HttpOnly; ${end}`,
        `${CSRF_COOKIE}=${csrfToken(refreshToken)}; Path=/; ${end}`,
      ],
    },
  }
}

/** Headers that delete the cookies; empty for a client that sent none. */
export function forgetCookies(runtime: Runtime, request: RequestInfo, principal: Principal): OutcomeHeaders {
  const gone = 'Max-Age=0; Secure; SameSite=Lax'
  const cookies = [
    ...(cookieOf(request, REFRESH_COOKIE) === null
      ? []
      : [`${REFRESH_COOKIE}=; Path=${cookiePath(runtime)}; HttpOnly; ${gone}`, `${CSRF_COOKIE}=; Path=/; ${gone}`]),
    ...(principal.kind === 'user' && principal.cookieName !== undefined ? [goneCookie(principal.cookieName)] : []),
  ]
  return cookies.length === 0 ? {} : { 'set-cookie': cookies }
}

const cookiePath = ({ settings }: Runtime): string => `${settings.BASE_PATH}/auth`

/** Bound to the refresh token, so that a planted cookie does not match. */
const csrfToken = (refreshToken: string): string =>
  createHmac('sha256', refreshToken).update('plumbline csrf').digest('base64url')

/**
 * The refresh token of the cookie, when the request proves that it comes from the site: `x-csrf`, the readable cookie
 * and the refresh token match. Null without a cookie; `forged` when the proof is missing or wrong.
 */
export function refreshCookie(request: RequestInfo): string | 'forged' | null {
  const token = cookieOf(request, REFRESH_COOKIE)
  if (token === null || token === '') return null
  const expected = csrfToken(token)
  const isProved = [request.headers?.get('x-csrf') ?? '', cookieOf(request, CSRF_COOKIE) ?? ''].every((sent) =>
    sameText(sent, expected),
  )
  return isProved ? token : 'forged'
}

function sameText(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function cookieOf(request: RequestInfo, name: string): string | null {
  for (const pair of (request.headers?.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}
