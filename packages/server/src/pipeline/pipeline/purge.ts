/** `POST /pipelines/:id/purge`: with its history, and without a way back. Source: spec platform 22. */
import Type from 'typebox'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { purgePipelines } from './rows.js'
import { onPipeline, ownTombstone } from './tombstone.js'
import { lockJudged } from './update.js'

export const purgePipeline = command({
  name: 'pipeline.pipeline.purge',
  summary: 'Remove a deleted pipeline for good',
  http: { method: 'post', path: '/pipelines/:id/purge' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  audit: ['pipeline.delete'],
  input: { path: onPipeline },
  output: strictObject({ id: Uuid, purged: Type.Literal(true) }),
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
    return changed({ id: row.id, purged: true as const })
  },
})
