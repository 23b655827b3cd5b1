/** Plugins as scans and re-checks read them, and as pipelines resolve their references. */
import { and, asc, count, desc, eq, gt, inArray, isNotNull, or, type Placeholder, type SQL } from 'drizzle-orm'
import { type Entity, type EntityFilter, type EntitySource, wantedOf } from '../runtime/inventory.js'
import { containsText, equals } from '../runtime/operation/filters.js'
import type { PluginCatalogPort, ResolvedPlugin } from '../runtime/records/plugin-catalog.js'
import type { PluginNamesPort, PluginOfImage } from '../runtime/records/plugin-names.js'
import { isLive } from '../runtime/records/soft-delete.js'
import type { Db } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { pluginAttributes } from './plugin/attributes.js'
import { nearestOfName, pluginOfVersion } from './plugin/visible.js'
import { type PluginRow, pluginTables } from './tables.js'

const entityOf = (row: PluginRow): Entity => ({
  id: row.id,
  name: row.name,
  revision: row.revision,
  attributes: pluginAttributes(row),
})

function matching(db: Db, orgId: string, filter: EntityFilter = {}): SQL | undefined {
  const { plugins } = pluginTables(db)
  return and(
    eq(plugins.orgId, orgId),
    isLive(plugins),
    filter.entityIds === undefined ? undefined : inArray(plugins.id, [...filter.entityIds]),
    filter.name === undefined ? undefined : containsText(plugins.name, filter.name),
    equals(plugins.accessModifier, filter.accessModifier),
    equals(plugins.isDefault, filter.isDefault),
  )
}

export const pluginEntities: EntitySource = {
  target: 'plugin',
  async read(db, orgId, id) {
    const { plugins } = pluginTables(db)
    const [row] = await db
      .select()
      .from(plugins)
      .where(and(matching(db, orgId), eq(plugins.id, id)))
    return row === undefined ? null : entityOf(row)
  },
  async page(db, orgId, { afterId, limit, filter, offset = 0, order = 'asc' }) {
    const { plugins } = pluginTables(db)
    const rows = await db
      .select()
      .from(plugins)
      .where(and(matching(db, orgId, filter), gt(plugins.id, afterId)))
      .orderBy(order === 'asc' ? asc(plugins.id) : desc(plugins.id))
      .limit(limit)
      .offset(offset)
    return rows.map(entityOf)
  },
  async count(db, orgId, filter) {
    const { plugins } = pluginTables(db)
    const [row] = await db
      .select({ count: count() })
      .from(plugins)
      .where(matching(db, orgId, filter))
    return Number(row?.count ?? 0)
  },
  async idOfKey(db, orgId, key) {
    return 'project' in key ? null : ((await pluginOfVersion(db, orgId, key.name, key.version))?.id ?? null)
  },
  async find(db, orgId, { ids, keys }) {
    const { plugins: t } = pluginTables(db)
    const names = keys.flatMap((key) => ('project' in key ? [] : [key.name]))
    if (ids.length + names.length === 0) return []
    const rows = await db
      .select({ id: t.id, name: t.name, version: t.version })
      .from(t)
      .where(and(eq(t.orgId, orgId), isLive(t), or(inArray(t.id, [...ids]), inArray(t.name, names))))
    return wantedOf(
      rows.map(({ id, name, version }) => ({ id, name, key: { name, version } })),
      { ids, keys },
    )
  },
}

export const pluginCatalog: PluginCatalogPort = {
  async resolve(db, key, references) {
    const answers: ResolvedPlugin[] = []
    for (const reference of references) {
      const row = await nearestOfName(db, key, reference.name, reference.version)
      answers.push({
        ...reference,
        state: row === null ? 'not-found' : row.isActive && isBuilt(row) ? 'ready' : 'not-ready',
        isDeprecated: row?.lifecycle === 'deprecated',
      })
    }
    return answers
  },
}

const oneOfName = prepared((db, value: (name: 'orgId' | 'name') => Placeholder) => {
  const { plugins } = pluginTables(db)
  return db
    .select({ id: plugins.id })
    .from(plugins)
    .where(and(eq(plugins.orgId, value('orgId')), eq(plugins.name, value('name'))))
    .limit(1)
})

/** A deleted plugin may be restored, so its name stays taken. */
export const pluginNames: PluginNamesPort = {
  isTaken: async (db, orgId, name) => (await oneOfName(db, { orgId, name })).length > 0,
  async ofName(db, orgId, name) {
    const { plugins: t } = pluginTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.name, name), isNotNull(t.imageDigest)))
    return rows.map(imageOf)
  },
  async ofImages(db, digests) {
    const { plugins: t } = pluginTables(db)
    const found: PluginRow[] = []
    for (let at = 0; at < digests.length; at += DIGESTS_AT_ONCE) {
      const some = digests.slice(at, at + DIGESTS_AT_ONCE)
      found.push(...(await db.select().from(t).where(inArray(t.imageDigest, some))))
    }
    return found.map(imageOf)
  },
}

const imageOf = (row: PluginRow): PluginOfImage => {
  const { id, orgId, name, version, imageDigest, imageRef } = row
  return {
    ...{ pluginId: id, orgId, name, version, digest: imageDigest ?? '', imageRef: imageRef ?? '' },
    isPublic: isPublicImage(row),
  }
}

/** Whether the image of the version is copied to where other organizations pull. */
export const isPublicImage = ({ accessModifier, buildStatus, deletedAtMs, imageDigest }: PluginRow): boolean =>
  accessModifier === 'public' && buildStatus === 'ready' && deletedAtMs === null && imageDigest !== null

const DIGESTS_AT_ONCE = 500

const isBuilt = ({ buildStatus }: PluginRow): boolean => buildStatus === 'none' || buildStatus === 'ready'
