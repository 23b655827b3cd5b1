/**
 * Finds who sent a request: by the signed access token of a session, a service or an impersonation, or by a personal
 * access token. A token proves only the identity. For each request the directory answers whether the session, account
 * or record behind the token is still valid; that answer is at most 5 s old. A refresh token, a service secret and a
 * token for another purpose are never accepted.
 */
import { Refusal } from '../runtime/errors.js'
import type { Authenticator } from '../runtime/http/authenticator.js'
import type { SentHeaders } from '../runtime/http/sent-headers.js'
import { type Maybe, whenHere } from '../runtime/maybe.js'
import {
  ORG_SCOPES,
  PERMISSIONS,
  type Permission,
  type Scope,
  SYSTEM_SCOPES,
  TOKEN_SCOPES,
} from '../runtime/operation/access.js'
import type { ActorRecord, Authority, Principal, Runtime } from '../runtime/operation/context.js'
import { notOfAccount } from '../runtime/operation/session-kind.js'
import { authorityOf } from './authority.js'
import {
  isPersonalToken,
  isScimToken,
  isSessionCookie,
  PERSONAL_PREFIX,
  REFRESH_PREFIX,
  SCIM_PREFIX,
  SERVICE_SECRET_PREFIX,
  tokenHash,
} from './credential/opaque-token.js'
import { goneCookie, type PresentedCookie, presentedCookie } from './credential/session-cookie.js'
import type { Account, Directory, SessionState } from './directory.js'
import type { AccessClaims } from './token/claims.js'
import { confirmStepUp } from './token/confirm-step-up.js'
import type { Tokens } from './token/tokens.js'

const ANONYMOUS: Principal = { kind: 'anonymous' }
const NOBODY: ActorRecord = { id: 'anonymous', email: null, role: null, impersonatorId: null }
const BEARER = /^Bearer +/i
const SERVICE_SUBJECT = 'service:'
/** Prefix of a subject that is a directory (SCIM client); the token's id follows. */
export const DIRECTORY = 'scim:'

const bad = (code: 'TOKEN_INVALID' | 'TOKEN_REVOKED' | 'TOKEN_EXPIRED', message: string): Refusal =>
  new Refusal(code, message, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })

/** The session has ended, so the answer deletes the cookie in the browser. */
const deadCookie = ({ name }: PresentedCookie): Refusal =>
  new Refusal('TOKEN_REVOKED', 'the session has ended; sign in again', { headers: { 'set-cookie': goneCookie(name) } })

const revoked = (): Refusal => bad('TOKEN_REVOKED', 'the credential was revoked; sign in again')

export interface AuthenticatorParts {
  readonly runtime: Runtime
  readonly directory: Directory
  readonly tokens: Tokens
  /** Called when a personal access token was used. */
  readonly onUse: (tokenId: string) => void
  /** Called when the token of a directory was used. */
  readonly onScimUse: (tokenId: string) => void
  /** Called when a session was used by its cookie. */
  readonly onSessionUse: (sessionId: string) => void
}

