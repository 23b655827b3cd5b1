/** One pipeline: by its id, or the first that a query finds. Source: platform decisions 8.1. */
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId, tenantKey } from '../../runtime/operation/context.js'
import { countRows } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { isLive } from '../../runtime/records/tombstone.js'
import { isVisible, partsOf } from '../../runtime/records/visible.js'
import { resolveProps } from '../props/check.js'
import type { Props } from '../props/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { lastDeployedMs } from '../registry/rows.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { PIPELINE_FILTERS, type PipelineQuery, partOfQuery, scopeOf } from './filter.js'
import { PipelineDetail, pipelineDetail } from './record.js'

/** A live pipeline that the organization sees. @throws Refusal 404 */
export async function visiblePipeline(context: ReadContext, id: string): Promise<PipelineRow> {
  const { pipelines: t } = pipelineTables(context.db)
  const [row] = await context.db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isLive(t), isVisible(tenantKey(context), t)))
  if (row === undefined) throw notFound('Pipeline')
  return row
}

async function detailOf(context: ReadContext, row: PipelineRow) {
  const { db, runtime } = context
  const rechecked = await runtime.lastRecheck?.(db, { orgId: row.orgId, target: 'pipeline', entityId: row.id })
  return pipelineDetail(row, await lastDeployedMs(db, tenantId(context), row.id), rechecked ?? null)
}

/** `GET /pipelines/:id` */
export const getPipeline = query({
  name: 'pipeline.pipeline.get',
  summary: 'Read a pipeline',
  http: { method: 'get', path: '/pipelines/:id' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({
      resolve: Type.Optional(Type.Boolean({ description: 'The properties with their tokens replaced' })),
    }),
  },
  output: strictObject({ pipeline: PipelineDetail }),
  errors: ['NOT_FOUND'],
  headersOf: ({ pipeline }) => deprecationOf(pipeline),
  async run(context, { path, query: { resolve } }) {
    const pipeline = await detailOf(context, await visiblePipeline(context, path.id))
    if (resolve !== true) return { pipeline }
    return { pipeline: { ...pipeline, props: resolveProps(pipeline.props, '/props').value as Props } }
  },
})

/** The default one first: an order of its own, that no index has. */
const FOUND_BY = 'default'

/** `GET /pipelines/find`: own pipelines first, then the parent's, then the system's; the default one, then the newest. */
export const findOnePipeline = query({
  name: 'pipeline.pipeline.find',
  summary: 'Find one pipeline by a query',
  http: { method: 'get', path: '/pipelines/find' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { query: Type.Object(PIPELINE_FILTERS, { patternProperties: LABEL_FILTERS }) },
  output: strictObject({
    pipeline: PipelineDetail,
    matchedCount: Type.Integer({ minimum: 1, description: 'How many pipelines match' }),
  }),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  headersOf: ({ pipeline }) => deprecationOf(pipeline),
  async run(context, { query }) {
    const asked = query as PipelineQuery & Record<string, unknown>
    const { db } = context
    const { pipelines: t } = pipelineTables(db)
    let first: PipelineRow | undefined
    let matchedCount = 0
    for (const part of partsOf(tenantKey(context), scopeOf(asked))) {
      const { where } = await partOfQuery(context, db, part, { ...asked, sortBy: FOUND_BY })
      matchedCount += await countRows(db, t, where, Number.MAX_SAFE_INTEGER)
      first ??= (
        await db
          .select()
          .from(t)
          .where(where)
          .orderBy(asc(sql`${t.defaultKey} IS NULL`), desc(t.createdAtMs), desc(t.id))
          .limit(1)
      )[0]
    }
    if (first === undefined) throw notFound('Pipeline')
    return { pipeline: await detailOf(context, first), matchedCount }
  },
})
