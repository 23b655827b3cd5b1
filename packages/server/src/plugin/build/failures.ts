/** Failed builds, as the queue and the dead letters list them. Source: spec platform 11. */
import { and, asc, desc, type SQL } from 'drizzle-orm'
import Type, { type TSchema } from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { countRows, LIMIT_DEFAULT, PAGE_FIELDS } from '../../runtime/operation/list.js'
import { Instant, nullable, Pagination, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { oneOf } from '../manifest/schema.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { CATEGORIES } from './plan.js'
import { seen } from './visible.js'

export const failedItem = {
  id: Uuid,
  name: Type.String(),
  pluginName: Type.String(),
  version: Type.String(),
  orgId: Uuid,
  error: nullable(Type.String()),
  attemptsMade: Type.Integer(),
  maxAttempts: Type.Integer(),
  failedAt: nullable(Instant),
  category: nullable(oneOf<string>(CATEGORIES)),
}

export const failedView = (job: BuildJobRow, { PLUGIN_BUILD_MAX_ATTEMPTS }: { PLUGIN_BUILD_MAX_ATTEMPTS: number }) => ({
  id: job.id,
  name: `${job.pluginName}@${job.version}`,
  pluginName: job.pluginName,
  version: job.version,
  orgId: job.orgId,
  error: job.lastError,
  attemptsMade: job.attempts,
  maxAttempts: PLUGIN_BUILD_MAX_ATTEMPTS,
  failedAt: toIsoOrNull(job.failedAtMs),
  category: job.category,
})

export const QueueQuery = Type.Object({
  ...PAGE_FIELDS,
  sortBy: Type.Optional(oneOf(['failedAt', 'createdAt'])),
  sortOrder: Type.Optional(oneOf(['asc', 'desc'])),
  pluginName: Type.Optional(Type.String({ maxLength: 64, description: 'Of this plugin, in every version' })),
  category: Type.Optional(oneOf(CATEGORIES)),
})

interface Asked {
  readonly limit?: number
  readonly offset?: number
  readonly sortBy?: 'failedAt' | 'createdAt'
  readonly sortOrder?: 'asc' | 'desc'
  readonly pluginName?: string
  readonly category?: string
}

/** A page as in every list, with `total` as a separate field, as spec platform 11 names it. */
export const pageOf = <I extends TSchema>(item: I) =>
  strictObject({ jobs: Type.Array(item), total: Type.Integer({ minimum: 0 }), pagination: Pagination })

export async function failedJobs<V>(
  context: ReadContext,
  asked: Asked,
  state: SQL | undefined,
  present: (job: BuildJobRow) => V,
) {
  const { db } = context
  const { buildJobs: t } = pluginTables(db)
  const { limit = LIMIT_DEFAULT, offset = 0, sortBy = 'failedAt', sortOrder = 'desc', pluginName, category } = asked
  const where = and(seen(context, db), state, equals(t.pluginName, pluginName), equals(t.category, category))
  const towards = sortOrder === 'asc' ? asc : desc
  const rows = await db
    .select()
    .from(t)
    .where(where)
    .orderBy(towards(sortBy === 'createdAt' ? t.createdAtMs : t.failedAtMs), towards(t.id))
    .limit(limit)
    .offset(offset)
  const total = await countRows(db, t, where, Number.MAX_SAFE_INTEGER)
  const pagination = { total, limit, offset, hasMore: offset + rows.length < total }
  return { jobs: rows.map(present), total, pagination }
}
