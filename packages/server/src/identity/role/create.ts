import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { organizationPath } from '../paths.js'
import { identityTables } from '../tables.js'
import { looksBuiltIn } from './built-in.js'
import { checkAssignable, checkCeiling, type RoleRow } from './ceiling.js'
import { RoleDescription, RoleName, RolePermissions, RoleRecord, roleRecord } from './record.js'

/** Roles of its own that an organization can have. */
const ROLES_MAX = 200

/** `POST /organization/:id/roles`. */
export const createRole = command({
  name: 'identity.role.create',
  summary: 'Create a Role',
  http: { method: 'post', ...organizationPath('/:id/roles'), status: 201 },
  access: permission('roles:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.create'],
  idempotent: true,
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({
      name: RoleName,
      description: Type.Optional(RoleDescription),
      permissions: RolePermissions,
    }),
  },
  output: strictObject({ role: RoleRecord }),
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS'],
  async run(context, { body }) {
    const { tx, authority, runtime, nowMs } = context
    // guard: a-new-role-that-looks-like-a-built-in-one
    if (looksBuiltIn(body.name)) throw nameTaken()
    checkAssignable(body.permissions)
    checkCeiling(authority, body.permissions)
    const orgId = tenantId(context)
    const { roles } = identityTables(tx)
    await lockRow(tx, 'organizations', orgId)
    const count = await tx.$count(roles, and(eq(roles.orgId, orgId), eq(roles.builtIn, false)))
    // guard: the-number-of-roles
    if (count >= ROLES_MAX) throw new Refusal('CONFLICT', `there are ${count} Roles of your own: delete some first`)
    const row: RoleRow = {
      id: runtime.ids.next(),
      orgId,
      name: body.name,
      nameKey: nameKey(body.name),
      description: body.description ?? '',
      permissions: [...body.permissions].sort(),
      builtIn: false,
      grantsLevel: 'member',
      revision: 1,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    if (!(await insertNew(tx, roles, row))) throw nameTaken()
    await context.audit('org.role.create', {
      targetType: 'role',
      targetId: row.id,
      details: { name: row.name, permissions: row.permissions },
    })
    return changed({ role: roleRecord(row, 0) })
  },
})

export const nameTaken = (cause?: unknown): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the organization has a Role of this name: choose another', {
    details: { field: 'name' },
    cause,
  })