class RequestAuthenticator implements Authenticator {
  readonly #parts: AuthenticatorParts

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts
  }

  #ofJwt(token: string): Maybe<Principal> {
    return whenHere(this.#parts.tokens.verifyAccess(token), (claims) =>
      claims.sub.startsWith(SERVICE_SUBJECT) ? this.#ofService(claims) : this.#ofUser(claims),
    )
  }

  #ofUser(claims: AccessClaims): Maybe<Principal> {
    const { sub: userId, sid, tv, imp } = claims
    if (sid === undefined || tv === undefined)
      throw bad('TOKEN_INVALID', 'the token is malformed or was not issued by this server: sign in again')
    if (imp !== undefined) return this.#ofImpersonation(claims, sid, tv, imp)
    const account = this.#current(userId, tv)
    const session = this.#parts.directory.session(sid)
    if (account instanceof Promise || session instanceof Promise) {
      return Promise.all([account, session]).then(([itsAccount, itsSession]) =>
        this.#personOf(claims, itsAccount, sid, itsSession),
      )
    }
    return this.#personOf(claims, account, sid, session)
  }

  #personOf(claims: AccessClaims, account: Account, sid: string, session: SessionState | null): Principal {
    if (!this.#isOpen(session, claims.sub)) throw revoked()
    return {
      kind: 'user',
      userId: claims.sub,
      sessionId: sid,
      tokenId: null,
      boundOrgId: session?.boundOrgId ?? null,
      permissions: null,
      impersonatorId: null,
      readOnly: claims.ro ?? false,
      mustChangePassword: account.mustChangePassword,
      activeOrgId: claims.org ?? null,
    }
  }

  // guard: the-end-of-the-session-behind-a-token
  #isOpen(session: SessionState | null, userId: string): boolean {
    return (
      session !== null &&
      session.revokedAtMs === null &&
      session.expiresAtMs > this.#parts.runtime.clock.now() &&
      // guard: whose-session-is-behind-a-token
      session.userId === userId
    )
  }

  /** The session of a cookie, if the request may use it. An invalid cookie is deleted. */
  #ofCookie(headers: SentHeaders, method: string): Maybe<Principal> {
    const cookie = presentedCookie(this.#parts.runtime.settings, headers, method)
    if (cookie === null || cookie.value === '') return ANONYMOUS
    if (!isSessionCookie(cookie.value)) throw deadCookie(cookie)
    return whenHere(this.#parts.directory.cookie(tokenHash(cookie.value)), (found) => {
      if (found === null) throw deadCookie(cookie)
      // The browser already has a newer cookie and keeps it.
      // guard: the-grace-of-the-cookie-before
      if (found.goodUntilMs !== null && found.goodUntilMs <= this.#parts.runtime.clock.now()) throw revoked()
      const account = this.#parts.directory.account(found.userId)
      const session = this.#parts.directory.session(found.sessionId)
      if (account instanceof Promise || session instanceof Promise) {
        return Promise.all([account, session]).then(([itsAccount, itsSession]) =>
          this.#personByCookie(cookie, itsAccount, itsSession),
        )
      }
      return this.#personByCookie(cookie, account, session)
    })
  }

  #personByCookie(cookie: PresentedCookie, account: Account | null, session: SessionState | null): Principal {
    if (!account?.isActive || session === null || !this.#isOpen(session, account.id)) throw deadCookie(cookie)
    const idleMs = this.#parts.runtime.settings.REFRESH_TOKEN_IDLE * 1000
    // guard: a-session-by-cookie-that-nobody-uses-ends
    if (session.lastUsedAtMs + idleMs <= this.#parts.runtime.clock.now()) throw deadCookie(cookie)
    this.#parts.onSessionUse(session.id)
    return {
      kind: 'user',
      userId: account.id,
      sessionId: session.id,
      cookieName: cookie.name,
      tokenId: null,
      boundOrgId: session.boundOrgId,
      permissions: null,
      impersonatorId: null,
      readOnly: false,
      mustChangePassword: account.mustChangePassword,
      activeOrgId: session.orgId,
    }
  }

  /** An impersonation is valid while the impersonator's own session is, and while they are a system administrator. */
  async #ofImpersonation(claims: AccessClaims, sid: string, tv: number, imp: string): Promise<Principal> {
    const account = await this.#current(claims.sub, tv)
    if (!this.#isOpen(await this.#parts.directory.session(sid), imp)) throw revoked()
    const impersonator = await this.#parts.directory.account(imp)
    if (!impersonator?.isActive || !impersonator.isSuperAdmin || account.isSuperAdmin) throw revoked()
    return {
      kind: 'user',
      userId: claims.sub,
      // guard: who-acts-as-another-has-no-session
      sessionId: null,
      tokenId: null,
      boundOrgId: null,
      permissions: null,
      impersonatorId: imp,
      readOnly: claims.ro ?? false,
      mustChangePassword: false,
      activeOrgId: claims.org ?? null,
    }
  }

  /** The account, if it is active and the token was issued after its last change of privilege. */
  #current(userId: string, tokenVersion: number): Maybe<Account> {
    return whenHere(this.#parts.directory.account(userId), (account) => {
      if (account === null || account.tokenVersion >= tokenVersion) return good(account, tokenVersion)
      // Another process changed the account and issued the token, so this cached account is outdated.
      this.#parts.directory.forget({ userId })
      return whenHere(this.#parts.directory.account(userId), (again) => good(again, tokenVersion))
    })
  }

  async #ofService(claims: AccessClaims): Promise<Principal> {
    const clientId = claims.sub.slice(SERVICE_SUBJECT.length)
    const record = await this.#parts.directory.service(clientId)
    if (record === null || record.disabledAtMs !== null || record.expiresAtMs <= this.#parts.runtime.clock.now())
      throw revoked()
    const asked = claims.scope ?? []
    return {
      kind: 'service',
      clientId,
      scopes: record.scopes.filter((name): name is Scope => isScope(name) && asked.includes(name)),
      boundOrgId: record.orgId,
      includeTeams: record.includeTeams,
    }
  }

  async #ofPersonalToken(token: string): Promise<Principal> {
    const record = isPersonalToken(token) ? await this.#parts.directory.personalToken(tokenHash(token)) : null
    if (record === null) throw bad('TOKEN_INVALID', 'invalid personal access token for this server')
    // guard: a-revoked-personal-token
    if (record.revokedAtMs !== null) throw revoked()
    // guard: an-expired-personal-token
    if (record.expiresAtMs <= this.#parts.runtime.clock.now())
      throw bad('TOKEN_EXPIRED', 'the personal access token has expired')
    const account = await this.#parts.directory.account(record.userId)
    if (!account?.isActive) throw revoked()
    this.#parts.onUse(record.id)
    return {
      kind: 'user',
      userId: record.userId,
      sessionId: null,
      tokenId: record.id,
      boundOrgId: record.orgId,
      permissions: record.permissions?.filter(isPermission) ?? null,
      impersonatorId: null,
      readOnly: false,
      activeOrgId: record.orgId,
    }
  }

  /** A directory acts as a machine in one organization and can only provision. */
  async #ofDirectory(token: string): Promise<Principal> {
    const record = isScimToken(token) ? await this.#parts.directory.scimToken(tokenHash(token)) : null
    // guard: a-token-of-a-directory-that-is-gone
    if (record === null) throw bad('TOKEN_INVALID', 'invalid SCIM token for this server: it may have been deleted')
    // guard: a-token-of-a-directory-that-has-expired
    if (record.expiresAtMs <= this.#parts.runtime.clock.now()) throw bad('TOKEN_EXPIRED', 'the SCIM token has expired')
    this.#parts.onScimUse(record.id)
    return {
      kind: 'service',
      clientId: `${DIRECTORY}${record.id}`,
      scopes: TOKEN_SCOPES,
      boundOrgId: record.orgId,
      includeTeams: false,
    }
  }

  authenticate(headers: SentHeaders, method: string): Maybe<Principal> {
    const header = headers.get('authorization')
    if (header === null) return this.#ofCookie(headers, method)
    const token = bearerOf(header)
    if (token === null) throw bad('TOKEN_INVALID', 'send one `Authorization: Bearer <token>`')
    if (token.startsWith(SCIM_PREFIX)) return this.#ofDirectory(token)
    if (token.startsWith(PERSONAL_PREFIX)) return this.#ofPersonalToken(token)
    if (token.startsWith(REFRESH_PREFIX) || token.startsWith(SERVICE_SECRET_PREFIX)) {
      throw bad('TOKEN_INVALID', 'this is not an access token: exchange it for one first')
    }
    return this.#ofJwt(token)
  }

  authority(...[principal, source, wanted, header = null]: Parameters<Authenticator['authority']>) {
    return authorityOf(this.#parts.directory, principal, source, wanted, header)
  }

  actor(principal: Principal, authority: Authority): Maybe<ActorRecord> {
    const { directory } = this.#parts
    if (principal.kind === 'anonymous') return NOBODY
    if (principal.kind === 'service') {
      const { clientId } = principal
      return whenHere(directory.service(clientId), (record) => ({
        id: `service:${record?.name ?? clientId}`,
        email: null,
        role: 'service',
        impersonatorId: null,
      }))
    }
    return whenHere(directory.account(principal.userId), (account) => ({
      id: principal.userId,
      email: account?.email ?? null,
      role: authority.isSuperAdmin ? 'superadmin' : authority.role,
      impersonatorId: principal.impersonatorId,
    }))
  }

  async stepUp(principal: Principal, token: string | null, operationName: string): Promise<void> {
    await confirmStepUp(this.#parts, principal, token, operationName)
  }
}

export const createAuthenticator = (parts: AuthenticatorParts): Authenticator => new RequestAuthenticator(parts)

function good(account: Account | null, tokenVersion: number): Account {
  // guard: the-version-of-the-account
  if (!account?.isActive || account.tokenVersion !== tokenVersion) throw revoked()
  return account
}

/** Null unless the header has exactly one credential: a comma joins the values of a header that was sent twice. */
function bearerOf(header: string): string | null {
  const scheme = BEARER.exec(header)?.[0]
  if (scheme === undefined) return null
  const token = header.slice(scheme.length)
  return token === '' || token.includes(',') || token.includes(' ') || token.includes('\t') ? null : token
}

const isPermission = (name: string): name is Permission => (PERMISSIONS as readonly string[]).includes(name)
const isScope = (name: string): name is Scope => ([...ORG_SCOPES, ...SYSTEM_SCOPES] as readonly string[]).includes(name)

/**
 * The session of the caller, for actions that a credential made for machines may not take: change credentials, sign
 * out, switch organization.
 * @throws Refusal 403 for a personal access token, a service principal and an impersonation.
 */
export function sessionOf(principal: Principal): { readonly userId: string; readonly sessionId: string } {
  // guard: no-password-change-without-a-sign-in
  if (principal.kind !== 'user' || principal.sessionId === null) {
    throw notOfAccount(principal)
  }
  return { userId: principal.userId, sessionId: principal.sessionId }
}
