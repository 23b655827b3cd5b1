/**
 * `POST /pipelines/:id/restore`: counts towards the capacity again, and is checked against the current rules. Source:
 * spec platform 22.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { PARKED_ACROSS } from '../../runtime/records/deployed-pipelines.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { checkHeadroom, judged, ViolationSchema } from './check.js'
import { ACROSS } from './create.js'
import { PipelineSchema, pipelineRecord } from './record.js'
import { savePipeline } from './rows.js'
import { tellDeployed } from './tell-deployed.js'
import { onPipeline, ownTombstone } from './tombstone.js'
import { lockJudged } from './update.js'

export const restorePipeline = command({
  name: 'pipeline.pipeline.restore',
  summary: 'Restore a deleted pipeline',
  http: { method: 'post', path: '/pipelines/:id/restore' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  acrossOrganizations: `${ACROSS}; ${PARKED_ACROSS}`,
  audit: ['pipeline.update'],
  input: { path: onPipeline },
  output: strictObject({ pipeline: PipelineSchema, complianceWarnings: Type.Array(ViolationSchema) }),
  errors: [
    'COMPLIANCE_VIOLATION',
    'COMPLIANCE_SERVICE_UNAVAILABLE',
    'CONFLICT',
    'INSUFFICIENT_PERMISSIONS',
    'NOT_FOUND',
    'QUOTA_EXCEEDED',
    'SERVICE_UNAVAILABLE',
    'VALIDATION_ERROR',
  ],
  async prepare(context, { path }) {
    const stored = await ownTombstone(context, path.id)
    await checkHeadroom(context)
    const revived: PipelineRow = {
      ...stored,
      ...NOT_DELETED,
      revision: stored.revision + 1,
      updatedAtMs: context.nowMs,
      updatedBy: context.actor.id,
    }
    return { stored, ...(await judged(context, revived, 'restore')) }
  },
  async run(context, _, { stored, row: revived, verdict }) {
    const { tx, runtime } = context
    await lockJudged(context, stored)
    // guard: the-place-of-a-pipeline-that-is-restored
    await capacityOf(runtime).take(tx, stored.orgId, 'pipelines', 1)
    const { pipelines } = pipelineTables(tx)
    const [held] = await tx
      .select({ id: pipelines.id })
      .from(pipelines)
      .where(and(eq(pipelines.orgId, stored.orgId), eq(pipelines.defaultKey, stored.projectKey)))
    // It becomes the default again, unless another pipeline became the default meanwhile.
    const row = { ...revived, defaultKey: held === undefined ? stored.projectKey : null }
    await savePipeline(context, row, 'restored')
    await tellDeployed(context, stored, row)
    await context.audit('pipeline.update', {
      targetType: 'pipeline',
      targetId: row.id,
      details: { name: row.pipelineName, reason: 'restored' },
    })
    await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType: 'restored' })
    return changed({ pipeline: pipelineRecord(row), complianceWarnings: [...verdict.warnings] })
  },
})
