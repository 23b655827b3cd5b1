/** Which live pipelines refer to which plugins, for the plugin domain. */
import { and, asc, count, countDistinct, eq } from 'drizzle-orm'
import type { PluginReferencesPort } from '../runtime/records/plugin-references.js'
import { pipelineTables } from './tables.js'

export const pluginReferences: PluginReferencesPort = {
  byName(db, orgId) {
    const { pipelinePlugins: t } = pipelineTables(db)
    return db
      .select({ name: t.name, pipelines: countDistinct(t.pipelineId) })
      .from(t)
      .where(eq(t.orgId, orgId))
      .groupBy(t.name)
      .orderBy(asc(t.name))
  },
  async byVersion(db, orgId) {
    const { pipelinePlugins: t } = pipelineTables(db)
    const rows = await db
      .select({ name: t.name, version: t.version, pipelines: count() })
      .from(t)
      .where(eq(t.orgId, orgId))
      .groupBy(t.name, t.version)
      .orderBy(asc(t.name), asc(t.version))
    return rows.map(({ version, ...row }) => ({ ...row, version: version === '' ? null : version }))
  },
  pinning(db, orgId, { name, version }, atMost) {
    const { pipelinePlugins: t, pipelines } = pipelineTables(db)
    return db
      .select({ id: pipelines.id, pipelineName: pipelines.pipelineName })
      .from(t)
      .innerJoin(pipelines, and(eq(pipelines.id, t.pipelineId), eq(pipelines.orgId, t.orgId)))
      .where(and(eq(t.orgId, orgId), eq(t.name, name), eq(t.version, version)))
      .orderBy(asc(pipelines.id))
      .limit(atMost)
  },
}
