/**
 * Inserts a new organization with its built-in Roles and its owner. Registration, creation and the first start all use
 * it, so that every organization has them and none has a reserved name.
 */

import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { findPort } from '../../runtime/port.js'
import { ruleLibraryPort } from '../../runtime/records/rule-library.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { startingTier } from '../account/entitlements.js'
import { checkName } from '../account/reserved-name.js'
import { insertMembership, type OrganizationRow } from '../account/row.js'
import { insertBuiltInRoles } from '../role/built-in.js'
import { identityTables } from '../tables.js'
import { isReservedSlug, slugOf } from './slug.js'

export interface NewOrganization {
  /** A new id when absent. */
  readonly id?: string
  readonly name: string
  readonly displayName?: string
  readonly description?: string
  /** Derived from the name when absent. */
  readonly slug?: string
  /** The root of a new team. */
  readonly parentOrgId?: string
  readonly isSystem?: boolean
  /** Not chosen by the caller; the default tier when absent. */
  readonly tier?: string
  /** Becomes an active member with the Admin Role; null for an organization without an owner. */
  readonly ownerId: string | null
}

export async function insertOrganization(tx: Tx, runtime: Runtime, input: NewOrganization): Promise<OrganizationRow> {
  const nowMs = runtime.clock.now()
  const id = input.id ?? runtime.ids.next()
  const isSystem = input.isSystem ?? false
  // guard: nobody-is-called-as-the-system-organization-is
  if (!isSystem) checkName(input.name, input.displayName)
  const row: OrganizationRow = {
    id,
    name: input.name,
    nameKey: nameKey(input.name),
    displayName: input.displayName ?? input.name,
    slug: input.slug ?? slugOf(input.name),
    description: input.description ?? '',
    parentOrgId: input.parentOrgId ?? null,
    rootOrgId: input.parentOrgId ?? id,
    isSystem,
    ownerId: input.ownerId,
    tier: input.tier ?? startingTier(runtime.settings),
    settings: { memberWriteScope: 'own', defaultRoleIds: [] },
    seatLimit: null,
    addonFeatures: [],
    ssoEnforcedAtMs: null,
    ssoLostAtMs: null,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...NOT_DELETED,
  }
  await insertWithFreeSlug(tx, row, input.slug !== undefined || isSystem)
  const roleIds = await insertBuiltInRoles(tx, runtime, id, isSystem)
  if (input.ownerId !== null) {
    await insertMembership(tx, runtime, { orgId: id, userId: input.ownerId, roleIds: [roleIds.get('Admin') ?? ''] })
  }
  if (!isSystem) await findPort(runtime, ruleLibraryPort)?.begin(tx, runtime, { orgId: id, createdBy: input.ownerId })
  return row
}

/** Inserts the row. If a slug derived from the name is taken, the end of the id is appended. */
async function insertWithFreeSlug(tx: Tx, row: { slug: string } & OrganizationRow, isGiven: boolean): Promise<void> {
  const { organizations } = identityTables(tx)
  const insert = () =>
    tx
      .insert(organizations)
      .values(row)
      .onConflictDoNothing({ target: organizations.slug })
      .returning({ id: organizations.id })
  if ((isGiven || !isReservedSlug(row.slug)) && (await insert()).length > 0) return
  if (isGiven) throw new Refusal('DUPLICATE_ENTRY', 'the slug is taken: choose another', { details: { field: 'slug' } })
  row.slug = `${row.slug}-${row.id.slice(-8)}`
  if ((await insert()).length === 0) throw new Refusal('CONFLICT', 'the slug made from the name is taken: try again')
}
