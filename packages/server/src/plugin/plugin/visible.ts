/** Reads one plugin or a few: those that an organization can see, and its own. */
import { and, asc, desc, eq, inArray, type Placeholder } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import { inPart, isVisible, partsOf } from '../../runtime/records/visible.js'
import type { Db, TenantKey } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { type PluginRow, pluginTables } from '../tables.js'

/** @throws Refusal 404, the same for a plugin of another organization. */
export async function visiblePlugin(db: Db, key: TenantKey, id: string): Promise<PluginRow> {
  const { plugins } = pluginTables(db)
  // guard: a-plugin-by-id-is-one-that-is-seen
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.id, id), isLive(plugins), isVisible(key, plugins)))
  if (row === undefined) throw notFound('Plugin')
  return row
}

/** A live plugin of the organization itself. @throws Refusal 404. */
export async function ownPlugin(db: Db, orgId: string, id: string): Promise<PluginRow> {
  const [row] = await ownPlugins(db, orgId, [id])
  if (row === undefined) throw notFound('Plugin')
  return row
}

export async function ownPlugins(db: Db, orgId: string, ids: readonly string[]): Promise<PluginRow[]> {
  const { plugins } = pluginTables(db)
  // guard: a-plugin-to-be-changed-is-an-own-one
  return db
    .select()
    .from(plugins)
    .where(and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids]), isLive(plugins)))
}

/** The plugin of this name and exact version; null when there is none. */
export async function pluginOfVersion(db: Db, orgId: string, name: string, version: string): Promise<PluginRow | null> {
  const { plugins } = pluginTables(db)
  const [row] = await db
    .select()
    .from(plugins)
    .where(and(eq(plugins.orgId, orgId), eq(plugins.name, name), eq(plugins.version, version), isLive(plugins)))
  return row ?? null
}

/** Prepared, because each change of a pipeline looks up every plugin that it names. */
const firstOfName = (isShared: boolean, isOfVersion: boolean) =>
  prepared((db, value: (name: 'orgId' | 'name' | 'version') => Placeholder) => {
    const { plugins } = pluginTables(db)
    const isVersion = isOfVersion ? eq(plugins.version, value('version')) : undefined
    return db
      .select()
      .from(plugins)
      .where(
        and(
          inPart({ orgId: value('orgId'), isShared }, plugins),
          isLive(plugins),
          eq(plugins.name, value('name')),
          isVersion,
        ),
      )
      .orderBy(desc(plugins.isDefault), desc(plugins.isActive), desc(plugins.versionKey), asc(plugins.id))
      .limit(1)
  })
const OWN = { ofVersion: firstOfName(false, true), ofAny: firstOfName(false, false) }
const SHARED = { ofVersion: firstOfName(true, true), ofAny: firstOfName(true, false) }

/**
 * Resolves a reference. Without a version it is the default of the nearest organization that has one; if none has, the
 * highest version of the nearest organization. Source: spec platform 10.1 (resolution without version).
 */
export async function nearestOfName(
  db: Db,
  key: TenantKey,
  name: string,
  version: string | null = null,
): Promise<PluginRow | null> {
  let nearest: PluginRow | null = null
  for (const { orgId, isShared } of partsOf(key)) {
    const first = isShared ? SHARED : OWN
    const [row] = await (version === null ? first.ofAny : first.ofVersion)(db, { orgId, name, version })
    if (row?.isDefault === true || (row !== undefined && version !== null)) return row
    nearest ??= row ?? null
  }
  return nearest
}
