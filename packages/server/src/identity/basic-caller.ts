/**
 * The caller behind HTTP Basic, for clients that support only that: a personal access token under any name, or the id
 * and secret of a service principal. Passwords are not accepted.
 */
import { Refusal } from '../runtime/errors.js'
import type { Authority, Principal, Runtime } from '../runtime/operation/context.js'
import { isGood } from './auth/client-credentials.js'
import { isPersonalToken, SERVICE_SECRET_PREFIX } from './credential/opaque-token.js'
import { identityOf } from './services.js'

export interface BasicCaller {
  /** The subject as it appears in tokens and logs. */
  readonly subject: string
  /** The key by which rate limits count the requests of the credential's owner. */
  readonly countedBy: string
  /** The one organization that the credential is bound to. */
  readonly orgId: string
  /** The authority in an organization at this instant; null without access. */
  authorityIn(orgId: string): Promise<Authority | null>
}

/** @returns null for a credential that is missing, wrong, revoked or expired. */
export async function basicCaller(runtime: Runtime, authorization: string | null): Promise<BasicCaller | null> {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  const [name, secret] = [text.slice(0, colon), text.slice(colon + 1)]
  const principal = await principalOf(runtime, name, secret)
  if (principal === null || principal.kind === 'anonymous' || principal.boundOrgId === null) return null
  const { authenticator } = identityOf({ runtime })
  return {
    subject: principal.kind === 'user' ? principal.userId : `service:${principal.clientId}`,
    countedBy: principal.kind === 'user' ? `user:${principal.userId}` : `service:${principal.clientId}`,
    orgId: principal.boundOrgId,
    async authorityIn(orgId) {
      try {
        return await authenticator.authority(principal, 'path', orgId, null)
      } catch (error) {
        if (error instanceof Refusal && error.code === 'NOT_FOUND') return null
        throw error
      }
    },
  }
}

async function principalOf(runtime: Runtime, name: string, secret: string): Promise<Principal | null> {
  const { authenticator, directory } = identityOf({ runtime })
  // The form first: Basic carries any character, and the header that is made of the token does not.
  if (isPersonalToken(secret)) {
    try {
      return await authenticator.authenticate(new Headers({ authorization: `Bearer ${secret}` }), 'GET')
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null
      throw error
    }
  }
  // A NUL is an error of PostgreSQL.
  if (!secret.startsWith(SERVICE_SECRET_PREFIX) || name.includes('\0')) return null
  const record = await directory.service(name)
  if (record === null || !isGood(record, secret, runtime.clock.now())) return null
  return {
    kind: 'service',
    clientId: record.clientId,
    scopes: record.scopes as Extract<Principal, { kind: 'service' }>['scopes'],
    boundOrgId: record.orgId,
    includeTeams: record.includeTeams,
  }
}
