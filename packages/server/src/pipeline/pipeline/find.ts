/**
 * `GET /pipelines/find`: the organization's own pipelines first, then the parent's, then the system's; in each, the
 * default one, then the newest. Source: spec platform 8.1.
 */
import { asc, desc, sql } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { tenantKey } from '../../runtime/operation/context.js'
import { countRows } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { LABEL_FILTERS } from '../../runtime/records/labels.js'
import { partsOf } from '../../runtime/records/visible.js'
import { READ_PIPELINES } from '../read-access.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { PIPELINE_FILTERS, type PipelineQuery, partOfQuery, scopeOf } from './filter.js'
import { detailOf } from './get.js'
import { PipelineDetail } from './record.js'

/** The default pipeline comes first: an order of its own that no index has. */
const FOUND_BY = 'default'

export const findPipeline = query({
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
