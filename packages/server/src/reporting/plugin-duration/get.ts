/** `GET /reports/plugins/build-duration`: the build durations of each plugin. */
import Type from 'typebox'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, durationsOf } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { buildsIn, pluginReport } from '../report/plugin-report.js'
import { tableOf } from '../report/table.js'

const Ms = nullable(Type.Number({ minimum: 0, description: 'Milliseconds' }))

export const getPluginDuration = pluginReport({
  name: 'reporting.plugin-duration.get',
  summary: 'Read how long builds of each plugin take',
  description: 'The last attempt of builds that succeeded.',
  path: '/reports/plugins/build-duration',
  output: {
    plugins: Type.Array(
      strictObject({
        pluginName: Type.String(),
        avgMs: Ms,
        p50Ms: Ms,
        p95Ms: Ms,
        maxMs: Ms,
        builds: Type.Integer({ minimum: 1 }),
      }),
    ),
  },
  forms: { csv: ({ plugins }) => tableOf(plugins, ['pluginName', 'avgMs', 'p50Ms', 'p95Ms', 'maxMs', 'builds']) },
  async run(context, query, asked) {
    const builds = (await buildsIn(context, query, asked)).filter(
      ({ isSucceeded, durationMs }) => isSucceeded && durationMs !== null,
    )
    const plugins = [...groupBy(builds, ({ pluginName }) => pluginName)].map(([pluginName, own]) => {
      const { avgMs, p50Ms, p95Ms, maxMs } = durationsOf(own)
      return { pluginName, avgMs, p50Ms, p95Ms, maxMs, builds: own.length }
    })
    return {
      plugins: plugins.sort((a, b) => (b.avgMs ?? 0) - (a.avgMs ?? 0) || byText(a.pluginName, b.pluginName)),
    }
  },
})
