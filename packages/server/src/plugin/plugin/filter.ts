/** The filters and sort orders of plugins. Source: spec platform 21. */
import { asc, desc, eq, type SQL } from 'drizzle-orm'
import { parse } from 'semver'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { type ReadContext, tenantKey } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { countRows, type PageQuery } from '../../runtime/operation/list.js'
import { narrowedById } from '../../runtime/records/by-id.js'
import { CATALOG_FILTERS, type CatalogQuery, catalogFilters } from '../../runtime/records/catalog.js'
import { listPart } from '../../runtime/records/index-tables.js'
import { wantedLabels } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import { type ListPart, type Part, partsOf, scopeOf } from '../../runtime/records/visible.js'
import type { Db } from '../../runtime/store/db.js'
import { type Narrowing, narrowWhere } from '../../runtime/store/index-table-filters.js'
import { matchText } from '../../runtime/store/search.js'
import { BUILD_TYPES, COMPUTE_TYPES, oneOf, PLUGIN_TYPES } from '../manifest/schema.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { versionIs } from '../version.js'
import { ACCESS_MODIFIERS, BUILD_STATUSES } from './view.js'

const text = (description: string, maxLength = 255) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

export const PLUGIN_FILTERS = {
  id: text('An id, ids separated by commas, or the first 8 or more characters of one', 4000),
  name: text('Contains this text, ignoring case'),
  nameExact: text('Is named so'),
  version: text('An exact version, or a range such as `^1.2.0`'),
  pluginType: Type.Optional(oneOf(PLUGIN_TYPES)),
  computeType: Type.Optional(oneOf(COMPUTE_TYPES)),
  category: text('Of this category'),
  keyword: text('Has this keyword'),
  q: text('Name, description, category or keywords contain this text'),
  buildType: Type.Optional(oneOf(BUILD_TYPES)),
  buildStatus: Type.Optional(oneOf(BUILD_STATUSES)),
  accessModifier: Type.Optional(
    Type.Unsafe<(typeof ACCESS_MODIFIERS)[number]>({
      type: 'string',
      enum: [...ACCESS_MODIFIERS],
      description: '`public` excludes what is shared only within the organization; `private` lists its own',
    }),
  ),
  isActive: Type.Optional(
    Type.Unsafe<'true' | 'false' | 'all'>({
      type: 'string',
      enum: ['true', 'false', 'all'],
      description: '`true` by default, `all` with `buildStatus`: a plugin is inactive until its image is built',
    }),
  ),
  isDefault: Type.Optional(Type.Boolean({ description: 'Whether it is the default version of its name' })),
  latestOnly: Type.Optional(Type.Boolean({ description: 'The highest version of each name' })),
  scope: Type.Optional(
    Type.Unsafe<'own' | 'shared'>({
      type: 'string',
      enum: ['own', 'shared'],
      description: 'Of the organization, or shared with it',
    }),
  ),
  ...CATALOG_FILTERS,
}

/** The filters of `find` and `lookup`, which also find plugins that are not active. */
export const LOOKUP_FILTERS = PLUGIN_FILTERS

const Filter = Type.Object(PLUGIN_FILTERS)
export type PluginFilter = Static<typeof Filter> & CatalogQuery

/** The plugins of one part that match the filter. */
export async function partOfQuery(
  context: Pick<ReadContext, 'db' | 'principal'>,
  part: Part,
  filter: PluginFilter & PageQuery,
): Promise<ListPart> {
  const { db } = context
  const { orgId } = part
  const { plugins: t, pluginKeywords: k, pluginLabels, pluginSearch } = pluginTables(db)
  const { name, q, keyword, ownerId, isDefault, version, sortBy } = filter
  // Queued, building and failed plugins are inactive: a caller who filters by build status wants them too.
  const isActive = filter.isActive ?? (filter.buildStatus === undefined ? 'true' : 'all')
  const isByCreation = sortBy === undefined || sortBy === 'createdAt'
  const texts = await narrowedById(db, t, orgId, filter.id)
  if (filter.nameExact !== undefined) texts.push(await namedSo(db, orgId, filter.nameExact))
  if (name !== undefined) texts.push(await matchText(db, pluginSearch, t.id, { orgId, text: name, in: 'title' }))
  if (q !== undefined) texts.push(await matchText(db, pluginSearch, t.id, { orgId, text: q, in: 'all' }))
  const isVersion = version === undefined ? undefined : versionMatches(t, version)
  const equal = (name: (typeof EQUAL)[number]) => (filter[name] === undefined ? undefined : eq(t[name], filter[name]))
  // Filters that match many rows have an index in the order of creation only; with another order the rows are compared.
  const many = [
    isExact(version) ? isVersion : undefined,
    ...EQUAL.map(equal),
    equals(t.isDefault, isDefault),
    filter.latestOnly === true ? eq(t.isLatest, true) : undefined,
  ]
  return listPart(db, {
    part,
    table: t,
    live: isLive(t),
    isActive: isActive === 'all' ? 'all' : isActive === 'true',
    leading: [
      ownerId === undefined ? undefined : catalogFilters(context, t, { ownerId }),
      ...(isByCreation ? many : []),
    ],
    compared: [...(isByCreation ? [] : many), isExact(version) ? undefined : isVersion],
    wanted: [
      ...(keyword === undefined ? [] : [{ table: k, entityId: k.entityId, is: eq(k.keyword, keyword.toLowerCase()) }]),
      ...wantedLabels(pluginLabels, { ...filter }),
    ],
    texts,
    isByCreation,
  })
}

/** The versions of a name. There are usually few, so an index in the order of the list would not pay off. */
function namedSo(db: Db, orgId: string, name: string): Promise<Narrowing> {
  const { plugins: t } = pluginTables(db)
  return narrowWhere(db, { table: t, id: t.id, among: eq(t.orgId, orgId), is: eq(t.name, name) })
}

/** The most selective column first. */
const EQUAL = [
  'buildStatus',
  'category',
  'buildType',
  'pluginType',
  'computeType',
  'criticality',
  'lifecycle',
  'accessModifier',
] as const

const isExact = (version: string | undefined): boolean => version !== undefined && parse(version) !== null

function versionMatches(columns: Parameters<typeof versionIs>[0], wanted: string): SQL {
  const where = versionIs(columns, wanted)
  if (where === null) throw invalidField('/query/version', 'is neither a version nor a range of versions', 'version')
  return where
}

/** The first match by nearness, default and version, and the number of matches. */
export async function firstMatch(
  context: Pick<ReadContext, 'db' | 'principal' | 'authority'>,
  asked: PluginFilter,
): Promise<{ readonly row: PluginRow; readonly matchedCount: number } | null> {
  const { db } = context
  const { plugins } = pluginTables(db)
  const filter: PluginFilter = { isActive: 'all', ...asked }
  let row: PluginRow | undefined
  let matchedCount = 0
  for (const part of partsOf(tenantKey(context), scopeOf(filter))) {
    // The default version comes first: an order of its own that no index has.
    const { where } = await partOfQuery(context, part, { ...filter, sortBy: 'default' })
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
