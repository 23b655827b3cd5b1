/**
 * Creates a pipeline, or replaces the one of the same project and organization with what is sent. Its id, creator and
 * owner stay, and a deleted one becomes live again. Source: spec platform 8.1.
 */

import { completeProps, pipelineNameOf, recordDefaults } from '@plumbline/engine'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { changedCatalog, checkWriteScope, newCatalog } from '../../runtime/records/catalog.js'
import type { ComplianceVerdict } from '../../runtime/records/compliance.js'
import { PARKED_ACROSS } from '../../runtime/records/deployed-pipelines.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { keyOf } from '../props/check.js'
import type { PipelineRow } from '../tables.js'
import {
  changedMeanwhile,
  checkHeadroom,
  checkPublish,
  checkReferences,
  judged,
  requireProps,
  ViolationSchema,
  type Warning,
  WarningSchema,
} from './check.js'
import { CreateBody, PipelineSchema, pipelineRecord } from './record.js'
import { clearDefault, findByKey, insertPipeline, lockPipeline, movedHere, savePipeline } from './rows.js'
import { tellDeployed } from './tell-deployed.js'

/** Why operations that use capacity read across the account. */
export const ACROSS = 'a new pipeline takes a place of the account, whose teams are counted together'

export const CreateAnswer = strictObject({
  pipeline: PipelineSchema,
  created: Type.Boolean({ description: 'False when a pipeline of the same project and organization existed' }),
  warnings: Type.Array(WarningSchema, { description: 'About the plugins that it uses' }),
  complianceWarnings: Type.Array(ViolationSchema, { description: 'Violations of rules that do not block' }),
})

export const CREATE_ERRORS = [
  'COMPLIANCE_VIOLATION',
  'COMPLIANCE_SERVICE_UNAVAILABLE',
  'CONFLICT',
  'DUPLICATE_ENTRY',
  'INSUFFICIENT_PERMISSIONS',
  'QUOTA_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'TEMPLATE_CYCLE',
  'TEMPLATE_PARSE_ERROR',
  'TEMPLATE_SECRETS_RESERVED',
  'TEMPLATE_SIZE_EXCEEDED',
  'TEMPLATE_TYPE_MISMATCH',
  'TEMPLATE_UNKNOWN_PATH',
  'TEMPLATE_VALIDATION_FAILED',
  'VALIDATION_ERROR',
] as const

export interface PreparedCreate {
  /** The revision when the verdict was made; null when the pipeline did not exist. */
  readonly storedRevision: number | null
  /** The pipeline did not exist or was deleted, so it counts towards the capacity of the account. */
  readonly takesPlace: boolean
  readonly row: PipelineRow
  readonly verdict: ComplianceVerdict
  readonly warnings: readonly Warning[]
}

/** Everything that may wait or refuse, before the write transaction. */
export async function prepareCreate(
  context: PrepareContext,
  body: CreateBody,
  { mustBeNew = false, at = '/body' } = {},
): Promise<PreparedCreate> {
  checkPublish(context, body.accessModifier)
  const orgId = tenantId(context)
  const project = body.project.trim()
  const organization = body.organization.trim()
  const props = completeProps(body.props, project, organization)
  requireProps(props, { project, organization }, `${at}/props`)
  const key = { projectKey: keyOf(project), organizationKey: keyOf(organization) }
  const stored = await context.read((db) => findByKey(db, orgId, key))
  const takesPlace = stored === null || stored.deletedAtMs !== null
  if (stored !== null) {
    if (mustBeNew && !takesPlace) throw alreadyThere()
    await checkWriteScope(context, stored)
    checkPublish(context, stored.accessModifier)
  }
  if (takesPlace) await checkHeadroom(context)
  const row = await rowOf(context, body, props, stored)
  const warnings = await checkReferences(context, props, `${at}/props`)
  const done = await judged(context, row, 'create', stored === null)
  return { storedRevision: stored?.revision ?? null, takesPlace, warnings, ...done }
}

