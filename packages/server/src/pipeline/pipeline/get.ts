/** `GET /pipelines/:id`: one pipeline. Source: spec platform 8.1. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId, tenantKey } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { deprecationOf } from '../../runtime/records/catalog.js'
import { lastRecheckPort } from '../../runtime/records/last-recheck.js'
import { isLive } from '../../runtime/records/soft-delete.js'
import { isVisible } from '../../runtime/records/visible.js'
import { resolveProps } from '../props/check.js'
import type { Props } from '../props/schema.js'
import { READ_PIPELINES } from '../read-access.js'
import { lastDeployedMs } from '../registry-rows.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { PipelineDetail, pipelineDetail } from './record.js'

/** A live pipeline that the organization can see. @throws Refusal 404 */
export async function visiblePipeline(context: ReadContext, id: string): Promise<PipelineRow> {
  const { pipelines: t } = pipelineTables(context.db)
  const [row] = await context.db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isLive(t), isVisible(tenantKey(context), t)))
  if (row === undefined) throw notFound('Pipeline')
  return row
}

export async function detailOf(context: ReadContext, row: PipelineRow) {
  const { db, runtime } = context
  const orgId = tenantId(context)
  // What was found in another organization is its own, also about a pipeline that it shares.
  // guard: a-recheck-is-shown-to-its-own-organization
  const isOwn = row.orgId === orgId
  const asked = { orgId, target: 'pipeline', entityId: row.id } as const
  const rechecked = isOwn ? await findPort(runtime, lastRecheckPort)?.(db, asked) : null
  return pipelineDetail(row, await lastDeployedMs(db, orgId, row.id), rechecked ?? null)
}

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
