/**
 * The built-in Roles: Admin and Member in each organization, Super Admin in the system's. They are immutable and follow
 * the permission catalogue (platform decisions 5).
 */
import { and, eq } from 'drizzle-orm'
import { PERMISSIONS, type Permission } from '../../runtime/operation/access.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

/** Held by Super Admin alone, in no Role that an organization makes. */
export const UNASSIGNABLE: readonly Permission[] = ['registry:read', 'registry:write']

/** What Admin and the owner hold: everything that an organization may assign. */
export const ADMIN_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter((name) => !UNASSIGNABLE.includes(name))

export const MEMBER_PERMISSIONS: readonly Permission[] = [
  'pipelines:read',
  'pipelines:write',
  'plugins:read',
  'plugins:write',
  'compliance:read',
  'dashboards:read',
  'observability:read',
  'reports:read',
  'reports:write',
  'messages:read',
  'messages:write',
  'billing:read',
  'quotas:read',
]

export type BuiltInRole = 'Admin' | 'Member' | 'Super Admin'

const ROLES: Readonly<Record<BuiltInRole, { permissions: readonly Permission[]; level: string; description: string }>> =
  {
    Admin: { permissions: ADMIN_PERMISSIONS, level: 'admin', description: 'Manages the organization' },
    Member: { permissions: MEMBER_PERMISSIONS, level: 'member', description: 'Works with pipelines and plugins' },
    'Super Admin': { permissions: PERMISSIONS, level: 'superadmin', description: 'Manages the platform' },
  }

/** Inserts a new organization's built-in Roles. @returns their ids by name. */
export async function insertBuiltInRoles(
  tx: Tx,
  runtime: Runtime,
  orgId: string,
  isSystem: boolean,
): Promise<ReadonlyMap<BuiltInRole, string>> {
  const nowMs = runtime.clock.now()
  const names: BuiltInRole[] = isSystem ? ['Admin', 'Member', 'Super Admin'] : ['Admin', 'Member']
  const ids = new Map<BuiltInRole, string>()
  for (const name of names) {
    const id = runtime.ids.next()
    ids.set(name, id)
    const { permissions, level, description } = ROLES[name]
    await tx.insert(identityTables(tx).roles).values({
      id,
      orgId,
      name,
      nameKey: name.toLowerCase(),
      description,
      permissions: [...permissions],
      builtIn: true,
      grantsLevel: level,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
  }
  return ids
}

/** The id of a built-in Role; every organization has its own. */
export async function builtInRoleId(db: Db, orgId: string, name: BuiltInRole): Promise<string> {
  const { roles } = identityTables(db)
  const [row] = await db
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.orgId, orgId), eq(roles.nameKey, name.toLowerCase()), eq(roles.builtIn, true)))
  if (row === undefined) throw new Error(`the organization ${orgId} has no built-in Role ${name}`)
  return row.id
}
