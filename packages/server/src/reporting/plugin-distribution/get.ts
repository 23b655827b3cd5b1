/** `GET /reports/plugins/distribution`: the number of plugins for each value of one property. */
import Type from 'typebox'
import { choice, nullable, strictObject } from '../../runtime/operation/schema.js'
import type { KnownPlugin } from '../../runtime/records/finished-builds.js'
import { byText, percentOf } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { pluginReport, pluginsOf } from '../report/plugin-report.js'
import { tableOf } from '../report/table.js'

const FIELDS = {
  type: 'pluginType',
  compute: 'computeType',
  category: 'category',
  lifecycle: 'lifecycle',
  access: 'accessModifier',
  build: 'buildStatus',
} as const satisfies Readonly<Record<string, keyof KnownPlugin>>
type By = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as By[]
const Count = Type.Integer({ minimum: 0 })

export const getPluginDistribution = pluginReport({
  name: 'reporting.plugin-distribution.get',
  summary: 'Count plugins by one of their properties',
  description: 'Of plugins as they are now, independent of the window. A version counts as one plugin.',
  path: '/reports/plugins/distribution',
  query: { by: Type.Optional(Type.Unsafe<By>({ type: 'string', enum: NAMES, default: 'type' })) },
  output: {
    by: choice(NAMES),
    distribution: Type.Array(
      strictObject({ value: Type.String(), plugins: Count, names: Count, sharePct: nullable(Type.Number()) }),
    ),
    total: Count,
  },
  forms: { csv: ({ distribution }) => tableOf(distribution, ['value', 'plugins', 'names', 'sharePct']) },
  async run(context, query, asked) {
    const by: By = query.by ?? 'type'
    const plugins = await pluginsOf(context, query, asked)
    const distribution = [...groupBy(plugins, (plugin) => plugin[FIELDS[by]])].map(([value, own]) => ({
      value,
      plugins: own.length,
      names: new Set(own.map(({ orgId, name }) => `${orgId}\n${name}`)).size,
      sharePct: percentOf(own.length, plugins.length),
    }))
    distribution.sort((a, b) => b.plugins - a.plugins || byText(a.value, b.value))
    return { by, distribution, total: plugins.length }
  },
})
