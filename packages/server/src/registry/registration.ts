/** What this domain stores about organizations: rows about their images. The images are in the registry. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { toIso } from '../runtime/clock.js'
import type { CountUsage, DomainRegistration, Enqueue } from '../runtime/operation/registration.js'
import { exportOf, ownRowsAlong } from '../runtime/records/export.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { dropOf } from './image/drop.js'
import { registryTables } from './tables.js'

/** The bytes of each organization: every blob counts once, no matter how many of its images contain it. */
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

/** The images are in the registry; a job deletes them after the rows. */
async function purge(tx: Tx, orgId: string, rowsMax: number, _nowMs: number, enqueue: Enqueue): Promise<number> {
  const { registryRepositories, registryImages, registryTags, registryBlobs } = registryTables(tx)
  const [one] = await tx
    .select({ name: registryRepositories.name })
    .from(registryRepositories)
    .where(eq(registryRepositories.orgId, orgId))
    .limit(1)
  if (one === undefined) return 0
  const isIn = (t: { readonly repository: SQLiteColumn }) => eq(t.repository, one.name)
  const some = tx
    .select({ digest: registryImages.digest })
    .from(registryImages)
    .where(isIn(registryImages))
    .limit(rowsMax)
  const digests = (await some).map(({ digest }) => digest)
  // guard: images-go-with-their-organization
  await enqueue(dropOf(one.name, digests))
  await tx.delete(registryBlobs).where(and(isIn(registryBlobs), inArray(registryBlobs.image, digests)))
  await tx.delete(registryImages).where(and(isIn(registryImages), inArray(registryImages.digest, digests)))
  if (digests.length === rowsMax) return rowsMax
  await tx.delete(registryTags).where(isIn(registryTags))
  await tx.delete(registryRepositories).where(eq(registryRepositories.name, one.name))
  return digests.length + 1
}
