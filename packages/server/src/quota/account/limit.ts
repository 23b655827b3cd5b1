/**
 * The account of an organization for quotas: whose limits apply, and which organizations are counted together. Read in
 * one statement, because every change that uses capacity reads it.
 */
import type { QuotaType, Tier } from '@plumbline/billing-core'
import { aliasedTable, and, eq, isNull, ne, type Placeholder, sql } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import { notFound } from '../../runtime/errors.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { TENANT_ROLE } from '../../runtime/store/postgres.js'
import { prepared } from '../../runtime/store/prepared.js'
import { type EffectiveLimit, effectiveLimit, limitedTier, UNLIMITED } from '../limit/effective.js'
import { quotaTables } from '../tables.js'

/** The limit of one type that applies to an organization. */
export interface AccountLimit {
  readonly orgId: string
  readonly rootOrgId: string
  readonly isTeam: boolean
  /** The tier whose limits apply. */
  readonly tier: Tier
  /** For the whole account. */
  readonly pool: EffectiveLimit
  /** For the team alone; −1 for no own limit. */
  readonly own: number
}

const selectLimit = prepared((db, value: (name: 'orgId' | 'type') => Placeholder) => {
  const { organizations } = identityTables(db)
  const { quotaLimits } = quotaTables(db)
  const roots = aliasedTable(organizations, 'roots')
  const ofRoot = aliasedTable(quotaLimits, 'of_root')
  const ofTeam = aliasedTable(quotaLimits, 'of_team')
  return db
    .select({
      rootOrgId: roots.id,
      tier: roots.tier,
      isSystem: roots.isSystem,
      override: ofRoot.override,
      granted: ofRoot.granted,
      own: ofTeam.override,
      databaseRole: db.database === 'pg' ? sql<string>`current_user` : sql<string>`''`,
    })
    .from(organizations)
    .innerJoin(roots, eq(roots.id, organizations.rootOrgId))
    .leftJoin(ofRoot, and(eq(ofRoot.orgId, roots.id), eq(ofRoot.type, value('type'))))
    .leftJoin(
      ofTeam,
      and(eq(ofTeam.orgId, organizations.id), eq(ofTeam.type, value('type')), ne(organizations.id, roots.id)),
    )
    .where(eq(organizations.id, value('orgId')))
})

/** @throws Refusal 404 for an organization that does not exist. */
export async function readAccountLimit(
  db: Db,
  settings: Settings,
  orgId: string,
  type: QuotaType,
): Promise<AccountLimit> {
  const [row] = await selectLimit(db, { orgId, type })
  if (row === undefined) throw notFound('Organization')
  // Row security would hide the other organizations of the account, and their records would not be counted.
  // guard: places-are-not-counted-through-row-security
  if (row.databaseRole === TENANT_ROLE) throw new Error('an operation that counts places needs `acrossOrganizations`')
  const tier = limitedTier(row, settings)
  return {
    orgId,
    rootOrgId: row.rootOrgId,
    isTeam: row.rootOrgId !== orgId,
    tier,
    pool: effectiveLimit(settings, tier, type, { override: row.override, granted: row.granted ?? 0 }),
    own: row.own ?? UNLIMITED,
  }
}

export const isUnlimited = ({ pool, own }: AccountLimit): boolean => pool.limit === UNLIMITED && own === UNLIMITED

const selectOrganizations = prepared((db, value: (name: 'rootOrgId') => Placeholder) => {
  const { organizations } = identityTables(db)
  // guard: a-deleted-team-holds-no-places
  return db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.rootOrgId, value('rootOrgId')), isNull(organizations.deletedAtMs)))
})

/** The live organizations of the account. */
export async function accountOrgIds(db: Db, rootOrgId: string): Promise<string[]> {
  return (await selectOrganizations(db, { rootOrgId })).map(({ id }) => id)
}
