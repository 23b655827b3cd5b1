/** Puts a person into a Role, or takes them out, without asking who may: the operations do that. */
import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { identityTables } from '../tables.js'

interface Assignment {
  readonly orgId: string
  readonly roleId: string
  readonly userId: string
}

/** @returns false when the person had the Role already. */
export async function giveRole(tx: Tx, runtime: Pick<Runtime, 'clock' | 'ids'>, to: Assignment): Promise<boolean> {
  const { roleAssignments } = identityTables(tx)
  return insertNew(tx, roleAssignments, { id: runtime.ids.next(), ...to, createdAtMs: runtime.clock.now() })
}

/** @returns false when the person did not have the Role. */
export async function takeRole(tx: Tx, { orgId, roleId, userId }: Assignment): Promise<boolean> {
  const { roleAssignments } = identityTables(tx)
  const rows = await tx
    .delete(roleAssignments)
    .where(
      and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.roleId, roleId), eq(roleAssignments.userId, userId)),
    )
    .returning({ id: roleAssignments.id })
  return rows.length > 0
}
