/** `GET /reports/execution/action-failures`: how often the actions of each stage fail. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText, percentOf } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { stepsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Count = Type.Integer({ minimum: 0 })

export const listActionFailures = report({
  name: 'reporting.action-failure.list',
  summary: 'List how often each action of a stage fails',
  path: '/reports/execution/action-failures',
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) },
  output: {
    actions: Type.Array(
      strictObject({
        stageName: Type.String(),
        actionName: Type.String(),
        failures: Count,
        total: Count,
        failurePct: nullable(Type.Number()),
        pipelines: Count,
        lastFailedAt: nullable(Instant),
      }),
    ),
  },
  forms: {
    csv: ({ actions }) =>
      tableOf(actions, ['stageName', 'actionName', 'failures', 'total', 'failurePct', 'pipelines', 'lastFailedAt']),
  },
  async run({ db }, query, { scope, range }) {
    const steps = (await stepsIn(db, scope, query, range.window)).filter(
      ({ action, status }) => action !== '' && (status === 'succeeded' || status === 'failed'),
    )
    const actions = [...groupBy(steps, ({ stage, action }) => JSON.stringify([stage, action])).values()].map((own) => {
      const failed = own.filter(({ status }) => status === 'failed')
      const last = failed.reduce((latest, { startedMs }) => Math.max(latest, startedMs), 0)
      return {
        stageName: own[0]?.stage ?? '',
        actionName: own[0]?.action ?? '',
        failures: failed.length,
        total: own.length,
        failurePct: percentOf(failed.length, own.length),
        pipelines: new Set(own.map(({ pipelineId }) => pipelineId)).size,
        lastFailedAt: last === 0 ? null : toIso(last),
      }
    })
    actions.sort((a, b) => b.failures - a.failures || byText(a.stageName + a.actionName, b.stageName + b.actionName))
    return { actions: actions.slice(0, query.limit ?? 20) }
  },
})
