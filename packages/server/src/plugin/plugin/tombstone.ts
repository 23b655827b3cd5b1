/** Soft delete of a plugin, and what restore and purge need of it. Source: spec platform 10.1 and 22. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import type { ReadContext, Runtime, WriteContext } from '../../runtime/operation/context.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { pluginReferencesPort } from '../../runtime/records/plugin-references.js'
import { deletedNow, deletedView, isDeleted } from '../../runtime/records/soft-delete.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { cancelBuilds } from '../build-job/cancel-builds.js'
import { imageLeft, publicCopiesOf } from '../build-job/image-messages.js'
import { deleteJobs } from '../build-job/log-rows.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { dropBeside, savePlugin } from './save.js'
import { stamped } from './update.js'

export const Force = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Even while pipelines use exactly this version' })),
})

const PINNING_SHOWN = 20

/** @throws Refusal 409 that names the pipelines that would lose their plugin. */
export async function checkNotPinned(db: Db, { runtime }: Pick<ReadContext, 'runtime'>, row: PluginRow): Promise<void> {
  const pipelines = (await findPort(runtime, pluginReferencesPort)?.pinning(db, row.orgId, row, PINNING_SHOWN)) ?? []
  if (pipelines.length === 0) return
  throw new Refusal('CONFLICT', `pipelines use ${row.name} ${row.version}: change them, or send \`?force=true\``, {
    details: { pipelines },
  })
}

export async function bury(context: WriteContext<'plugin.build.cancel'>, row: PluginRow) {
  const tombstone = deletedNow(context)
  const { tx } = context
  await savePlugin(tx, stamped(context, { ...row, ...tombstone, isDefault: false }))
  await cancelBuilds(context, row, 'the plugin was deleted')
  if (row.imageDigest !== null) await context.enqueue(publicCopiesOf(row))
  await announceEntity(context, row.orgId, { target: 'plugin', entityId: row.id, eventType: 'deleted' })
  return deletedView(row.id, `the plugin ${row.name} ${row.version}`, tombstone)
}

/** Purges plugins with every row that depends on them; the sweep of blobs deletes their archives. */
export async function purgePlugins(tx: Tx, orgId: string, ids: readonly string[], runtime?: Runtime): Promise<void> {
  const { plugins, buildJobs } = pluginTables(tx)
  if (runtime !== undefined) await leaveImages(tx, runtime, orgId, ids)
  await dropBeside(tx, orgId, ids)
  const jobs = await tx
    .select({ id: buildJobs.id })
    .from(buildJobs)
    .where(and(eq(buildJobs.orgId, orgId), inArray(buildJobs.pluginId, [...ids])))
  const jobIds = jobs.map(({ id }) => id)
  await deleteJobs(tx, orgId, jobIds)
  await tx.delete(plugins).where(and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids])))
}

/** Their images are deleted a day later. */
async function leaveImages(tx: Tx, runtime: Runtime, orgId: string, ids: readonly string[]): Promise<void> {
  const { plugins: t } = pluginTables(tx)
  const rows = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.id, [...ids])))
  for (const row of rows) {
    const message = imageLeft(row, runtime.clock.now())
    if (message !== null) await enqueue(tx, runtime, message)
  }
}

export const onPlugin = Type.Object({ id: Uuid })

/** A deleted plugin of the organization. @throws Refusal 404. */
export async function deletedPlugin(db: Db, orgId: string, id: string): Promise<PluginRow> {
  const { plugins } = pluginTables(db)
  // guard: a-deleted-plugin-is-an-own-one
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, id), eq(plugins.orgId, orgId), isDeleted(plugins)))
  if (row === undefined) throw notFound('Plugin')
  return row
}
