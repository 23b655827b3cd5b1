/** `GET /plugins` and `GET /plugins/deleted`. */
import { and, eq } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { countRows, listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { isDeleted } from '../../runtime/records/tombstone.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { organizationsOf, PLUGIN_FILTERS, type PluginFilter, pluginsWhere } from './filter.js'
import { READ_PLUGINS } from './get.js'
import { PluginRecord, pluginView } from './view.js'
import { tenantKey } from './visible.js'

const SORTS = ['createdAt', 'updatedAt', 'name', 'version', 'category'] as const

const plugins = listOf({
  key: 'plugins',
  item: PluginRecord,
  filters: PLUGIN_FILTERS,
  patterns: LABEL_FILTERS,
  sortBy: SORTS,
})

const VALUE_OF = {
  createdAt: 'createdAtMs',
  updatedAt: 'updatedAtMs',
  name: 'name',
  version: 'versionKey',
  category: 'category',
} as const

export const listPlugins = query({
  name: 'plugin.plugin.list',
  summary: 'List plugins',
  description:
    'Those of the organization, the public ones of its parent, and the public ones of the system organization.',
  http: { method: 'get', path: '/plugins' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { query: plugins.query },
  output: plugins.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const { db } = context
    const { plugins: table } = pluginTables(db)
    const filter = asked as PluginFilter
    const conditions: (Awaited<ReturnType<typeof pluginsWhere>> | undefined)[] = []
    for (const orgId of organizationsOf(tenantKey(context), filter)) {
      conditions.push(await pluginsWhere(context, orgId, filter))
    }
    const by = VALUE_OF[(asked.sortBy ?? 'createdAt') as (typeof SORTS)[number]]
    const isDescending = (asked.sortOrder ?? 'desc') === 'desc'
    return plugins.rows<PluginRow, ReturnType<typeof pluginView>>({
      columns: {
        createdAt: table.createdAtMs,
        updatedAt: table.updatedAtMs,
        name: table.name,
        version: table.versionKey,
        category: table.category,
      },
      id: table.id,
      query: asked,
      present: pluginView,
      // Each organization's part is read in order by its own index; together they are merged here.
      async fetch({ after, orderBy, limit, offset }) {
        const parts: PluginRow[][] = []
        for (const where of conditions) {
          const part = await db
            .select()
            .from(table)
            .where(and(where, after))
            .orderBy(...orderBy)
            .limit(offset + limit)
          parts.push(part)
        }
        const merged = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(compareBy(by, isDescending))
        return merged.slice(offset, offset + limit)
      },
      async count(atMost) {
        let count = 0
        for (const where of conditions) count += await countRows(db, table, where, atMost)
        return count
      },
      place: (row, sortBy) => ({ value: row[VALUE_OF[sortBy]], id: row.id }),
    })
  },
})

/** As the databases compare: numbers by size, texts by their bytes, ties by id. */
function compareBy(by: (typeof VALUE_OF)[keyof typeof VALUE_OF], isDescending: boolean) {
  const compare = (a: string | number, b: string | number): number =>
    typeof a === 'number' || typeof b === 'number'
      ? Number(a) - Number(b)
      : Buffer.compare(Buffer.from(a), Buffer.from(b))
  return (a: PluginRow, b: PluginRow): number => {
    const order = compare(a[by], b[by]) || compare(a.id, b.id)
    return isDescending ? -order : order
  }
}

const deleted = listOf({ key: 'plugins', item: PluginRecord, sortBy: ['updatedAt'] })

export const listDeletedPlugins = query({
  name: 'plugin.deleted.list',
  summary: 'List deleted plugins',
  http: { method: 'get', path: '/plugins/deleted' },
  access: permission('plugins:read'),
  tenant: fromHeader,
  input: { query: deleted.query },
  output: deleted.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const { db } = context
    const { plugins: table } = pluginTables(db)
    return deleted.page(db, {
      table,
      where: and(eq(table.orgId, tenantId(context)), isDeleted(table)),
      columns: { updatedAt: table.updatedAtMs },
      id: table.id,
      query: asked,
      present: pluginView,
    })
  },
})
