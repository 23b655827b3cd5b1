/** The account that an operator names: the root of the organization. */
import { findOrganization } from '../../identity/index.js'
import { invalidField } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'

export type RootOrganization = NonNullable<Awaited<ReturnType<typeof findOrganization>>>

export async function findRoot(db: Db, orgId: string): Promise<RootOrganization | null> {
  const org = await findOrganization(db, orgId)
  if (org === null || org.deletedAtMs !== null) return null
  return org.parentOrgId === null ? org : findOrganization(db, org.parentOrgId)
}

/** @throws Refusal 400 that names the field */
export async function requireRoot(db: Db, orgId: string, path: string): Promise<RootOrganization> {
  const root = await findRoot(db, orgId)
  if (root === null) throw invalidField(path, 'must be the id of an organization', 'unknown_organization')
  return root
}
