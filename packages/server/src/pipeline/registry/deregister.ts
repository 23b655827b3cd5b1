/** `DELETE /pipelines/registry/:id`: removes the record of where a pipeline was deployed. Source: spec platform 19. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { pipelineTables } from '../tables.js'

export const deregisterPipeline = command({
  name: 'pipeline.registry.deregister',
  summary: 'Delete the record of a deployment',
  http: { method: 'delete', path: '/pipelines/registry/:id', status: 204 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline.registry.deregister'],
  input: { path: Type.Object({ id: Uuid }) },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const { pipelineRegistry: t } = pipelineTables(context.tx)
    const [row] = await context.tx
      .delete(t)
      .where(and(eq(t.orgId, tenantId(context)), eq(t.id, path.id)))
      .returning({ pipelineId: t.pipelineId, name: t.pipelineName })
    if (row === undefined) throw notFound('Registry entry')
    await context.audit('pipeline.registry.deregister', {
      targetType: 'pipeline',
      targetId: row.pipelineId,
      details: { name: row.name },
    })
    return changed(null)
  },
})
