/** What this domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { countLive } from '../runtime/records/capacity.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import { isLive } from '../runtime/records/soft-delete.js'
import type { Tx } from '../runtime/store/db.js'
import { holdsPurge } from './build/end-builds.js'
import { hasBuilder } from './build-job/builders.js'
import { deleteJobs } from './build-job/log-rows.js'
import type { KeptDocument } from './image/attestations.js'
import { purgePlugins } from './plugin/tombstone.js'
import { pluginView } from './plugin/view.js'
import { PLUGIN_SEARCHES } from './searched.js'
import { pluginTables } from './tables.js'

const PAGE = 200

export const pluginRegistration: DomainRegistration = {
  name: 'plugin',
  searches: PLUGIN_SEARCHES,
  ...exportOf(
    {
      async plugins(db, orgId, after) {
        const rows = await ownRows(db, pluginTables(db).plugins, orgId, after)
        return rows.map((row) => {
          const { env, buildArgs, ...shown } = pluginView(row)
          return { key: row.id, row: { ...shown, env: redacted(env), buildArgs: redacted(buildArgs) } }
        })
      },
    },
    { plugins: 'plugins:read' },
  ),
  purge,
  holdsPurge,
  /** Plugins stay with the organization, without an owner who no longer exists. */
  async erase(tx, userId, { recheck }) {
    const { plugins: t } = pluginTables(tx)
    const left = await tx
      .update(t)
      .set({ ownerId: null, ownerType: null, revision: sql`${t.revision} + 1` })
      .where(and(eq(t.ownerId, userId), eq(t.ownerType, 'user')))
      .returning({ id: t.id, orgId: t.orgId, deletedAtMs: t.deletedAtMs })
    for (const { id, orgId, deletedAtMs } of left) {
      // guard: records-without-their-owner-are-checked-again
      if (deletedAtMs === null) await recheck(orgId, { target: 'plugin', id })
    }
  },
  usage: {
    plugins: countLive((db) => {
      const { plugins } = pluginTables(db)
      // A plugin whose build failed for good does not count towards the capacity.
      return { table: plugins, orgId: plugins.orgId, where: and(isLive(plugins), ne(plugins.buildStatus, 'failed')) }
    }),
    storageBytes: countLive((db) => {
      const { plugins } = pluginTables(db)
      return { table: plugins, orgId: plugins.orgId, where: isLive(plugins), amount: plugins.archiveBytes }
    }),
  },
  async *blobs(db, orgId) {
    const { plugins, buildJobs } = pluginTables(db)
    for (let after = ''; ; ) {
      const rows = await db
        .select({ id: plugins.id, key: plugins.archiveKey, attestations: plugins.attestations })
        .from(plugins)
        .where(and(eq(plugins.orgId, orgId), gt(plugins.id, after)))
        .orderBy(asc(plugins.id))
        .limit(PAGE)
      for (const { key, attestations } of rows) {
        if (key !== null) yield key
        for (const kept of Object.values(attestations ?? {})) yield (kept as KeptDocument).key
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) break
      after = last.id
    }
    // A running build reads the archive that it was queued with, which a new upload may have replaced.
    const active = await db
      .select({ key: buildJobs.archiveKey })
      .from(buildJobs)
      .where(and(eq(buildJobs.orgId, orgId), eq(buildJobs.state, 'active')))
    for (const { key } of active) yield key
  },
  async reassign(tx, orgId, fromUserId, toUserId) {
    const { plugins: t } = pluginTables(tx)
    // guard: a-plugin-that-passes-on-has-a-new-revision
    const moved = await tx
      .update(t)
      .set({ ownerId: toUserId, revision: sql`${t.revision} + 1` })
      .where(and(eq(t.orgId, orgId), eq(t.ownerId, fromUserId), eq(t.ownerType, 'user')))
      .returning({ id: t.id, deletedAtMs: t.deletedAtMs })
    return { rows: moved.length, records: moved.map((row) => ({ target: 'plugin', ...row })) }
  },
  async summary(db) {
    const { plugins } = pluginTables(db)
    return { plugins: await db.$count(plugins, isLive(plugins)) }
  },
  offers: async (db, { settings, nowMs }) => ({
    builder: settings.PLUGIN_BUILDER !== 'none' && (await hasBuilder(db, nowMs)),
  }),
}

/** An export contains names only: values may be secrets. */
const redacted = (map: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(map).map((name) => [name, '[REDACTED]']))

async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const { plugins, buildJobs, buildTurns } = pluginTables(tx)
  const some = await tx.select({ id: plugins.id }).from(plugins).where(eq(plugins.orgId, orgId)).limit(rowsMax)
  if (some.length > 0) {
    const ids = some.map(({ id }) => id)
    await purgePlugins(tx, orgId, ids)
    return ids.length
  }
  const jobs = await tx.select({ id: buildJobs.id }).from(buildJobs).where(eq(buildJobs.orgId, orgId)).limit(rowsMax)
  if (jobs.length > 0) {
    return deleteJobs(
      tx,
      orgId,
      jobs.map(({ id }) => id),
    )
  }
  const turns = await tx.delete(buildTurns).where(eq(buildTurns.orgId, orgId)).returning({ orgId: buildTurns.orgId })
  return turns.length
}
