/** `GET /reports/execution/count`: the number of runs of each pipeline, by outcome. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { type Asking, sourceOf, sumsByPipeline } from '../rollup/read.js'
import { byText, NONE, type Outcomes } from './arithmetic.js'
import { PIPELINE_FIELDS, pipelineOf } from './pipeline-row.js'

const Count = Type.Integer({ minimum: 0 })
const OUTCOMES = { total: Count, succeeded: Count, failed: Count, canceled: Count, inProgress: Count, stale: Count }

export const countExecutions = report({
  name: 'reporting.execution.count',
  summary: 'Count the runs of each pipeline by outcome',
  path: '/reports/execution/count',
  query: {
    includeZero: Type.Optional(Type.Boolean({ description: 'Also registered pipelines without a run' })),
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
  readsSums: true,
  async run({ db, nowMs }, query, { scope, range }) {
    const asking = { db, scope, query, window: range.window, nowMs }
    const rows = [...(await countsByPipeline(asking)).values()].map(({ orgId, firstMs, lastMs, ...counts }) => ({
      ...pipelineOf(scope, counts.id, orgId),
      ...counts,
      firstExecution: toIso(firstMs),
      lastExecution: toIso(lastMs),
    }))
    const seen = new Set(rows.map(({ id }) => id))
    const idle = [...scope.pipelines.values()].filter(
      ({ id, isDeleted, isRegistered }) => isRegistered && !isDeleted && !seen.has(id),
    )
    const none = { total: 0, ...NONE, firstExecution: null, lastExecution: null }
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
      totals: allOf(rows),
      pagination: { total: all.length, limit, offset, hasMore: offset + limit < all.length },
    }
  },
})

interface PipelineCounts extends Outcomes {
  readonly id: string
  readonly orgId: string
  readonly total: number
  readonly firstMs: number
  readonly lastMs: number
}

async function countsByPipeline(asking: Asking): Promise<Map<string, PipelineCounts>> {
  const source = await sourceOf(asking, 'pipeline')
  const counts = new Map<string, PipelineCounts>()
  const add = (more: PipelineCounts): void => {
    const before = counts.get(more.id)
    counts.set(more.id, before === undefined ? more : { ...more, ...added(before, more) })
  }
  for (const sums of await sumsByPipeline(asking, source)) {
    const { orgId, pipelineId: id, succeeded, failed, canceled, open, firstMs, lastMs } = sums
    const total = succeeded + failed + canceled + open
    add({ id, orgId, total, succeeded, failed, canceled, inProgress: 0, stale: open, firstMs, lastMs })
  }
  for (const own of source.facts) {
    const { pipelineId: id, durations: _, ...sums } = own
    const total = sums.succeeded + sums.failed + sums.canceled + sums.inProgress + sums.stale
    add({ id, total, ...sums })
  }
  return counts
}

const added = (one: PipelineCounts, other: PipelineCounts) => ({
  ...allOf([one, other]),
  firstMs: Math.min(one.firstMs, other.firstMs),
  lastMs: Math.max(one.lastMs, other.lastMs),
})

const allOf = (rows: readonly (Outcomes & { readonly total: number })[]) => {
  const sum = (key: keyof Outcomes | 'total') => rows.reduce((all, each) => all + each[key], 0)
  return {
    total: sum('total'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    canceled: sum('canceled'),
    inProgress: sum('inProgress'),
    stale: sum('stale'),
  }
}