/** The row that the body describes; a stored pipeline keeps its id, creator and owner. */
export async function rowOf(
  context: PrepareContext,
  body: CreateBody,
  props: PipelineRow['props'],
  stored: PipelineRow | null,
): Promise<PipelineRow> {
  const { nowMs, actor } = context
  const project = body.project.trim()
  const organization = body.organization.trim()
  const key = { projectKey: keyOf(project), organizationKey: keyOf(organization) }
  const pipelineName = body.pipelineName?.trim() ?? stored?.pipelineName ?? pipelineNameOf(project, organization)
  return {
    id: stored?.id ?? context.runtime.ids.next(),
    orgId: tenantId(context),
    project,
    organization,
    ...key,
    pipelineName,
    nameKey: nameKey(pipelineName),
    description: body.description ?? DEFAULTS.description,
    keywords: body.keywords ?? DEFAULTS.keywords,
    accessModifier: body.accessModifier ?? DEFAULTS.accessModifier,
    isActive: body.isActive ?? true,
    defaultKey: key.projectKey,
    ...(stored === null ? await newCatalog(context, body) : await changedCatalog(context, stored, body)),
    templateId: body.templateId ?? null,
    templateVersion: body.templateVersion ?? null,
    complianceResult: null,
    complianceCheckedAtMs: null,
    revision: (stored?.revision ?? 0) + 1,
    createdAtMs: stored?.createdAtMs ?? nowMs,
    createdBy: stored?.createdBy ?? actor.id,
    updatedAtMs: nowMs,
    updatedBy: actor.id,
    ...NOT_DELETED,
    props,
  }
}

const DEFAULTS = recordDefaults.pipeline

const alreadyThere = (): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'a pipeline of this project and organization exists', {
    details: { field: 'project' },
  })

type CreateContext = WriteContext<'pipeline.create' | 'pipeline.update'>

/** The write. It refuses before it has written anything, so that a bulk request can continue with the next item. */
export async function commitCreate(context: CreateContext, prepared: PreparedCreate) {
  const { tx } = context
  const { storedRevision, takesPlace, verdict, warnings } = prepared
  const found = await findByKey(tx, prepared.row.orgId, prepared.row)
  const stored = found === null ? null : await lockPipeline(tx, prepared.row.orgId, found.id)
  const judged = stored === null ? null : stored.revision - movedHere(tx, stored.id)
  // guard: what-was-judged-is-what-is-created
  if (judged !== storedRevision) throw changedMeanwhile()
  const row: PipelineRow = { ...prepared.row, revision: (stored?.revision ?? 0) + 1 }
  if (takesPlace) {
    // guard: the-place-of-a-pipeline-that-is-created
    await capacityOf(context.runtime).take(tx, row.orgId, 'pipelines', 1)
  }
  await clearDefault(context, row.orgId, row.projectKey, row.id)
  if (stored === null) {
    if (!(await insertPipeline(context, row))) throw changedMeanwhile()
  } else {
    await savePipeline(context, row, takesPlace ? 'restored' : 'updated')
    await tellDeployed(context, stored, row)
  }
  await context.audit(stored === null ? 'pipeline.create' : 'pipeline.update', {
    targetType: 'pipeline',
    targetId: row.id,
    details: { name: row.pipelineName, ...(takesPlace && stored !== null ? { reason: 'revived' } : {}) },
  })
  const eventType = stored === null ? 'created' : takesPlace ? 'restored' : 'updated'
  await announceEntity(context, row.orgId, { target: 'pipeline', entityId: row.id, eventType })
  return {
    pipeline: pipelineRecord(row),
    created: stored === null,
    warnings: [...warnings],
    complianceWarnings: [...verdict.warnings],
  }
}

/** `POST /pipelines` */
export const createPipeline = command({
  name: 'pipeline.pipeline.create',
  summary: 'Create a pipeline, or update the one of this project and organization',
  description:
    'The compliance rules are checked before the pipeline is stored. `If-None-Match: *` refuses with 409 when one of this project and organization exists.',
  http: { method: 'post', path: '/pipelines', status: 201 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  acrossOrganizations: `${ACROSS}; ${PARKED_ACROSS}`,
  audit: ['pipeline.create', 'pipeline.update'],
  idempotent: true,
  input: { body: CreateBody },
  output: CreateAnswer,
  errors: CREATE_ERRORS,
  prepare: (context, { body }) =>
    prepareCreate(context, body, { mustBeNew: context.request.headers?.get('if-none-match')?.trim() === '*' }),
  async run(context, _, prepared) {
    const data = await commitCreate(context, prepared)
    return changed(data, { status: data.created ? 201 : 200 })
  },
})
