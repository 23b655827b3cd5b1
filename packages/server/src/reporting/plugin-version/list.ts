/** `GET /reports/plugins/versions`: the versions of each plugin, and how many are old. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { pluginReport, pluginsOf } from '../report/plugin-report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })

export const listPluginVersions = pluginReport({
  name: 'reporting.plugin-version.list',
  summary: 'List the versions of each plugin',
  description: 'Of plugins as they are now, independent of the window; those with the most versions first.',
  path: '/reports/plugins/versions',
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })) },
  output: {
    plugins: Type.Array(
      strictObject({
        orgId: Uuid,
        pluginName: Type.String(),
        versions: Count,
        active: Count,
        latest: nullable(Type.String({ description: 'The highest active version' })),
        default: nullable(Type.String({ description: 'The version of a pipeline that names none' })),
        deprecated: Count,
        newestAt: Instant,
      }),
    ),
    total: Count,
  },
  forms: {
    csv: ({ plugins }) =>
      tableOf(plugins, ['pluginName', 'versions', 'active', 'latest', 'default', 'deprecated', 'newestAt', 'orgId']),
  },
  async run(context, query, asked) {
    const known = await pluginsOf(context, query, asked)
    const plugins = [...groupBy(known, ({ orgId, name }) => `${orgId}\n${name}`).values()].map((own) => {
      const [{ orgId, name }] = own as [(typeof known)[number]]
      return {
        orgId,
        pluginName: name,
        versions: own.length,
        active: own.filter(({ isActive }) => isActive).length,
        latest: own.find(({ isLatest }) => isLatest)?.version ?? null,
        default: own.find(({ isDefault }) => isDefault)?.version ?? null,
        deprecated: own.filter(({ lifecycle }) => lifecycle === 'deprecated').length,
        newestAt: toIso(own.reduce((newest, { createdMs }) => Math.max(newest, createdMs), 0)),
      }
    })
    plugins.sort((a, b) => b.versions - a.versions || byText(a.pluginName, b.pluginName) || byText(a.orgId, b.orgId))
    return { plugins: plugins.slice(0, query.limit ?? 100), total: plugins.length }
  },
})
