/** The organizations whose rows a job may read: its own, its parent's and the shared ones of the system. */
import { eq, type Placeholder } from 'drizzle-orm'
import type { Store, TenantKey } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { tenantKeyFor } from '../runtime/store/tenant-key.js'
import { identityTables } from './tables.js'

/** Prepared, because every job of an organization runs this query, some twice. */
const parentOf = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { organizations: t } = identityTables(db)
  return db
    .select({ parentOrgId: t.parentOrgId })
    .from(t)
    .where(eq(t.id, value('orgId')))
})

/** Null for an organization that was purged. A deleted one still has rows, and jobs that delete them. */
export async function tenantKeyOf(store: Store, orgId: string): Promise<TenantKey | null> {
  const [row] = await store.system.read((db) => parentOf(db, { orgId }))
  return row === undefined ? null : tenantKeyFor(orgId, row.parentOrgId)
}
