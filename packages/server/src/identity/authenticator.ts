/**
 * Who sent a request: a signed access token of a session, of a service or of an impersonation, or a personal access token.
 * A token proves only who; that the session, account or record behind it is still good is asked of the directory for each
 * request, at most 5 s old. A refresh token, a service secret and a token for another purpose are never accepted.
 */
import { insufficient, Refusal } from '../runtime/errors.js'
import type { Authenticator } from '../runtime/http/authenticator.js'
import { ORG_SCOPES, PERMISSIONS, type Permission, type Scope, SYSTEM_SCOPES } from '../runtime/operation/access.js'
import type { Principal, Runtime } from '../runtime/operation/context.js'
import { authorityOf } from './authority.js'
import {
  isPersonalToken,
  PERSONAL_PREFIX,
  REFRESH_PREFIX,
  SERVICE_SECRET_PREFIX,
  tokenHash,
} from './credential/opaque-token.js'
import type { Directory } from './directory.js'
import { confirmStepUp } from './step-up/confirm.js'
import type { AccessClaims } from './token/claims.js'
import type { Tokens } from './token/tokens.js'

const ANONYMOUS: Principal = { kind: 'anonymous' }
const BEARER = /^Bearer +([^\s,]+)$/i
const SERVICE_SUBJECT = 'service:'

const bad = (code: 'TOKEN_INVALID' | 'TOKEN_REVOKED' | 'TOKEN_EXPIRED', message: string): Refusal =>
  new Refusal(code, message, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } })

const revoked = (): Refusal => bad('TOKEN_REVOKED', 'the credential was revoked; sign in again')

export interface AuthenticatorParts {
  readonly runtime: Runtime
  readonly directory: Directory
  readonly tokens: Tokens
  /** Told that a personal access token was used. */
  readonly onUse: (tokenId: string) => void
}

export function createAuthenticator({ runtime, directory, tokens, onUse }: AuthenticatorParts): Authenticator {
  async function ofJwt(token: string): Promise<Principal> {
    const claims = await tokens.verify('access', token)
    return claims.sub.startsWith(SERVICE_SUBJECT) ? ofService(claims) : ofUser(claims)
  }

  async function ofUser(claims: AccessClaims): Promise<Principal> {
    const { sub: userId, sid, tv, imp } = claims
    if (sid === undefined || tv === undefined) throw bad('TOKEN_INVALID', 'the token is not one of this server')
    const account = await current(userId, tv)
    const session = await directory.session(sid)
    const isEnded = session === null || session.revokedAtMs !== null || session.expiresAtMs <= runtime.clock.now()
    // An impersonation hangs on the session of the one who acts, and on their being a system administrator still.
    if (isEnded || session.userId !== (imp ?? userId)) throw revoked()
    if (imp !== undefined) {
      const impersonator = await directory.account(imp)
      if (!impersonator?.isActive || !impersonator.isSuperAdmin || account.isSuperAdmin) throw revoked()
    }
    return {
      kind: 'user',
      userId,
      sessionId: imp === undefined ? sid : null,
      tokenId: null,
      boundOrgId: null,
      permissions: null,
      impersonatorId: imp ?? null,
      readOnly: claims.ro ?? false,
      mustChangePassword: imp === undefined && account.mustChangePassword,
      activeOrgId: claims.org ?? null,
    }
  }

  /** The account, while it is active and the token was made after its last change of privilege. */
  async function current(userId: string, tokenVersion: number) {
    let account = await directory.account(userId)
    if (account !== null && account.tokenVersion < tokenVersion) {
      // Another process changed it and made the token; what is kept here is older.
      directory.forget({ userId })
      account = await directory.account(userId)
    }
    if (!account?.isActive || account.tokenVersion !== tokenVersion) throw revoked()
    return account
  }

  async function ofService(claims: AccessClaims): Promise<Principal> {
    const clientId = claims.sub.slice(SERVICE_SUBJECT.length)
    const record = await directory.service(clientId)
    if (record === null || record.disabledAtMs !== null || record.expiresAtMs <= runtime.clock.now()) throw revoked()
    const asked = claims.scope ?? []
    return {
      kind: 'service',
      clientId,
      scopes: record.scopes.filter((name): name is Scope => isScope(name) && asked.includes(name)),
      boundOrgId: record.orgId,
      includeTeams: record.includeTeams,
    }
  }

  async function ofPersonalToken(token: string): Promise<Principal> {
    const record = isPersonalToken(token) ? await directory.personalToken(tokenHash(token)) : null
    if (record === null) throw bad('TOKEN_INVALID', 'the personal access token is not one of this server')
    if (record.revokedAtMs !== null) throw revoked()
    if (record.expiresAtMs <= runtime.clock.now()) throw bad('TOKEN_EXPIRED', 'the personal access token has expired')
    const account = await directory.account(record.userId)
    if (!account?.isActive) throw revoked()
    onUse(record.id)
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

  return {
    async authenticate(headers) {
      const header = headers.get('authorization')
      if (header === null) return ANONYMOUS
      const [, token] = BEARER.exec(header) ?? []
      if (token === undefined) throw bad('TOKEN_INVALID', 'send one `Authorization: Bearer <token>`')
      if (token.startsWith(PERSONAL_PREFIX)) return ofPersonalToken(token)
      if (token.startsWith(REFRESH_PREFIX) || token.startsWith(SERVICE_SECRET_PREFIX)) {
        throw bad('TOKEN_INVALID', 'this is no access token: exchange it for one first')
      }
      return ofJwt(token)
    },
    authority: (principal, source, wanted, header = null) => authorityOf(directory, principal, source, wanted, header),
    async actor(principal, authority) {
      if (principal.kind === 'anonymous') return { id: 'anonymous', email: null, role: null, impersonatorId: null }
      if (principal.kind === 'service') {
        const record = await directory.service(principal.clientId)
        return {
          id: `service:${record?.name ?? principal.clientId}`,
          email: null,
          role: 'service',
          impersonatorId: null,
        }
      }
      const account = await directory.account(principal.userId)
      return {
        id: principal.userId,
        email: account?.email ?? null,
        role: authority.isSuperAdmin ? 'superadmin' : authority.role,
        impersonatorId: principal.impersonatorId,
      }
    },
    async stepUp(principal, token, operationName) {
      await confirmStepUp({ runtime, tokens }, principal, token, operationName)
    },
  }
}

const isPermission = (name: string): name is Permission => (PERMISSIONS as readonly string[]).includes(name)
const isScope = (name: string): name is Scope => ([...ORG_SCOPES, ...SYSTEM_SCOPES] as readonly string[]).includes(name)

/**
 * The session of the caller, for what a credential made for machines may not do: change credentials, sign out, switch.
 * @throws Refusal 403 for a personal access token, a service principal and an impersonation.
 */
export function sessionOf(principal: Principal): { readonly userId: string; readonly sessionId: string } {
  if (principal.kind !== 'user' || principal.sessionId === null) {
    throw insufficient(
      'permission',
      'this needs a sign-in: a personal access token or an impersonation can not do it',
      {
        required: [],
        mode: 'all',
      },
    )
  }
  return { userId: principal.userId, sessionId: principal.sessionId }
}
