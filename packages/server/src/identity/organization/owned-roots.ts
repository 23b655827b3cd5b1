/** How many root organizations one person may own (spec platform 14). Teams do not count. */
import { and, eq, isNull } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const OWNED_ROOTS_MAX = 10

/**
 * @throws Refusal `CONFLICT` when the person owns the maximum number of root organizations. The caller holds the lock
 *   of their row.
 */
export async function checkOwnedRoots(tx: Tx, userId: string): Promise<void> {
  const { organizations } = identityTables(tx)
  const owned = await tx.$count(
    organizations,
    and(eq(organizations.ownerId, userId), isNull(organizations.parentOrgId), isNull(organizations.deletedAtMs)),
  )
  if (owned >= OWNED_ROOTS_MAX) {
    throw new Refusal('CONFLICT', `one person owns at most ${OWNED_ROOTS_MAX} organizations; this one owns ${owned}`)
  }
}
