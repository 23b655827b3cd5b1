/**
 * The built-in Roles in the database: Admin and Member in each organization, Super Admin in the system organization.
 * Their permissions are in `permission/bundles.ts`; the API cannot change them.
 */
import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lookAlikeKey } from '../account/reserved-name.js'
import { ADMIN_ROLE, type BuiltInRole, MEMBER_ROLE, SUPER_ADMIN_ROLE } from '../permission/bundles.js'
import { identityTables } from '../tables.js'

const LOOKS: ReadonlySet<string> = new Set(
  [ADMIN_ROLE, MEMBER_ROLE, SUPER_ADMIN_ROLE].map((role) => lookAlikeKey(role.name)),
)

/** Whether the name looks like that of a built-in Role. This includes `Super Admin` in every organization. */
export const looksBuiltIn = (name: string): boolean => LOOKS.has(lookAlikeKey(name))

export type BuiltInName = 'Admin' | 'Member' | 'Super Admin'

/** Inserts a new organization's built-in Roles. @returns their ids by name. */
export async function insertBuiltInRoles(
  tx: Tx,
  runtime: Pick<Runtime, 'clock' | 'ids'>,
  orgId: string,
  isSystem: boolean,
): Promise<ReadonlyMap<string, string>> {
  const nowMs = runtime.clock.now()
  const roles: BuiltInRole[] = isSystem ? [ADMIN_ROLE, MEMBER_ROLE, SUPER_ADMIN_ROLE] : [ADMIN_ROLE, MEMBER_ROLE]
  const ids = new Map(roles.map(({ name }) => [name, runtime.ids.next()]))
  await tx.insert(identityTables(tx).roles).values(
    roles.map(({ name, description, grantsLevel, permissions }) => ({
      id: ids.get(name) ?? '',
      orgId,
      name,
      nameKey: nameKey(name),
      description,
      permissions: [...permissions],
      builtIn: true,
      grantsLevel,
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })),
  )
  return ids
}

/** The id of a built-in Role; every organization has its own. */
export async function builtInRoleId(db: Db, orgId: string, name: BuiltInName): Promise<string> {
  const { roles } = identityTables(db)
  const [row] = await db
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.orgId, orgId), eq(roles.nameKey, nameKey(name)), eq(roles.builtIn, true)))
  if (row === undefined) throw new Error(`the organization ${orgId} has no built-in Role ${name}`)
  return row.id
}
