/** `GET /reports/execution/environments`: where pipelines deploy to. */
import { and, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { isWithin } from '../model.js'
import { report } from '../report/report.js'
import { covers } from '../report/scope.js'
import { tableOf } from '../report/table.js'
import { reportingTables } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })

export const listEnvironments = report({
  name: 'reporting.environment.list',
  summary: 'List the environments that pipelines deploy to',
  path: '/reports/execution/environments',
  output: {
    environments: Type.Array(
      strictObject({
        environment: Type.String(),
        tier: nullable(Type.String()),
        deployments: Type.Integer({ minimum: 0, description: 'Successful ones, in the window' }),
        failed: Count,
        pipelines: Count,
        lastDeployedAt: nullable(Instant),
      }),
    ),
  },
  forms: {
    csv: ({ environments }) =>
      tableOf(environments, ['environment', 'tier', 'deployments', 'failed', 'pipelines', 'lastDeployedAt']),
  },
  async run({ db }, query, { scope, range }) {
    const { reportDeployments: t } = reportingTables(db)
    const rows = await db
      .select({
        pipelineId: t.pipelineId,
        environment: t.environment,
        tier: t.tier,
        status: t.status,
        completedMs: t.completedMs,
      })
      .from(t)
      .where(and(inArray(t.orgId, [...scope.orgIds])))
    const own = rows.filter(
      ({ pipelineId, environment }) =>
        covers(scope, pipelineId) && (query.environment === undefined || environment === query.environment),
    )
    const environments = [...groupBy(own, ({ environment }) => environment)].map(([environment, units]) => {
      const inside = units.filter(({ completedMs }) => completedMs !== null && isWithin(completedMs, range.window))
      const succeeded = units.filter(({ status }) => status === 'succeeded')
      const last = succeeded.reduce((latest, { completedMs }) => Math.max(latest, completedMs ?? 0), 0)
      return {
        environment,
        tier: units.find(({ tier }) => tier !== null)?.tier ?? null,
        deployments: inside.filter(({ status }) => status === 'succeeded').length,
        failed: inside.filter(({ status }) => status === 'failed').length,
        pipelines: new Set(units.map(({ pipelineId }) => pipelineId)).size,
        lastDeployedAt: last === 0 ? null : toIso(last),
      }
    })
    return {
      environments: environments.sort((a, b) => b.deployments - a.deployments || byText(a.environment, b.environment)),
    }
  },
})
