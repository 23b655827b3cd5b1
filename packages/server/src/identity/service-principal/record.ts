/** Service principals as the API shows them, and the organization that holds them (spec platform 4.8). */
import { randomBytes } from 'node:crypto'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { insufficient, invalidField, notFound } from '../../runtime/errors.js'
import { ORG_SCOPES, type Permission, SYSTEM_SCOPES } from '../../runtime/operation/access.js'
import type { Authority } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { SERVICE_SECRET_PREFIX, tokenHash } from '../credential/opaque-token.js'
import { checkCeiling } from '../role/ceiling.js'
import { identityTables } from '../tables.js'

export const ServicePrincipalRecord = strictObject({
  id: Uuid,
  orgId: nullable(Uuid),
  name: Type.String(),
  clientId: Type.String(),
  secretHint: Type.String({ description: 'The last four characters of the secret' }),
  scopes: Type.Array(Type.String()),
  includeTeams: Type.Boolean(),
  expiresAt: Instant,
  lastUsedAt: nullable(Instant),
  disabledAt: nullable(Instant),
  createdBy: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Type.Integer(),
})

export const SERVER_OWNED = [
  'id',
  'orgId',
  'clientId',
  'secretHint',
  'expiresAt',
  'lastUsedAt',
  'disabledAt',
  'createdBy',
  'createdAt',
  'updatedAt',
  'revision',
] as const

export const PrincipalName = Type.String({
  minLength: 2,
  maxLength: 60,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  'x-says': 'must begin with a letter or a digit and can have only letters, digits, dots, underscores and hyphens',
})
const SCOPES = [...ORG_SCOPES, ...SYSTEM_SCOPES]
export const Scopes = Type.Array(choice(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true })
/** Seconds for which a secret is valid, at most a year. */
export const ExpiresIn = Type.Integer({ minimum: 60, maximum: 31_536_000 })
export const EXPIRES_IN_DEFAULT = 7_776_000

export type PrincipalRow = ReturnType<typeof identityTables>['servicePrincipals']['$inferSelect']

export function principalRecord(row: PrincipalRow): Static<typeof ServicePrincipalRecord> {
  return {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    clientId: row.clientId,
    secretHint: row.secretHint,
    scopes: row.scopes,
    includeTeams: row.includeTeams,
    expiresAt: toIso(row.expiresAtMs),
    lastUsedAt: toIsoOrNull(row.lastUsedAtMs),
    disabledAt: toIsoOrNull(row.disabledAtMs),
    createdBy: row.createdBy,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
    revision: row.revision,
  }
}

/** The holder of the tenant's principals: those of the system organization belong to no organization. */
export function holderOf({ org, isSuperAdmin }: Authority): string | null {
  if (org === null) throw new Error('the operation has no tenant')
  if (!org.isSystem) return org.id
  if (!isSuperAdmin)
    throw insufficient('system-admin', 'only system administrators manage the service principals of the system')
  return null
}

export const ofHolder = (db: Pick<Db, 'database'>, holder: string | null): SQL => {
  const { orgId } = identityTables(db).servicePrincipals
  // guard: service-principals-of-a-holder
  return holder === null ? isNull(orgId) : eq(orgId, holder)
}

/** @throws Refusal 404 for an id that does not belong to the holder. */
export async function findPrincipal(db: Db, holder: string | null, id: string): Promise<PrincipalRow> {
  const { servicePrincipals } = identityTables(db)
  const [row] = await db
    .select()
    .from(servicePrincipals)
    .where(and(eq(servicePrincipals.id, id), ofHolder(db, holder)))
  if (row === undefined) throw notFound('Service principal')
  return row
}

/**
 * The permission that a person needs to give a scope to a machine, so that the machine cannot do more than its creator.
 */
const SCOPE_NEEDS: Readonly<Partial<Record<string, Permission>>> = {
  'reporting:ingest': 'reports:write',
  'registry:deploy': 'pipelines:write',
  'pipelines:read': 'pipelines:read',
  'plugins:read': 'plugins:read',
  'compliance:validate': 'compliance:read',
  'images:pull': 'plugins:read',
  'images:push': 'plugins:write',
  // A scan report can let a blocked image pass.
  'images:scan': 'plugins:publish',
}

/** @throws Refusal for a scope that this holder's principals cannot have, and the refusal of the ceiling. */
export function checkScopes(authority: Authority, holder: string | null, scopes: readonly string[]): void {
  if (holder === null) return
  const foreign = scopes.filter((name) => !(ORG_SCOPES as readonly string[]).includes(name))
  if (foreign.length > 0) {
    throw invalidField('/body/scopes', `are for principals of the system: ${foreign.join(', ')}`, 'system_scope')
  }
  checkCeiling(
    authority,
    scopes.flatMap((name) => SCOPE_NEEDS[name] ?? []),
  )
}

/**
 * A principal that includes the teams has rights there that only administrators of the account have (spec platform
 * 3.6).
 * @throws Refusal of the ceiling.
 */
export function checkReach({ role, isSuperAdmin }: Authority, includeTeams: boolean): void {
  // guard: the-reach-of-a-service-principal
  if (!includeTeams || isSuperAdmin || role === 'owner' || role === 'admin') return
  throw insufficient(
    'ceiling',
    'only administrators of the organization can give a service principal access to its teams',
  )
}

export interface FreshSecret {
  readonly secret: string
  readonly secretHash: string
  readonly secretHint: string
}

export function freshSecret(): FreshSecret {
  const secret = SERVICE_SECRET_PREFIX + randomBytes(32).toString('base64url')
  return { secret, secretHash: tokenHash(secret), secretHint: secret.slice(-4) }
}

export const nameKeyOf = (holder: string | null, name: string): string => `${holder ?? 'system'}:${nameKey(name)}`
