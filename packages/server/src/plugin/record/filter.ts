/** What plugins are found by. Source: platform decisions 21. */
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { idMatches } from '../../runtime/operation/filters.js'
import { countRows } from '../../runtime/operation/list.js'
import { CATALOG_FILTERS, type CatalogQuery, catalogFilters } from '../../runtime/records/catalog.js'
import { labelsIn, matchLabel } from '../../runtime/records/labels.js'
import type { Db, TenantKey } from '../../runtime/store/db.js'
import { type Narrowing, narrowBy, narrowed } from '../../runtime/store/narrow.js'
import { matchText } from '../../runtime/store/search.js'
import { BUILD_TYPES, COMPUTE_TYPES, oneOf, PLUGIN_TYPES } from '../manifest/schema.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { versionIs } from '../version.js'
import { ACCESS_MODIFIERS, BUILD_STATUSES } from './view.js'
import { tenantKey, visibleIn } from './visible.js'

const text = (description: string, maxLength = 255) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const PLUGIN_FILTERS = {
  id: text('An id, ids with commas between, or the first 8 or more characters of one', 4000),
  name: text('Holds this text, letters of either case alike'),
  nameExact: text('Is named so'),
  version: text('An exact version, or a range such as `^1.2.0`'),
  pluginType: Type.Optional(oneOf(PLUGIN_TYPES)),
  computeType: Type.Optional(oneOf(COMPUTE_TYPES)),
  category: text('Of this category'),
  keyword: text('Has this keyword'),
  q: text('Name, description, category or keywords hold this text'),
  buildType: Type.Optional(oneOf(BUILD_TYPES)),
  buildStatus: Type.Optional(oneOf(BUILD_STATUSES)),
  accessModifier: Type.Optional(
    Type.Unsafe<(typeof ACCESS_MODIFIERS)[number]>({
      type: 'string',
      enum: [...ACCESS_MODIFIERS],
      description: '`public` leaves what is shared with the organization; `private` is the own ones',
    }),
  ),
  isActive: Type.Optional(
    Type.Unsafe<'true' | 'false' | 'all'>({
      type: 'string',
      enum: ['true', 'false', 'all'],
      default: 'true',
      description: 'A plugin is inactive until its image is built',
    }),
  ),
  isDefault: Type.Optional(Type.Boolean({ description: 'Is what a reference without a version means' })),
  latestOnly: Type.Optional(Type.Boolean({ description: 'The highest version of each name' })),
  scope: Type.Optional(
    Type.Unsafe<'own' | 'shared'>({
      type: 'string',
      enum: ['own', 'shared'],
      description: 'Of the own organization, or shared with it',
    }),
  ),
  ...CATALOG_FILTERS,
}

/** What `find` and `lookup` take; a plugin that is not active is found too. */
export const LOOKUP_FILTERS = PLUGIN_FILTERS

const Filter = Type.Object(PLUGIN_FILTERS)
export type PluginFilter = Static<typeof Filter> & CatalogQuery

/** The organizations whose plugins the filter is about, nearest first. */
export function organizationsOf(key: TenantKey, { scope, accessModifier }: PluginFilter): string[] {
  const isShared = scope !== 'own' && accessModifier !== 'private'
  return [...(scope === 'shared' ? [] : [key.orgId]), ...(isShared ? key.readableOrgIds : [])]
}

/** The plugins of one organization that the filter lets through, for the tenant. */
export async function pluginsWhere(
  context: Pick<ReadContext, 'db' | 'principal' | 'authority'>,
  orgId: string,
  filter: PluginFilter,
): Promise<SQL | undefined> {
  const { db } = context
  const { plugins, pluginKeywords, pluginLabels, pluginSearch } = pluginTables(db)
  const narrowings: Promise<Narrowing>[] = []
  if (filter.name !== undefined) {
    narrowings.push(matchText(db, pluginSearch, plugins.id, { orgId, text: filter.name, in: 'title' }))
  }
  if (filter.q !== undefined) {
    narrowings.push(matchText(db, pluginSearch, plugins.id, { orgId, text: filter.q, in: 'all' }))
  }
  if (filter.keyword !== undefined) {
    const where = and(eq(pluginKeywords.orgId, orgId), eq(pluginKeywords.keyword, filter.keyword.toLowerCase()))
    narrowings.push(narrowBy(db, { table: pluginKeywords, where, entityId: pluginKeywords.entityId, id: plugins.id }))
  }
  for (const [key, value] of labelsIn({ ...filter })) {
    narrowings.push(matchLabel(db, pluginLabels, plugins.id, { orgId, key, value }))
  }
  const equal = (['pluginType', 'computeType', 'category', 'buildType', 'buildStatus', 'accessModifier'] as const).map(
    (name) => (filter[name] === undefined ? undefined : eq(plugins[name], filter[name])),
  )
  const isActive = filter.isActive ?? 'true'
  const own = and(
    visibleIn(db, tenantKey(context), orgId),
    ...equal,
    filter.nameExact === undefined ? undefined : eq(plugins.name, filter.nameExact),
    isActive === 'all' ? undefined : eq(plugins.isActive, isActive === 'true'),
    filter.isDefault === undefined ? undefined : eq(plugins.isDefault, filter.isDefault),
    filter.version === undefined ? undefined : versionMatches(plugins, filter.version),
    filter.latestOnly === true ? isLatest(db) : undefined,
    idMatches(plugins.id, filter.id),
    catalogFilters(context, plugins, filter),
  )
  const by: Narrowing[] = []
  for (const narrowing of narrowings) by.push(await narrowing)
  return narrowed(db, own, by)
}

function versionMatches(columns: Parameters<typeof versionIs>[0], wanted: string): SQL {
  const where = versionIs(columns, wanted)
  if (where === null) throw invalidField('/query/version', 'is neither a version nor a range of versions', 'version')
  return where
}

/** No live version of the same name and organization is higher. */
function isLatest(db: Db): SQL {
  const { plugins } = pluginTables(db)
  return sql`NOT EXISTS (SELECT 1 FROM plugins AS higher WHERE higher.org_id = ${plugins.orgId} AND higher.name = ${plugins.name}
    AND higher.version_key > ${plugins.versionKey} AND higher.deleted_at_ms IS NULL AND higher.is_active)`
}

/** The first match by nearness, default and version, and how many there are. */
export async function firstMatch(
  context: Pick<ReadContext, 'db' | 'principal' | 'authority'>,
  asked: PluginFilter,
): Promise<{ readonly row: PluginRow; readonly matchedCount: number } | null> {
  const { db } = context
  const { plugins } = pluginTables(db)
  const filter: PluginFilter = { isActive: 'all', ...asked }
  let row: PluginRow | undefined
  let matchedCount = 0
  for (const orgId of organizationsOf(tenantKey(context), filter)) {
    const where = await pluginsWhere(context, orgId, filter)
    matchedCount += await countRows(db, plugins, where, 10_000)
    if (row !== undefined) continue
    ;[row] = await db
      .select()
      .from(plugins)
      .where(where)
      .orderBy(desc(plugins.isDefault), desc(plugins.versionKey), asc(plugins.id))
      .limit(1)
  }
  return row === undefined ? null : { row, matchedCount }
}
