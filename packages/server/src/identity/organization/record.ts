/** An organization as the wire shows it (spec platform 14). */
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
  'x-says': 'must be lower-case letters and digits, with single hyphens between',
})

/** What members without Admin change: `own` for what they or their teams own. */
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
  ssoConfigured: Type.Boolean(),
  kmsConfigured: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  deletedAt: nullable(Instant),
  purgeAfter: nullable(Instant),
  revision: Type.Integer(),
})

export type OrganizationRecord = Static<typeof OrganizationRecord>

/** What a record shows of the account: a team has tier and features of its root. The tier is the stored one. */
export interface Standing {
  readonly tier: string
  readonly features: ReadonlySet<string>
}

/** Of an organization whose root may be another one. */
export async function standingOf(db: Db, row: OrganizationRow, settings: Settings): Promise<Standing> {
  const root = row.rootOrgId === row.id ? row : await findOrganization(db, row.rootOrgId)
  if (root === null) throw notFound('Organization')
  return standingOfRoot(root, settings)
}

export const standingOfRoot = (root: OrganizationRow, settings: Settings): Standing => ({
  tier: root.tier,
  features: featuresOf(root, settings),
})

export function organizationRecord(row: OrganizationRow, standing: Standing, memberCount: number): OrganizationRecord {
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
    // Neither can be configured in this version: there is no single sign-on and no customer key.
    ssoConfigured: false,
    kmsConfigured: false,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
    deletedAt: toIsoOrNull(row.deletedAtMs),
    purgeAfter: toIsoOrNull(row.purgeAfterMs),
    revision: row.revision,
  }
}

/** The fields of the record that the server sets; an update may send them back as they are. */
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
