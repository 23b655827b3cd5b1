/**
 * The locks of a change of plugins, in the one order that all take them in.
 *
 * INVARIANT: the unfinished builds of the plugins by id, then the names by their text, then the rows of plugins by id. The
 * end of a build holds the row of the build before it looks at the plugin, and a change of one version writes others of
 * its name.
 */
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { lockName, lockRows } from '../../runtime/store/postgres.js'
import { pluginTables } from '../tables.js'
import { UNFINISHED } from './cancel-builds.js'

/** @param newName the name of a plugin that has no row yet. */
export async function lockPlugins(tx: Tx, orgId: string, ids: readonly string[], newName?: string): Promise<void> {
  if (tx.database !== 'pg') return
  const { buildJobs, plugins } = pluginTables(tx)
  const ofPlugins = and(eq(buildJobs.orgId, orgId), inArray(buildJobs.pluginId, [...ids]))
  const jobs = await tx
    .select({ id: buildJobs.id })
    .from(buildJobs)
    .where(and(ofPlugins, inArray(buildJobs.state, [...UNFINISHED])))
  const jobIds = jobs.map(({ id }) => id)
  // guard: builds-are-locked-before-their-plugins
  await lockRows(tx, 'build_jobs', jobIds)
  const named = await tx
    .select({ name: plugins.name })
    .from(plugins)
    .where(and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids])))
  const names = new Set([...named.map(({ name }) => name), ...(newName === undefined ? [] : [newName])])
  for (const name of [...names].sort()) await lockPluginName(tx, orgId, name)
  await lockRows(tx, 'plugins', ids)
}

/** The versions of a name share one default and one latest, and two uploads of one version must find each other. */
export const lockPluginName = (tx: Tx, orgId: string, name: string): Promise<void> =>
  lockName(tx, `plumbline.plugin ${orgId} ${name}`)
