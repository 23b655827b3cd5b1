/** `GET /reports/execution/count`: how many runs each pipeline had, by outcome. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { groupBy } from '../group.js'
import { executionsIn } from '../report/facts.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { byText, outcomesOf } from './arithmetic.js'
import { PIPELINE_FIELDS, pipelineOf } from './pipeline-row.js'

const Count = Type.Integer({ minimum: 0 })
const OUTCOMES = { total: Count, succeeded: Count, failed: Count, canceled: Count, inProgress: Count, stale: Count }

export const countExecutions = report({
  name: 'reporting.execution.count',
  summary: 'Count the runs of each pipeline by outcome',
  path: '/reports/execution/count',
  query: {
    includeZero: Type.Optional(Type.Boolean({ description: 'Registered pipelines without a run too' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  },
  output: {
    pipelines: Type.Array(
      strictObject({
        ...PIPELINE_FIELDS,
        ...OUTCOMES,
        firstExecution: nullable(Instant),
        lastExecution: nullable(Instant),
      }),
    ),
    totals: strictObject(OUTCOMES),
    pagination: strictObject({ total: Count, limit: Count, offset: Count, hasMore: Type.Boolean() }),
  },
  forms: {
    csv: ({ pipelines }) =>
      tableOf(pipelines, [
        'id',
        'project',
        'organization',
        'pipelineName',
        ...Object.keys(OUTCOMES),
        'firstExecution',
        'lastExecution',
      ]),
  },
  async run({ db, nowMs }, query, { scope, range }) {
    const executions = await executionsIn(db, scope, query, range.window)
    const rows = [...groupBy(executions, ({ pipelineId }) => pipelineId)].map(([id, own]) => {
      const times = own.map(({ startedMs }) => startedMs)
      return {
        ...pipelineOf(scope, id, own[0]?.orgId ?? ''),
        total: own.length,
        ...outcomesOf(own, nowMs),
        firstExecution: toIso(times.reduce((a, b) => Math.min(a, b))),
        lastExecution: toIso(times.reduce((a, b) => Math.max(a, b))),
      }
    })
    const seen = new Set(rows.map(({ id }) => id))
    const idle = [...scope.pipelines.values()].filter(
      ({ id, isDeleted, isRegistered }) => isRegistered && !isDeleted && !seen.has(id),
    )
    const none = { total: 0, ...outcomesOf([], nowMs), firstExecution: null, lastExecution: null }
    const all = [
      ...rows,
      ...(query.includeZero === true
        ? idle.map(({ id, orgId }) => ({ ...pipelineOf(scope, id, orgId), ...none }))
        : []),
    ]
    all.sort((a, b) => b.total - a.total || byText(a.id, b.id))
    const { limit = 100, offset = 0 } = query
    return {
      pipelines: all.slice(offset, offset + limit),
      totals: { total: executions.length, ...outcomesOf(executions, nowMs) },
      pagination: { total: all.length, limit, offset, hasMore: offset + limit < all.length },
    }
  },
})
