/** Which plugins are live, for the domain that reports on builds. */
import { and, asc, inArray } from 'drizzle-orm'
import type { KnownPluginsPort } from '../runtime/records/finished-builds.js'
import { isLive } from '../runtime/records/soft-delete.js'
import { pluginTables } from './tables.js'

export const knownPlugins: KnownPluginsPort = {
  async known(db, orgIds) {
    const { plugins: t } = pluginTables(db)
    const rows = await db
      .select({
        orgId: t.orgId,
        name: t.name,
        version: t.version,
        pluginType: t.pluginType,
        computeType: t.computeType,
        category: t.category,
        lifecycle: t.lifecycle,
        accessModifier: t.accessModifier,
        buildStatus: t.buildStatus,
        isActive: t.isActive,
        isDefault: t.isDefault,
        isLatest: t.isLatest,
        createdMs: t.createdAtMs,
      })
      .from(t)
      .where(and(inArray(t.orgId, [...orgIds]), isLive(t)))
      .orderBy(asc(t.orgId), asc(t.name), asc(t.versionKey))
    return rows
  },
}
