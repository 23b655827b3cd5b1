/** Whose rows work for an organization may read: its own, its parent's and the system's shared ones. */
import { eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import type { Store, TenantKey } from '../runtime/store/db.js'
import { identityTables } from './tables.js'

/** Null for an organization that was purged. A deleted one still has rows, and jobs that take them away. */
export async function tenantKeyOf(store: Store, orgId: string): Promise<TenantKey | null> {
  const [row] = await store.system.read((db) => {
    const { organizations } = identityTables(db)
    return db.select({ parentOrgId: organizations.parentOrgId }).from(organizations).where(eq(organizations.id, orgId))
  })
  if (row === undefined) return null
  return { orgId, readableOrgIds: row.parentOrgId === null ? [SYSTEM_ORG_ID] : [row.parentOrgId, SYSTEM_ORG_ID] }
}
