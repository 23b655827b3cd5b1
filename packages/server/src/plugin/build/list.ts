/** List builds. */
import { and, getTableColumns } from 'drizzle-orm'
import Type from 'typebox'
import { equals } from '../../runtime/operation/filters.js'
import { countRows, listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { oneOf } from '../manifest/schema.js'
import { READ_PLUGINS } from '../read-access.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { BUILD_STATES } from './plan.js'
import { Build, buildView } from './record.js'
import { isShownAs, shownState } from './shown-state.js'
import { SYSTEM_ADMINS, seen } from './visible.js'

const builds = listOf({
  key: 'builds',
  item: Build,
  filters: {
    state: Type.Optional(oneOf(BUILD_STATES)),
    pluginName: Type.Optional(Type.String({ maxLength: 64, description: 'Of this plugin, in every version' })),
    pluginId: Type.Optional(Uuid),
  },
  sortBy: ['createdAt'],
})

export const listBuilds = query({
  name: 'plugin.build.list',
  summary: 'List builds',
  description: 'Builds that wait or run, and those that ended within thirty days.',
  http: { method: 'get', path: '/plugins/builds' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  input: { query: builds.query },
  output: builds.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const { db } = context
    const { buildJobs: t } = pluginTables(db)
    const { state, pluginName, pluginId } = asked as { state?: string; pluginName?: string; pluginId?: string }
    const where = and(
      seen(context, db),
      state === undefined ? undefined : isShownAs(context, state),
      equals(t.pluginName, pluginName),
      equals(t.pluginId, pluginId),
    )
    return builds.rows<BuildJobRow, ReturnType<typeof buildView>>({
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      fetch: ({ after, orderBy, limit, offset }) =>
        db
          .select({ ...getTableColumns(t), state: shownState(context) })
          .from(t)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: (atMost) => countRows(db, t, where, atMost),
      place: (row) => ({ value: row.createdAtMs, id: row.id }),
      present: buildView,
    })
  },
})
