/** Changes and deletes a custom Role. Both apply to its holders from their next request on. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { confirmIdentity } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { looksBuiltIn } from './built-in.js'
import { checkAssignable, checkCeiling, type RoleRow } from './ceiling.js'
import { nameTaken } from './create.js'
import {
  findRole,
  holderIds,
  RoleDescription,
  RoleName,
  RolePermissions,
  RoleRecord,
  roleRecord,
  SERVER_OWNED,
} from './record.js'

/** The Role under its lock, so that it cannot be given while it changes. */
export async function lockCustomRole(context: WriteContext, roleId: string): Promise<RoleRow> {
  const { tx } = context
  const orgId = tenantId(context)
  const named = await findRole(tx, orgId, roleId)
  await lockRow(tx, 'roles', named.id)
  const row = await findRole(tx, orgId, roleId)
  if (row.builtIn)
    throw new Refusal('SYSTEM_ROLE_IMMUTABLE', 'built-in Roles cannot be changed: create one of your own')
  return row
}

/** `PUT /organization/:id/roles/:roleId`: omitted fields stay unchanged. */
export const updateRole = command({
  name: 'identity.role.update',
  summary: 'Change a Role',
  http: { method: 'put', ...organizationPath('/:id/roles/:roleId') },
  access: withStepUpWhen('`permissions` grow', permission('roles:manage')),
  tenant: fromPath('id'),
  audit: ['org.role.update'],
  serverOwned: SERVER_OWNED,
  input: {
    path: Type.Object({ id: Type.String(), roleId: Type.String() }),
    body: strictObject(
      {
        name: Type.Optional(RoleName),
        description: Type.Optional(RoleDescription),
        permissions: Type.Optional(RolePermissions),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ role: RoleRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SYSTEM_ROLE_IMMUTABLE'],
  async prepare(context, { path, body: { permissions } }) {
    if (permissions === undefined) return null
    const row = await context.read((db) => findRole(db, tenantId(context), path.roleId))
    const added = permissions.filter((name) => !row.permissions.includes(name))
    if (row.builtIn || added.length === 0) return { confirmedRevision: row.revision }
    checkAssignable(added)
    checkCeiling(context.authority, added)
    // The holders get more permissions, which outlive a stolen session that grants them.
    // guard: a-confirmation-of-identity-for-a-role-that-grows
    await confirmIdentity(context, 'identity.role.update')
    return { confirmedRevision: row.revision }
  },
  async run(context, { path, body }, prepared) {
    const { tx, authority, nowMs } = context
    const row = await lockCustomRole(context, path.roleId)
    context.checkRevision(row.revision)
    // The step-up confirmed the added permissions relative to that revision.
    // guard: a-role-is-the-one-whose-growth-was-looked-at
    if (prepared !== null && prepared.confirmedRevision !== row.revision) {
      throw new Refusal('CONFLICT', 'the Role was changed in the meantime: try again')
    }
    const holders = await holderIds(tx, row.orgId, row.id)
    context.checkServerOwned(roleRecord(row, holders.length))
    // guard: a-role-renamed-to-what-looks-like-a-built-in-one
    if (body.name !== undefined && looksBuiltIn(body.name)) throw nameTaken()
    if (body.permissions !== undefined) checkAssignable(body.permissions)
    const permissions = body.permissions === undefined ? row.permissions : [...body.permissions].sort()
    // The ceiling covers the whole Role: even an actor who changes only its name needs all its permissions.
    checkCeiling(authority, permissions)
    const next: RoleRow = {
      ...row,
      name: body.name ?? row.name,
      nameKey: nameKey(body.name ?? row.name),
      description: body.description ?? row.description,
      permissions,
    }
    const fields = (['name', 'description', 'permissions'] as const).filter(
      (name) => JSON.stringify(next[name]) !== JSON.stringify(row[name]),
    )
    if (fields.length === 0) return unchanged({ role: roleRecord(row, holders.length) })
    Object.assign(next, { revision: row.revision + 1, updatedAtMs: nowMs })
    const { roles } = identityTables(tx)
    try {
      await tx
        .update(roles)
        .set(next)
        .where(and(eq(roles.id, row.id), eq(roles.orgId, row.orgId)))
    } catch (error) {
      if (brokenUniqueConstraint(error) === null) throw error
      throw nameTaken(error)
    }
    if (fields.includes('permissions')) dropStale(context, ...holders.map((userId) => ({ userId })))
    await context.audit('org.role.update', {
      targetType: 'role',
      targetId: row.id,
      details: { name: next.name, changed: fields, permissions },
    })
    return changed({ role: roleRecord(next, holders.length) })
  },
})
