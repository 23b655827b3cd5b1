/** `POST /pipelines/:id/purge`: deletes a pipeline with its history for good. Source: spec platform 22. */

import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import { purgePipelines } from './rows.js'
import { onPipeline, ownTombstone } from './tombstone.js'
import { lockJudged } from './update.js'

export const purgePipeline = command({
  name: 'pipeline.pipeline.purge',
  summary: 'Purge a deleted pipeline',
  http: { method: 'post', path: '/pipelines/:id/purge' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  audit: ['pipeline.delete'],
  input: { path: onPipeline },
  output: PurgedAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownTombstone(context, path.id),
  async run(context, _, stored) {
    const row = await lockJudged(context, stored)
    await purgePipelines(context.tx, row.orgId, [row.id])
    await context.audit('pipeline.delete', {
      targetType: 'pipeline',
      targetId: row.id,
      details: { name: row.pipelineName, reason: 'purged' },
    })
    return changed(purgedView(row.id, `the pipeline ${row.pipelineName}`))
  },
})
