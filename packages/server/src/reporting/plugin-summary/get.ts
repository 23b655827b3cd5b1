/** `GET /reports/plugins/summary`: the number of plugins, by their properties. */
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import type { KnownPlugin } from '../../runtime/records/finished-builds.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { pluginReport, pluginsOf } from '../report/plugin-report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })
const Counted = Type.Array(strictObject({ value: Type.String(), plugins: Count }))

const COUNTS = {
  total: Count,
  active: Count,
  inactive: Count,
  public: Count,
  private: Count,
  uniqueNames: Count,
  buildFailed: Count,
}

export const getPluginSummary = pluginReport({
  name: 'reporting.plugin-summary.get',
  summary: 'Count plugins by type, status and access',
  description: 'Of plugins as they are now, independent of the window. A version counts as one plugin.',
  path: '/reports/plugins/summary',
  output: { summary: strictObject({ ...COUNTS, byType: Counted, byCompute: Counted, byCategory: Counted }) },
  forms: { csv: ({ summary }) => tableOf([summary], Object.keys(COUNTS)) },
  async run(context, query, asked) {
    const plugins = await pluginsOf(context, query, asked)
    const those = (is: (plugin: KnownPlugin) => boolean) => plugins.filter(is).length
    return {
      summary: {
        total: plugins.length,
        active: those(({ isActive }) => isActive),
        inactive: those(({ isActive }) => !isActive),
        public: those(({ accessModifier }) => accessModifier === 'public'),
        private: those(({ accessModifier }) => accessModifier !== 'public'),
        uniqueNames: new Set(plugins.map(({ orgId, name }) => `${orgId}\n${name}`)).size,
        buildFailed: those(({ buildStatus }) => buildStatus === 'failed'),
        byType: countedBy(plugins, 'pluginType'),
        byCompute: countedBy(plugins, 'computeType'),
        byCategory: countedBy(plugins, 'category'),
      },
    }
  },
})

/** The most frequent value first. */
const countedBy = (plugins: readonly KnownPlugin[], field: 'pluginType' | 'computeType' | 'category') =>
  [...groupBy(plugins, (plugin) => plugin[field])]
    .map(([value, own]) => ({ value, plugins: own.length }))
    .sort((a, b) => b.plugins - a.plugins || byText(a.value, b.value))
