/** `GET /reports/execution/environments`: the environments that pipelines deploy to. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
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
    const { fromMs, toMs } = range.window
    const ended = (status: string) =>
      sql<number>`SUM(CASE WHEN ${t.status} = ${status} AND ${t.completedMs} >= CAST(${fromMs} AS bigint) AND ${t.completedMs} < CAST(${toMs} AS bigint) THEN 1 ELSE 0 END)`.mapWith(
        Number,
      )
    const rows = await rowsAtOnce(
      db,
      db
        .select({
          pipelineId: t.pipelineId,
          environment: t.environment,
          tier: sql<string | null>`MAX(${t.tier})`,
          deployments: ended('succeeded'),
          failed: ended('failed'),
          lastMs: sql<number>`COALESCE(MAX(CASE WHEN ${t.status} = 'succeeded' THEN ${t.completedMs} END), 0)`.mapWith(
            Number,
          ),
        })
        .from(t)
        .where(
          and(
            inArray(t.orgId, [...scope.orgIds]),
            query.environment === undefined ? undefined : eq(t.environment, query.environment),
          ),
        )
        .groupBy(t.pipelineId, t.environment),
    )
    const own = rows.filter(({ pipelineId }) => covers(scope, pipelineId))
    const environments = [...groupBy(own, ({ environment }) => environment)].map(([environment, parts]) => {
      const last = Math.max(...parts.map(({ lastMs }) => lastMs))
      return {
        environment,
        tier:
          parts
            .flatMap(({ tier }) => tier ?? [])
            .sort()
            .at(-1) ?? null,
        deployments: parts.reduce((sum, each) => sum + each.deployments, 0),
        failed: parts.reduce((sum, each) => sum + each.failed, 0),
        pipelines: parts.length,
        lastDeployedAt: last === 0 ? null : toIso(last),
      }
    })
    return {
      environments: environments.sort((a, b) => b.deployments - a.deployments || byText(a.environment, b.environment)),
    }
  },
})
