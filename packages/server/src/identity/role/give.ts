/** Gives a Role to a person, or takes it away. The operations check the right to do so. */
import { and, eq, ne } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { identityTables, MANUAL } from '../tables.js'

interface Assignment {
  readonly orgId: string
  readonly roleId: string
  readonly userId: string
}

/** @returns false when the person had the Role already. */
export async function giveRole(tx: Tx, runtime: Pick<Runtime, 'clock' | 'ids'>, to: Assignment): Promise<boolean> {
  const { roleAssignments } = identityTables(tx)
  const row = { id: runtime.ids.next(), ...to, source: MANUAL, createdAtMs: runtime.clock.now() }
  return insertNew(tx, roleAssignments, row)
}

/** Takes a Role that was given manually; one that a group gave stays. @returns false when there was no manual one. */
export async function takeRole(tx: Tx, { orgId, roleId, userId }: Assignment): Promise<boolean> {
  const { roleAssignments } = identityTables(tx)
  const rows = await tx
    .delete(roleAssignments)
    .where(
      and(
        eq(roleAssignments.orgId, orgId),
        eq(roleAssignments.roleId, roleId),
        eq(roleAssignments.userId, userId),
        eq(roleAssignments.source, MANUAL),
      ),
    )
    .returning({ id: roleAssignments.id })
  return rows.length > 0
}

/** Whether a group of an identity provider gives the Role to the person. */
export async function isGivenByGroup(db: Db, { orgId, roleId, userId }: Assignment): Promise<boolean> {
  const { roleAssignments: t } = identityTables(db)
  const isIt = and(eq(t.orgId, orgId), eq(t.roleId, roleId), eq(t.userId, userId), ne(t.source, MANUAL))
  return (await db.$count(t, isIt)) > 0
}
