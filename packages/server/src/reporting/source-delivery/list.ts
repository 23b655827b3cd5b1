/** `GET /reports/sources/:id/deliveries`: the result of each delivery, the newest first. */
import { and, count, desc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findSource, SourcePath } from '../source/record.js'
import { reportingTables } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })

export const listSourceDeliveries = query({
  name: 'reporting.source-delivery.list',
  summary: 'List the result of each delivery of a source',
  description: 'Of the last 7 days, the newest first. A delivery with a wrong signature is refused and not listed.',
  http: { method: 'get', path: '/reports/sources/:id/deliveries' },
  access: permission('org:settings'),
  tenant: fromHeader,
  input: {
    path: SourcePath,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    }),
  },
  output: strictObject({
    deliveries: Type.Array(
      strictObject({
        id: Uuid,
        type: Type.String({ description: 'Type of the event at the sender' }),
        senderId: nullable(Type.String({ description: 'Id of the delivery at the sender' })),
        receivedAt: Instant,
        inserted: Count,
        duplicates: Count,
        skipped: Count,
        parked: Count,
        commits: Count,
        incidents: Count,
        note: nullable(Type.String({ description: 'Why the delivery was not used, or only in part' })),
      }),
    ),
    pagination: strictObject({ total: Count, limit: Count, offset: Count, hasMore: Type.Boolean() }),
  }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, query: { limit = 20, offset = 0 } }) {
    const { db } = context
    const orgId = tenantId(context)
    await findSource(db, orgId, id)
    const { reportDeliveries: t } = reportingTables(db)
    const where = and(eq(t.orgId, orgId), eq(t.sourceId, id))
    const rows = await db
      .select()
      .from(t)
      .where(where)
      .orderBy(desc(t.receivedMs), desc(t.id))
      .limit(limit)
      .offset(offset)
    const [all] = await db.select({ rows: count() }).from(t).where(where)
    const total = Number(all?.rows ?? 0)
    const deliveries = rows.map(({ orgId: _org, sourceId: _source, receivedMs, parkedRefs: _refs, ...row }) => ({
      ...row,
      receivedAt: toIso(receivedMs),
    }))
    return { deliveries, pagination: { total, limit, offset, hasMore: offset + limit < total } }
  },
})
