/** The plugin of a build: while the plugin is live, its state follows that of the build. */
import { and, eq } from 'drizzle-orm'
import { isLive } from '../../runtime/records/soft-delete.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'

type Of = Pick<BuildJobRow, 'pluginId' | 'orgId'>

export async function livePlugin(db: Db, { pluginId, orgId }: Of): Promise<PluginRow | null> {
  const { plugins } = pluginTables(db)
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, pluginId), eq(plugins.orgId, orgId), isLive(plugins)))
  return row ?? null
}

export async function setStatus(tx: Tx, { pluginId, orgId }: Of, buildStatus: string): Promise<void> {
  const { plugins } = pluginTables(tx)
  await tx
    .update(plugins)
    .set({ buildStatus })
    .where(and(eq(plugins.id, pluginId), eq(plugins.orgId, orgId), isLive(plugins)))
}
