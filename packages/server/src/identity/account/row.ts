/** The rows of an account: its organizations, and the memberships in them. */
import { eq, type Placeholder } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { locking } from '../../runtime/store/postgres.js'
import { insertNew, prepared } from '../../runtime/store/prepared.js'
import { identityTables, MANUAL } from '../tables.js'

export type OrganizationRow = ReturnType<typeof identityTables>['organizations']['$inferSelect']

/** Inserts a new active membership with its Roles. The caller checks the ceiling and the seats. */
export async function insertMembership(
  tx: Tx,
  runtime: Runtime,
  { orgId, userId, roleIds }: { orgId: string; userId: string; roleIds: readonly string[] },
): Promise<void> {
  const { memberships, roleAssignments } = identityTables(tx)
  const nowMs = runtime.clock.now()
  await tx.insert(memberships).values({ id: runtime.ids.next(), orgId, userId, isActive: true, joinedAtMs: nowMs })
  for (const roleId of new Set(roleIds)) {
    const source = MANUAL
    await insertNew(tx, roleAssignments, { id: runtime.ids.next(), orgId, roleId, userId, source, createdAtMs: nowMs })
  }
}

/** The organization's row, live or deleted; null when it does not exist. */
export async function findOrganization(db: Db, id: string): Promise<OrganizationRow | null> {
  const [row] = await byId(db, { id })
  return row ?? null
}

/** Locks the row until the transaction ends, and reads it under the lock. */
export async function findLocked(tx: Tx, id: string): Promise<OrganizationRow | null> {
  const [row] = await lockedById(tx, { id })
  return row ?? null
}

const lockedById = prepared((db, value: (name: 'id') => Placeholder) => {
  const { organizations } = identityTables(db)
  return locking(
    db,
    db
      .select()
      .from(organizations)
      .where(eq(organizations.id, value('id'))),
  )
})

const byId = prepared((db, value: (name: 'id') => Placeholder) => {
  const { organizations } = identityTables(db)
  return db
    .select()
    .from(organizations)
    .where(eq(organizations.id, value('id')))
})
