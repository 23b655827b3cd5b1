/** Deletes a pipeline softly, brings it back, or removes it for good. Source: platform decisions 22. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { checkWriteScope } from '../../runtime/records/catalog.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { ALIVE, buried, Deleted, deletedView } from '../../runtime/records/tombstone.js'
import { type PipelineRow, pipelineTables } from '../tables.js'
import { checkHeadroom, checkPublish, judged, ViolationSchema } from './check.js'
import { ACROSS } from './create.js'
import { PipelineSchema, pipelineRecord } from './record.js'
import { findPipeline, purgePipelines, savePipeline } from './rows.js'
import { lockJudged, ownPipeline } from './update.js'

const onPipeline = Type.Object({ id: Uuid })

export async function commitDelete(context: WriteContext<'pipeline.delete'>, judgedRow: PipelineRow) {
  const stored = await lockJudged(context, judgedRow)
  const tombstone = buried(context)
  const row: PipelineRow = {
    ...stored,
    ...tombstone,
    defaultKey: null,
    revision: stored.revision + 1,
    updatedAtMs: context.nowMs,
    updatedBy: context.actor.id,
  }
  await savePipeline(context, row, 'deleted')
  await context.audit('pipeline.delete', {
    targetType: 'pipeline',
    targetId: row.id,
    details: { name: row.pipelineName },
  })
  await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType: 'deleted' })
  return deletedView(row.id, tombstone)
}

/** `DELETE /pipelines/:id`: its place is free at once. */
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

/** The caller's deleted pipeline, with the right to change it. */
async function ownTombstone(context: PrepareContext, id: string): Promise<PipelineRow> {
  const stored = await context.read((db) => findPipeline(db, tenantId(context), id))
  if (stored?.deletedAtMs == null) throw notFound('Deleted pipeline')
  await checkWriteScope(context, stored)
  checkPublish(context, stored.accessModifier)
  return stored
}

/** `POST /pipelines/:id/restore`: takes a place again, and asks the rules of today. */
export const restorePipeline = command({
  name: 'pipeline.pipeline.restore',
  summary: 'Restore a deleted pipeline',
  http: { method: 'post', path: '/pipelines/:id/restore' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  acrossOrganizations: ACROSS,
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
      ...ALIVE,
      revision: stored.revision + 1,
      updatedAtMs: context.nowMs,
      updatedBy: context.actor.id,
    }
    return { stored, ...(await judged(context, revived, 'restore')) }
  },
  async run(context, _, { stored, row: revived, verdict }) {
    const { tx, runtime } = context
    await lockJudged(context, stored)
    await capacityOf(runtime).take(tx, stored.orgId, 'pipelines', 1)
    const { pipelines } = pipelineTables(tx)
    const [held] = await tx
      .select({ id: pipelines.id })
      .from(pipelines)
      .where(and(eq(pipelines.orgId, stored.orgId), eq(pipelines.defaultKey, stored.projectKey)))
    // The default again, unless another took it over meanwhile.
    const row = { ...revived, defaultKey: held === undefined ? stored.projectKey : null }
    await savePipeline(context, row, 'restored')
    await context.audit('pipeline.update', {
      targetType: 'pipeline',
      targetId: row.id,
      details: { name: row.pipelineName, reason: 'restored' },
    })
    await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType: 'restored' })
    return changed({ pipeline: pipelineRecord(row), complianceWarnings: [...verdict.warnings] })
  },
})

/** `POST /pipelines/:id/purge`: with its history, and without a way back. */
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
