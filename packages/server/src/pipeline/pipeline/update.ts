/** Changes a pipeline. A change of a field that rules read is checked first. Source: spec platform 8.1. */
import { isDeepStrictEqual } from 'node:util'
import { completeProps } from '@plumbline/engine'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import {
  changed,
  type PrepareContext,
  tenantId,
  unchanged,
  type WriteContext,
} from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { changedCatalog, checkWriteScope } from '../../runtime/records/catalog.js'
import type { ComplianceVerdict } from '../../runtime/records/compliance.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { lastRecheckPort } from '../../runtime/records/last-recheck.js'
import { lastDeployedMs } from '../registry-rows.js'
import type { PipelineRow } from '../tables.js'
import {
  changedMeanwhile,
  checkPublish,
  checkReferences,
  judged,
  requireProps,
  ViolationSchema,
  type Warning,
  WarningSchema,
} from './check.js'
import { CREATE_ERRORS } from './create.js'
import { PipelineSchema, pipelineDetail, pipelineRecord, SERVER_OWNED, UpdateBody } from './record.js'
import { clearDefault, lockPipeline, movedHere, savePipeline, storedPipeline } from './rows.js'
import { tellDeployed } from './tell-deployed.js'

/** Fields that rules read: a change of one of them needs a new check (spec platform 8.1). */
const EVALUATED = [
  'props',
  'accessModifier',
  'lifecycle',
  'criticality',
  'labels',
  'links',
  'keywords',
  'description',
  'pipelineName',
  'ownerId',
  'ownerType',
] as const satisfies readonly (keyof PipelineRow)[]

export const UpdateAnswer = strictObject({
  pipeline: PipelineSchema,
  warnings: Type.Array(WarningSchema),
  complianceWarnings: Type.Array(ViolationSchema),
})

export const UPDATE_ERRORS = [
  ...CREATE_ERRORS.filter((code) => code !== 'QUOTA_EXCEEDED' && code !== 'DUPLICATE_ENTRY'),
  'NOT_FOUND',
] as const

export interface PreparedUpdate {
  readonly stored: PipelineRow
  readonly row: PipelineRow
  readonly verdict: ComplianceVerdict | null
  readonly warnings: readonly Warning[]
}

/** The live pipeline of the caller's organization, if the caller may change it. @throws Refusal 404 or 403. */
export async function ownPipeline(context: PrepareContext, id: string): Promise<PipelineRow> {
  const stored = await context.read((db) => storedPipeline(db, tenantId(context), id))
  if (stored === null || stored.deletedAtMs !== null) throw notFound('Pipeline')
  await checkWriteScope(context, stored)
  checkPublish(context, stored.accessModifier)
  return stored
}

export async function prepareUpdate(
  context: PrepareContext,
  id: string,
  body: UpdateBody,
  at = '/body',
): Promise<PreparedUpdate> {
  const stored = await ownPipeline(context, id)
  checkPublish(context, body.accessModifier)
  const props = body.props === undefined ? stored.props : completeProps(body.props, stored.project, stored.organization)
  if (body.props !== undefined) requireProps(props, stored, `${at}/props`)
  const pipelineName = body.pipelineName?.trim() ?? stored.pipelineName
  const row: PipelineRow = {
    ...stored,
    pipelineName,
    nameKey: nameKey(pipelineName),
    description: body.description ?? stored.description,
    keywords: body.keywords ?? stored.keywords,
    accessModifier: body.accessModifier ?? stored.accessModifier,
    isActive: body.isActive ?? stored.isActive,
    defaultKey: body.isDefault === undefined ? stored.defaultKey : body.isDefault ? stored.projectKey : null,
    ...(await changedCatalog(context, stored, body)),
    props,
    revision: stored.revision + 1,
    updatedAtMs: context.nowMs,
    updatedBy: context.actor.id,
  }
  const warnings = body.props === undefined ? [] : await checkReferences(context, props, `${at}/props`)
  if (EVALUATED.every((name) => isDeepStrictEqual(row[name], stored[name]))) {
    return { stored, row, verdict: null, warnings }
  }
  return { stored, warnings, ...(await judged(context, row, 'update')) }
}

type UpdateContext = WriteContext<'pipeline.update'>

/** Locks the pipeline, which must be unchanged since its verdict. @throws Refusal 404, 409, 412. */
export async function lockJudged(context: WriteContext, judgedRow: PipelineRow): Promise<PipelineRow> {
  const stored = await lockPipeline(context.tx, judgedRow.orgId, judgedRow.id)
  if (stored === null || (stored.deletedAtMs !== null) !== (judgedRow.deletedAtMs !== null)) throw notFound('Pipeline')
  context.checkRevision(stored.revision)
  // guard: what-was-judged-is-what-is-stored
  if (stored.revision - movedHere(context.tx, stored.id) !== judgedRow.revision) throw changedMeanwhile()
  return stored
}

export async function commitUpdate(context: UpdateContext, prepared: PreparedUpdate) {
  const stored = await lockJudged(context, prepared.stored)
  const { verdict, warnings } = prepared
  const row: PipelineRow = { ...prepared.row, revision: stored.revision + 1 }
  const names = Object.keys(row) as (keyof PipelineRow)[]
  const changes = names.filter((name) => !UNSAID.has(name) && !isDeepStrictEqual(row[name], stored[name]))
  const complianceWarnings = [...(verdict?.warnings ?? [])]
  if (changes.length === 0) {
    return unchanged({ pipeline: pipelineRecord(stored), warnings: [...warnings], complianceWarnings })
  }
  if (row.defaultKey !== null) await clearDefault(context, row.orgId, row.projectKey, row.id)
  await savePipeline(context, row, 'updated')
  await tellDeployed(context, stored, row)
  await context.audit('pipeline.update', {
    targetType: 'pipeline',
    targetId: row.id,
    details: { name: row.pipelineName, changed: changes.map((name) => (name === 'defaultKey' ? 'isDefault' : name)) },
  })
  await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType: 'updated' })
  return changed({ pipeline: pipelineRecord(row), warnings: [...warnings], complianceWarnings })
}

/** Fields that every change sets, or that follow from another field. */
const UNSAID: ReadonlySet<string> = new Set([
  'revision',
  'updatedAtMs',
  'updatedBy',
  'nameKey',
  'complianceResult',
  'complianceCheckedAtMs',
])

/** `PUT /pipelines/:id`: fields that are not sent keep their value. */
export const updatePipeline = command({
  name: 'pipeline.pipeline.update',
  summary: 'Change a pipeline',
  http: { method: 'put', path: '/pipelines/:id' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline.update'],
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Uuid }), body: UpdateBody },
  output: UpdateAnswer,
  errors: UPDATE_ERRORS,
  prepare: (context, { path, body }) => prepareUpdate(context, path.id, body),
  async run(context, _, prepared) {
    const { stored } = prepared
    const { tx, runtime } = context
    const { orgId, id: entityId } = stored
    const rechecked = (await findPort(runtime, lastRecheckPort)?.(tx, { orgId, target: 'pipeline', entityId })) ?? null
    context.checkServerOwned(pipelineDetail(stored, await lastDeployedMs(tx, orgId, entityId), rechecked))
    return commitUpdate(context, prepared)
  },
})
