/** Which organizations people can enter through an identity provider. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { ssoTables } from '../tables.js'

export async function configuredAmong(db: Db, orgIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orgIds.length === 0) return new Set()
  const { identityProviders: t } = ssoTables(db)
  const rows = await db
    .selectDistinct({ orgId: t.orgId })
    .from(t)
    .where(and(inArray(t.orgId, [...orgIds]), eq(t.enabled, true)))
  return new Set(rows.map(({ orgId }) => orgId))
}
