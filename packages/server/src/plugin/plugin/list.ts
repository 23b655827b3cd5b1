/** `GET /plugins`. */
import { tenantKey } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { type ListPart, partsOf, rowsOfParts, scopeOf } from '../../runtime/records/visible.js'
import { READ_PLUGINS } from '../read-access.js'
import { pluginTables } from '../tables.js'
import { PLUGIN_FILTERS, type PluginFilter, partOfQuery } from './filter.js'
import { PluginRecord, pluginView } from './view.js'

const SORTS = ['createdAt', 'updatedAt', 'name', 'version', 'category'] as const

const plugins = listOf({
  key: 'plugins',
  item: PluginRecord,
  filters: PLUGIN_FILTERS,
  patterns: LABEL_FILTERS,
  sortBy: SORTS,
})

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
    const filter = asked as PluginFilter & PageQuery
    const parts: ListPart[] = []
    for (const part of partsOf(tenantKey(context), scopeOf(filter))) {
      parts.push(await partOfQuery(context, part, filter))
    }
    return plugins.rows(
      rowsOfParts(db, {
        table,
        parts,
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
      }),
    )
  },
})
