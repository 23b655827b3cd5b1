/** What this domain holds of organizations: rows about their images, which lie in the registry. */
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { toIso } from '../runtime/clock.js'
import type { CountUsage, DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRowsAlong } from '../runtime/records/export.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { registryTables } from './tables.js'

/** Of each organization every blob once, however many of its images hold it. */
function bytesOnce(db: Db, orgIds: readonly string[] | null): SQL {
  const { registryBlobs: t } = registryTables(db)
  const of = orgIds === null ? sql`true` : inArray(t.orgId, [...orgIds])
  return sql`SELECT org_id, coalesce(sum(bytes), 0) AS used FROM (SELECT DISTINCT ${t.orgId} AS org_id, ${t.digest} AS digest, ${t.bytes} AS bytes FROM ${t} WHERE ${of}) AS blobs_once GROUP BY org_id`
}

const storageBytes: CountUsage = Object.assign(
  async (db: Db, orgIds: readonly string[]): Promise<number> => {
    const rows = await db.rows<{ used: number | string }>(bytesOnce(db, orgIds))
    return rows.reduce((sum, { used }) => sum + Number(used), 0)
  },
  { byOrg: bytesOnce },
)

export const registryRegistration: DomainRegistration = {
  name: 'registry',
  ...exportOf(
    {
      async images(db, orgId, after) {
        const { registryTags: t } = registryTables(db)
        const rows = await ownRowsAlong(db, t, [t.repository, t.tag], { orgId, after })
        return rows.map(({ key, row: { repository, tag, digest, bytes, createdAtMs } }) => ({
          key,
          row: { repository, tag, digest, bytes, createdAt: toIso(createdAtMs) },
        }))
      },
    },
    { images: 'plugins:read' },
  ),
  purge,
  async erase() {},
  usage: { storageBytes },
  async *blobs() {},
}

async function purge(tx: Tx, orgId: string): Promise<number> {
  const t = registryTables(tx)
  await tx.delete(t.registryBlobs).where(eq(t.registryBlobs.orgId, orgId))
  await tx.delete(t.registryTags).where(eq(t.registryTags.orgId, orgId))
  await tx.delete(t.registryImages).where(eq(t.registryImages.orgId, orgId))
  const gone = await tx
    .delete(t.registryRepositories)
    .where(eq(t.registryRepositories.orgId, orgId))
    .returning({ name: t.registryRepositories.name })
  return gone.length
}
