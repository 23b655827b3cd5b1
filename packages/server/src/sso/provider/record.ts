/** An identity provider as the API shows and accepts it. The client secret can be written but never read. */
import { and, asc, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { redirectUriOf } from '../paths.js'
import { type ProviderRow, ssoTables } from '../tables.js'

export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

export const onProvider = Type.Object({ id: Type.String(), idpId: Type.String() })

const line = (maxLength: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[!-~]+$',
    'x-says': 'must be visible ASCII without spaces',
    description,
  })

const Issuer = line(500, 'Address of the provider, exactly as its metadata say, such as `https://login.example.com`')
const optional = {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]*$',
      'x-says':
        'must begin with a letter or a digit and can have only letters, digits, spaces, dots, underscores and hyphens',
      description: 'Unique in the organization; `default` when left out',
    }),
  ),
  clientSecret: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
        'x-says':
          'must be the secret alone, without a line break or another control character: remove the line break that was copied with it',
        description: 'Never shown; null for a public client',
      }),
    ),
  ),
  alg: Type.Optional(choice(ALGORITHMS, { description: 'The only accepted algorithm of ID tokens; by default RS256' })),
  scopes: Type.Optional(
    Type.Array(line(100, 'A scope'), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Scopes to request besides `openid`',
    }),
  ),
  groupsClaim: Type.Optional(nullable(line(200, 'The claim that lists the groups of a person'))),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether people can sign in with it' })),
  jit: Type.Optional(Type.Boolean({ description: 'Whether a first sign-in creates an account and a membership' })),
  trustEmail: Type.Optional(
    Type.Boolean({ description: 'Whether an address counts as verified when the provider sends no `email_verified`' }),
  ),
  amr: Type.Optional(
    Type.Array(line(60, 'A method'), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Authentication methods (amr), one of which a sign-in must name',
    }),
  ),
  sessionHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720, description: 'Hours until a session ends' })),
  defaultRoleIds: Type.Optional(
    Type.Array(Uuid, {
      maxItems: 20,
      uniqueItems: true,
      description: 'Roles of people whose first sign-in uses this provider',
    }),
  ),
}

export const ProviderBody = strictObject({
  issuer: Issuer,
  clientId: line(500, 'Client id of Plumbline at the provider'),
  ...optional,
})
export type ProviderBody = Static<typeof ProviderBody>
export const ProviderChange = strictObject({
  issuer: Type.Optional(Issuer),
  clientId: Type.Optional(line(500, 'Client id of Plumbline at the provider')),
  ...optional,
})
export type ProviderChange = Static<typeof ProviderChange>

export const ProviderRecord = strictObject({
  id: Uuid,
  name: Type.String(),
  isDefault: Type.Boolean(),
  issuer: Type.String(),
  clientId: Type.String(),
  hasSecret: Type.Boolean(),
  alg: choice(ALGORITHMS),
  scopes: Type.Array(Type.String()),
  groupsClaim: nullable(Type.String()),
  enabled: Type.Boolean(),
  jit: Type.Boolean(),
  trustEmail: Type.Boolean(),
  amr: Type.Array(Type.String()),
  sessionHours: Type.Integer(),
  defaultRoleIds: Type.Array(Uuid),
  redirectUri: Type.String({ description: 'The address to enter at the provider' }),
  test: nullable(
    strictObject({
      at: Instant,
      by: Type.String(),
      isCurrent: Type.Boolean({ description: 'Whether the settings have not changed since' }),
    }),
  ),
  revision: Type.Integer({ minimum: 1 }),
  createdAt: Instant,
  updatedAt: Instant,
})

export const ProviderAnswer = strictObject({ provider: ProviderRecord })

export const ChangedProvider = strictObject({
  provider: ProviderRecord,
  warnings: Type.Array(strictObject({ code: choice(['PROVIDER_UNTESTED'] as const), message: Type.String() })),
})
export type ChangedProvider = Static<typeof ChangedProvider>

export function providerRecord(row: ProviderRow, base: string): Static<typeof ProviderRecord> {
  const { id, name, isDefault, issuer, clientId, scopes, groupsClaim, enabled, jit, trustEmail, amr } = row
  const { testedAtMs, testedBy, testedRevision, revision } = row
  return {
    id,
    name,
    isDefault,
    issuer,
    clientId,
    hasSecret: row.sealedSecret !== null,
    alg: row.alg as (typeof ALGORITHMS)[number],
    scopes,
    groupsClaim,
    enabled,
    jit,
    trustEmail,
    amr,
    sessionHours: row.sessionHours,
    defaultRoleIds: row.defaultRoleIds,
    redirectUri: redirectUriOf(base, id),
    test:
      testedAtMs === null
        ? null
        : { at: toIso(testedAtMs), by: testedBy ?? '', isCurrent: testedRevision === revision },
    revision,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
  }
}

/**
 * Finds a provider by id, or the default one for null. @throws Refusal 404, also for a provider of another
 * organization.
 */
export async function findProvider(db: Db, orgId: string, providerId: string | null): Promise<ProviderRow> {
  const { identityProviders: t } = ssoTables(db)
  const which = providerId === null ? eq(t.isDefault, true) : eq(t.id, providerId)
  // guard: providers-of-the-own-organization
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), which))
  if (row !== undefined) return row
  if (providerId !== null) throw notFound('Identity provider')
  throw new Refusal('NOT_FOUND', 'the organization has no identity provider: set one up (`PUT /organization/:id/idp`)')
}

export async function providersOf(db: Db, orgId: string): Promise<ProviderRow[]> {
  const { identityProviders: t } = ssoTables(db)
  return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.createdAtMs), asc(t.id))
}

export const nameTaken = (): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the organization has an identity provider of this name', {
    details: { field: 'name' },
  })
