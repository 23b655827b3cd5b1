/**
 * Issues a short-lived access token to a service principal (OAuth 2.0 client credentials). After a rotation, the
 * previous secret stays valid for a while. Source: spec platform 4.3, 4.8.
 */
import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, invalidField, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { type RequestInfo, unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { tokenHash } from '../credential/opaque-token.js'
import type { ServicePrincipal } from '../directory.js'
import { identityOf } from '../services.js'
import { readOrganization } from '../standing.js'
import { identityTables } from '../tables.js'

export const SERVICE_TOKEN_SECONDS = 300
const USE_MARK_MS = 60_000

const wrongClient = (): Refusal =>
  new Refusal('UNAUTHORIZED', 'the client id or the client secret is wrong', {
    headers: { 'WWW-Authenticate': 'Basic realm="plumbline"' },
  })

export const clientCredentials = command({
  name: 'identity.auth.client-credentials',
  summary: 'Exchange client credentials for a short access token',
  http: { method: 'post', path: '/auth/token' },
  access: anyone(),
  tenant: noTenant,
  secretOutput: true,
  audit: none('the token is valid for 300 s; the creation of its credential is recorded'),
  input: {
    body: strictObject({
      grant_type: Type.Literal('client_credentials'),
      clientId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'In the body, or by HTTP Basic' }),
      ),
      clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      scope: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'Scopes, separated by spaces; all of its scopes when absent',
        }),
      ),
    }),
  },
  output: strictObject({
    accessToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer(),
    scope: Type.String(),
  }),
  errors: ['UNAUTHORIZED', 'INSUFFICIENT_PERMISSIONS'],
  async run(context, { body }) {
    const { tx, nowMs, runtime } = context
    const { clientId, clientSecret } = basicAuth(context.request) ?? body
    if (clientId === undefined)
      throw invalidField('/body/clientId', 'is required, in the body or by HTTP Basic', 'required')
    if (clientSecret === undefined) {
      throw invalidField('/body/clientSecret', 'is required, in the body or by HTTP Basic', 'required')
    }
    // A NUL is an error of PostgreSQL, and HTTP Basic can carry one.
    if (clientId.includes('\0')) throw wrongClient()
    const { servicePrincipals: table } = identityTables(tx)
    const [record] = await tx.select().from(table).where(eq(table.clientId, clientId))
    if (record === undefined || !isGood(record, clientSecret, nowMs)) throw wrongClient()
    if (record.orgId !== null && (await readOrganization(tx, runtime.settings, record.orgId)) === null)
      throw wrongClient()
    const scope = body.scope === undefined ? record.scopes : [...new Set(body.scope.trim().split(/\s+/))]
    const missing = scope.filter((name) => !record.scopes.includes(name))
    if (missing.length > 0) {
      throw insufficient('scope', `the service principal does not have ${missing.join(', ')}`, { scope: missing[0] })
    }
    const isOld = or(isNull(table.lastUsedAtMs), lt(table.lastUsedAtMs, nowMs - USE_MARK_MS))
    await tx
      .update(table)
      .set({ lastUsedAtMs: nowMs })
      .where(and(eq(table.id, record.id), isOld))
    const accessToken = await identityOf(context).tokens.sign(
      'access',
      {
        sub: `service:${record.clientId}`,
        typ: 'access',
        ...(record.orgId === null ? {} : { org: record.orgId }),
        scope,
      },
      SERVICE_TOKEN_SECONDS,
    )
    return unchanged({
      accessToken,
      tokenType: 'Bearer' as const,
      expiresIn: SERVICE_TOKEN_SECONDS,
      scope: scope.join(' '),
    })
  },
})

/** Whether the secret is a valid one of this service principal. */
export function isGood(record: ServicePrincipal, secret: string, nowMs: number): boolean {
  const hash = tokenHash(secret)
  const isPresent = sameHash(hash, record.secretHash)
  const isPrevious =
    record.previousSecretHash !== null &&
    (record.previousUntilMs ?? 0) > nowMs &&
    sameHash(hash, record.previousSecretHash)
  // guard: the-secret-of-a-service
  // guard: a-disabled-service
  return (isPresent || isPrevious) && record.disabledAtMs === null && record.expiresAtMs > nowMs
}

const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function basicAuth({ headers }: RequestInfo): { readonly clientId: string; readonly clientSecret: string } | null {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers?.get('authorization') ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return null
  // RFC 6749, 2.3.1: both parts are form-encoded. Our values need no encoding, but standard clients encode them anyway.
  try {
    return {
      clientId: decodeURIComponent(text.slice(0, colon)),
      clientSecret: decodeURIComponent(text.slice(colon + 1)),
    }
  } catch {
    return null
  }
}
