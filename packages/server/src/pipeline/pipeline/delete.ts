/** Soft delete of a pipeline. It stops counting towards the capacity at once. Source: spec platform 22. */
import { permission } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { Deleted, deletedNow, deletedView } from '../../runtime/records/soft-delete.js'
import type { PipelineRow } from '../tables.js'
import { savePipeline } from './rows.js'
import { tellDeployed } from './tell-deployed.js'
import { onPipeline } from './tombstone.js'
import { lockJudged, ownPipeline } from './update.js'

export async function commitDelete(context: WriteContext<'pipeline.delete'>, judgedRow: PipelineRow) {
  const stored = await lockJudged(context, judgedRow)
  const tombstone = deletedNow(context)
  const row: PipelineRow = {
    ...stored,
    ...tombstone,
    defaultKey: null,
    revision: stored.revision + 1,
    updatedAtMs: context.nowMs,
    updatedBy: context.actor.id,
  }
  await savePipeline(context, row, 'deleted')
  await tellDeployed(context, stored, row)
  await context.audit('pipeline.delete', {
    targetType: 'pipeline',
    targetId: row.id,
    details: { name: row.pipelineName },
  })
  await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType: 'deleted' })
  return deletedView(row.id, `the pipeline ${row.pipelineName}`, tombstone)
}

export const deletePipeline = command({
  name: 'pipeline.pipeline.delete',
  summary: 'Delete a pipeline; it can be restored for a while',
  http: { method: 'delete', path: '/pipelines/:id' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline.delete'],
  input: { path: onPipeline },
  output: Deleted,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownPipeline(context, path.id),
  run: async (context, _, stored) => changed(await commitDelete(context, stored)),
})
