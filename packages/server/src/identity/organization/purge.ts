/**
 * Purges deleted organizations whose retention has ended: each domain's rows in batches, each batch in its own
 * transaction, then the files, the organization's row last. An interrupted purge continues at the next run.
 *
 * INVARIANT: once a batch may be deleted, the organization cannot be restored: its purge time is cleared first.
 */
import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { findOrganization } from '../account/row.js'
import { identityTables } from '../tables.js'

const ROWS_A_BATCH = 500

export const purgeOrganizations = defineJob({
  kind: 'organization.purge',
  payload: strictObject({}),
  audit: ['admin.org.delete'],
  concurrency: 1,
  async run(context) {
    for (const orgId of await dueOrganizations(context)) {
      if (context.signal.aborted) return
      await purge(context, orgId)
    }
  },
})

export const purgeSchedule = defineSchedule({
  name: 'identity.purge-organizations',
  kind: 'organization.purge',
  everyMs: HOUR_MS,
})

type Purging = JobContext<'admin.org.delete'>

/** Teams before their roots, the longest deleted first. */
function dueOrganizations({ read, nowMs }: Purging): Promise<string[]> {
  return read(async (db) => {
    const { organizations } = identityTables(db)
    const rows = await db
      .select({ id: organizations.id, parentOrgId: organizations.parentOrgId, deletedAtMs: organizations.deletedAtMs })
      .from(organizations)
      .where(
        and(
          isNotNull(organizations.deletedAtMs),
          eq(organizations.isSystem, false),
          or(isNull(organizations.purgeAfterMs), lte(organizations.purgeAfterMs, nowMs)),
        ),
      )
    return rows
      .sort(
        (a, b) =>
          Number(a.parentOrgId === null) - Number(b.parentOrgId === null) ||
          Number(a.deletedAtMs) - Number(b.deletedAtMs),
      )
      .map(({ id }) => id)
  })
}

async function purge(context: Purging, orgId: string): Promise<void> {
  const { runtime, signal } = context
  if (!(await begin(context, orgId))) return
  for (const domain of inPurgeOrder(runtime)) {
    for (let deleted = 1; deleted > 0; ) {
      if (signal.aborted) return
      deleted = await context.write(({ tx, nowMs, enqueue }) => domain.purge(tx, orgId, ROWS_A_BATCH, nowMs, enqueue))
    }
  }
  if (!(await deleteBlobs(context, orgId))) return
  await context.write(async ({ tx, audit }) => {
    const org = await findOrganization(tx, orgId)
    if (org === null) return
    const { organizations } = identityTables(tx)
    await tx.delete(organizations).where(eq(organizations.id, orgId))
    await audit('admin.org.delete', {
      targetType: 'organization',
      targetId: orgId,
      affectedOrgId: orgId,
      details: { name: org.name, reason: 'the time to restore it is over' },
    })
  })
}

/**
 * Runs after the rows are deleted, so nothing refers to the files of the organization any more. The next run continues
 * an interrupted one.
 */
async function deleteBlobs({ runtime, signal }: Purging, orgId: string): Promise<boolean> {
  const { blobs } = runtime
  if (blobs === undefined) return true
  for await (const { key } of blobs.list(`${orgId}/`)) {
    if (signal.aborted) return false
    await blobs.delete(key)
  }
  return true
}

/** Identity last, because other domains may still read names from it while they delete. */
const inPurgeOrder = ({ domains }: Runtime) =>
  [...domains].sort((a, b) => Number(a.name === 'identity') - Number(b.name === 'identity'))

/** Makes restoring impossible. @returns false when the organization was restored or purged meanwhile, or must wait. */
function begin({ runtime, write, nowMs }: Purging, orgId: string): Promise<boolean> {
  return write(async ({ tx, enqueue }) => {
    await lockRow(tx, 'organizations', orgId)
    const org = await findOrganization(tx, orgId)
    if (org === null || org.deletedAtMs === null) return false
    if (org.purgeAfterMs !== null && org.purgeAfterMs > nowMs) return false
    for (const domain of runtime.domains) {
      // guard: what-is-charged-is-not-purged
      if ((await domain.holdsPurge?.(tx, orgId, enqueue)) === true) {
        runtime.log?.write('organization.purge_waits', { org: orgId, domain: domain.name })
        return false
      }
    }
    const { organizations } = identityTables(tx)
    await tx.update(organizations).set({ purgeAfterMs: null }).where(eq(organizations.id, orgId))
    return true
  })
}
