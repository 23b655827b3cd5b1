/** An organization as the API shows it (spec platform 14). */
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { name } from '../../runtime/operation/name.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { featuresOf } from '../account/entitlements.js'
import { findOrganization, type OrganizationRow } from '../account/row.js'
import { SLUG } from './slug.js'

export const OrganizationName = name(2, 100)

export const DisplayName = name(1, 100)

export const Description = Type.String({ maxLength: 500 })

export const Slug = Type.String({
  minLength: 2,
  maxLength: 100,
  pattern: SLUG.source,
  'x-says': 'must be lower-case letters and digits, with single hyphens in between',
})

/** What members without Admin may change: `own` limits them to what they or their teams own. */
export const MemberWriteScope = Type.Enum(['own', 'org'])

export const OrganizationRecord = strictObject({
  id: Uuid,
  name: Type.String(),
  displayName: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  parentOrgId: nullable(Uuid),
  rootOrgId: Uuid,
  isTeam: Type.Boolean(),
  isSystem: Type.Boolean(),
  ownerId: nullable(Uuid),
  tier: Type.String(),
  features: Type.Array(Type.String()),
  memberCount: Type.Integer({ minimum: 0 }),
  settings: strictObject({
    memberWriteScope: MemberWriteScope,
    defaultRoleIds: Type.Array(Uuid),
  }),
  ssoConfigured: Type.Boolean({
    description: 'Whether the organization has an enabled identity provider of its own; false for a team',
  }),
  kmsConfigured: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  deletedAt: nullable(Instant),
  purgeAfter: nullable(Instant),
  revision: Type.Integer(),
})

export type OrganizationRecord = Static<typeof OrganizationRecord>

/** The account's entitlements in a record: a team has the tier and features of its root. The tier is the stored one. */
export interface Standing {
  readonly tier: string
  readonly features: ReadonlySet<string>
}

/** For an organization whose root may be another organization. */
export async function standingOf(db: Db, row: OrganizationRow, settings: Settings): Promise<Standing> {
  const root = row.rootOrgId === row.id ? row : await findOrganization(db, row.rootOrgId)
  if (root === null) throw notFound('Organization')
  return standingOfRoot(root, settings)
}

export const standingOfRoot = (root: OrganizationRow, settings: Settings): Standing => ({
  tier: root.tier,
  features: featuresOf(root, settings),
})

/** What a record shows besides the row. */
export interface OrganizationFacts {
  readonly standing: Standing
  readonly memberCount: number
  readonly ssoConfigured: boolean
}

export function organizationRecord(
  row: OrganizationRow,
  { standing, memberCount, ssoConfigured }: OrganizationFacts,
): OrganizationRecord {
  return {
    id: row.id,
    name: row.name,
    displayName: row.displayName,
    slug: row.slug,
    description: row.description,
    parentOrgId: row.parentOrgId,
    rootOrgId: row.rootOrgId,
    isTeam: row.parentOrgId !== null,
    isSystem: row.isSystem,
    ownerId: row.ownerId,
    tier: standing.tier,
    features: [...standing.features].sort(),
    memberCount,
    settings: row.settings,
    ssoConfigured,
    // Keys of an organization's own are not built.
    kmsConfigured: false,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
    deletedAt: toIsoOrNull(row.deletedAtMs),
    purgeAfter: toIsoOrNull(row.purgeAfterMs),
    revision: row.revision,
  }
}

/** The fields that the server sets; an update may send them back unchanged. */
export const SERVER_OWNED = [
  'id',
  'parentOrgId',
  'rootOrgId',
  'isTeam',
  'isSystem',
  'ownerId',
  'tier',
  'features',
  'memberCount',
  'settings',
  'ssoConfigured',
  'kmsConfigured',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'purgeAfter',
  'revision',
] as const
