/** A page of runs, the newest first. */
import { and, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { STATUSES, type Status } from '../ingest/event.js'
import { executionsIn, isStale } from '../report/facts.js'
import type { Asked } from '../report/report.js'
import type { ScopeQuery } from '../report/scope.js'
import { reportingTables } from '../tables.js'
import { byText } from './arithmetic.js'

export const PAGE_QUERY = {
  status: Type.Optional(choice(STATUSES)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
}

export const ExecutionItem = strictObject({
  pipelineId: Type.String(),
  orgId: Type.String(),
  project: nullable(Type.String()),
  pipelineName: nullable(Type.String()),
  executionId: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
  status: choice(STATUSES),
  stale: Type.Boolean({ description: 'Open for 24 hours: not counted in rates' }),
  startedAt: Instant,
  completedAt: nullable(Instant),
  durationMs: nullable(Type.Integer({ minimum: 0 })),
  commitSha: nullable(Type.String()),
  commitRef: nullable(Type.String()),
  errorMessage: nullable(Type.String()),
})
const Count = Type.Integer({ minimum: 0 })
export const ExecutionPage = strictObject({ total: Count, limit: Count, offset: Count, hasMore: Type.Boolean() })
export const EXECUTION_FIELDS = Object.keys(ExecutionItem.properties)

interface PageAsked extends ScopeQuery {
  readonly status?: Status
  readonly limit?: number
  readonly offset?: number
}

export async function pageOfExecutions({ db, nowMs }: ReadContext, query: PageAsked, { scope, range }: Asked) {
  const all = (await executionsIn(db, scope, query, range.window)).filter(
    ({ status }) => query.status === undefined || status === query.status,
  )
  all.sort((a, b) => b.startedMs - a.startedMs || byText(a.executionId, b.executionId))
  const { limit = 20, offset = 0 } = query
  const page = all.slice(offset, offset + limit)
  const { reportExecutions: t } = reportingTables(db)
  const ids = page.map(({ executionId }) => executionId)
  const details =
    ids.length === 0
      ? []
      : await db
          .select()
          .from(t)
          .where(
            and(
              inArray(t.orgId, [...scope.orgIds]),
              inArray(t.executionId, ids),
              query.pipelineId === undefined ? undefined : eq(t.pipelineId, query.pipelineId),
            ),
          )
  const byKey = new Map(details.map((row) => [`${row.pipelineId} ${row.executionId}`, row]))
  const executions = page.map((each): Static<typeof ExecutionItem> => {
    const row = byKey.get(`${each.pipelineId} ${each.executionId}`)
    const pipeline = scope.pipelines.get(each.pipelineId)
    return {
      pipelineId: each.pipelineId,
      orgId: each.orgId,
      project: pipeline?.project ?? null,
      pipelineName: pipeline?.pipelineName ?? null,
      executionId: each.executionId,
      attempt: each.attempt,
      status: each.status,
      stale: isStale(each, nowMs),
      startedAt: toIso(each.startedMs),
      completedAt: each.completedMs === null ? null : toIso(each.completedMs),
      durationMs: each.durationMs,
      commitSha: row?.sha ?? null,
      commitRef: row?.ref ?? null,
      errorMessage: row?.error ?? null,
    }
  })
  return { executions, pagination: { total: all.length, limit, offset, hasMore: offset + limit < all.length } }
}
