/**
 * Ends the builds of a deleted organization. The deletion queues it, because it holds the row of the organization, which
 * an upload takes after the rows of its builds. What an upload of that moment queued is found by the sweep of builds.
 */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import { defineJob } from '../../runtime/jobs/define.js'
import type { Enqueue } from '../../runtime/operation/registration.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRows } from '../../runtime/store/postgres.js'
import { cancelWhere, type Ending, UNFINISHED } from '../build-job/cancel-builds.js'
import { pluginTables } from '../tables.js'
import { setStatus } from './plugin-state.js'

const KIND = 'plugin.end-builds'
const BUILDS_AT_ONCE = 100

/** Whether a deleted organization has builds that did not end. They are cancelled then. */
export async function holdsPurge(tx: Tx, orgId: string, enqueue: Enqueue): Promise<boolean> {
  // guard: builds-end-with-their-organization
  if ((await unended(tx, orgId, 1)).length === 0) return false
  await enqueue({ kind: KIND, payload: { orgId }, uniqueKey: orgId })
  return true
}

export const endBuildsJob = defineJob({
  kind: KIND,
  payload: strictObject({ orgId: Uuid }),
  audit: ['plugin.build.cancel'],
  async run({ write, signal }, { orgId }) {
    while (!signal.aborted) {
      const ended = await write((ending) => endBuildsOfDeleted(ending, orgId))
      if (ended < BUILDS_AT_ONCE) return
    }
  },
})

/** @returns how many builds ended: none of an organization that was restored. */
export async function endBuildsOfDeleted(ending: Ending, orgId: string): Promise<number> {
  const { tx } = ending
  const org = await findOrganization(tx, orgId)
  // guard: a-restored-organization-keeps-its-builds
  if (org !== null && org.deletedAtMs === null) return 0
  const ids = await unended(tx, orgId, BUILDS_AT_ONCE)
  await lockRows(tx, 'build_jobs', ids)
  const { buildJobs: t } = pluginTables(tx)
  const which = and(eq(t.orgId, orgId), inArray(t.id, ids))
  const ended = await cancelWhere(ending, which, 'the organization was deleted')
  // A build that a restored organization wants can be retried.
  ended.sort((a, b) => (a.pluginId < b.pluginId ? -1 : 1))
  for (const job of ended) await setStatus(tx, job, 'failed')
  return ended.length
}

/** The organizations that have builds which did not end. */
export async function organizationsWithBuilds(db: Db): Promise<string[]> {
  const { buildJobs: t } = pluginTables(db)
  const rows = await db.selectDistinct({ orgId: t.orgId }).from(t).where(isUnended(db))
  return rows.map(({ orgId }) => orgId)
}

async function unended(db: Db, orgId: string, rowsMax: number): Promise<string[]> {
  const { buildJobs: t } = pluginTables(db)
  const rows = await db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, orgId), isUnended(db)))
    .orderBy(asc(t.id))
    .limit(rowsMax)
  return rows.map(({ id }) => id)
}

const isUnended = (db: Db) => {
  const { buildJobs: t } = pluginTables(db)
  return and(inArray(t.state, [...UNFINISHED]), eq(t.isExhausted, false))
}
