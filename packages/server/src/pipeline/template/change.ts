/** Authors, changes, deletes, restores and purges templates. Source: platform decisions 9 and 22. */
import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { changedCatalog, newCatalog } from '../../runtime/records/catalog.js'
import { ALIVE, buried, Deleted, deletedView } from '../../runtime/records/tombstone.js'
import type { Tx } from '../../runtime/store/db.js'
import { checkPublish } from '../pipeline/check.js'
import { pipelineTables, type TemplateRow } from '../tables.js'
import { nameTaken, requireContract } from './contract.js'
import { ownTemplate, SERVER_OWNED, TemplateBody, TemplateRecord, TemplateUpdate, templateRecord } from './record.js'
import { insertTemplate, lockTemplate, purgeTemplates, saveTemplate } from './rows.js'

const ERRORS = [
  'DUPLICATE_ENTRY',
  'INSUFFICIENT_PERMISSIONS',
  'TEMPLATE_CONTRACT_VIOLATION',
  'TEMPLATE_CYCLE',
  'TEMPLATE_PARSE_ERROR',
  'TEMPLATE_SECRETS_RESERVED',
  'TEMPLATE_SIZE_EXCEEDED',
  'TEMPLATE_TYPE_MISMATCH',
  'TEMPLATE_UNKNOWN_PATH',
  'TEMPLATE_VALIDATION_FAILED',
  'VALIDATION_ERROR',
] as const

const Answer = strictObject({ template: TemplateRecord })
const onTemplate = Type.Object({ id: Uuid })

/** `POST /pipeline-templates` */
export const createTemplate = command({
  name: 'pipeline.template.create',
  summary: 'Author a pipeline template',
  http: { method: 'post', path: '/pipeline-templates', status: 201 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline_template.create'],
  idempotent: true,
  input: { body: TemplateBody },
  output: Answer,
  errors: ERRORS,
  async prepare(context, { body }): Promise<TemplateRow> {
    checkPublish(context, body.accessModifier)
    const { inputs = [], props } = body
    requireContract(props, inputs)
    return {
      id: context.runtime.ids.next(),
      orgId: tenantId(context),
      name: body.name.trim(),
      liveKey: nameKey(body.name),
      description: body.description ?? '',
      keywords: body.keywords ?? [],
      category: body.category ?? 'general',
      inputs,
      accessModifier: body.accessModifier ?? 'private',
      isActive: body.isActive ?? true,
      version: 1,
      ...(await newCatalog(context, body)),
      revision: 1,
      createdAtMs: context.nowMs,
      createdBy: context.actor.id,
      updatedAtMs: context.nowMs,
      updatedBy: context.actor.id,
      ...ALIVE,
      props,
    }
  },
  async run(context, _, row) {
    if (!(await insertTemplate(context.tx, row))) throw nameTaken()
    await context.audit('pipeline_template.create', evidence(row))
    return changed({ template: templateRecord(row) })
  },
})

const evidence = (row: TemplateRow, more: object = {}) => ({
  targetType: 'pipeline_template',
  targetId: row.id,
  details: { name: row.name, ...more },
})

/** The template under its lock, as it was when its change was checked. @throws Refusal 404, 409, 412. */
async function lockChecked(context: WriteContext, checked: TemplateRow): Promise<TemplateRow> {
  const stored = await lockTemplate(context.tx, checked.orgId, checked.id)
  if (stored === null || (stored.deletedAtMs !== null) !== (checked.deletedAtMs !== null)) throw notFound('Template')
  context.checkRevision(stored.revision)
  if (stored.revision !== checked.revision) {
    throw new Refusal('CONFLICT', 'the template was changed meanwhile: read it again, then repeat the change')
  }
  return stored
}

/** @throws Refusal 409 when another live template of the organization has the name. */
async function save(tx: Tx, row: TemplateRow): Promise<void> {
  if (row.liveKey !== null) {
    const { pipelineTemplates: t } = pipelineTables(tx)
    const [other] = await tx
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.orgId, row.orgId), eq(t.liveKey, row.liveKey)))
    if (other !== undefined && other.id !== row.id) throw nameTaken()
  }
  await saveTemplate(tx, row)
}

const touched = ({ nowMs, actor }: WriteContext, stored: TemplateRow) => ({
  revision: stored.revision + 1,
  updatedAtMs: nowMs,
  updatedBy: actor.id,
})

/** `PUT /pipeline-templates/:id`: fields that are not sent stay. */
export const updateTemplate = command({
  name: 'pipeline.template.update',
  summary: 'Change a pipeline template',
  http: { method: 'put', path: '/pipeline-templates/:id' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline_template.update'],
  serverOwned: SERVER_OWNED,
  input: { path: onTemplate, body: TemplateUpdate },
  output: Answer,
  errors: [...ERRORS, 'CONFLICT', 'NOT_FOUND'],
  async prepare(context, { path, body }) {
    const stored = await ownTemplate(context, path.id)
    checkPublish(context, body.accessModifier)
    const name = body.name?.trim() ?? stored.name
    const row: TemplateRow = {
      ...stored,
      name,
      liveKey: nameKey(name),
      description: body.description ?? stored.description,
      keywords: body.keywords ?? stored.keywords,
      category: body.category ?? stored.category,
      inputs: body.inputs ?? stored.inputs,
      accessModifier: body.accessModifier ?? stored.accessModifier,
      isActive: body.isActive ?? stored.isActive,
      ...(await changedCatalog(context, stored, body)),
      props: body.props ?? stored.props,
    }
    if (body.props !== undefined || body.inputs !== undefined) requireContract(row.props, row.inputs)
    const isOther = !isDeepStrictEqual([row.props, row.inputs], [stored.props, stored.inputs])
    return { stored, row: { ...row, version: stored.version + (isOther ? 1 : 0) } }
  },
  async run(context, _, prepared) {
    const stored = await lockChecked(context, prepared.stored)
    context.checkServerOwned(templateRecord(stored))
    const names = Object.keys(prepared.row) as (keyof TemplateRow)[]
    const changes = names.filter((each) => !isDeepStrictEqual(prepared.row[each], stored[each]) && each !== 'liveKey')
    if (changes.length === 0) return unchanged({ template: templateRecord(stored) })
    const row = { ...prepared.row, ...touched(context, stored) }
    await save(context.tx, row)
    await context.audit('pipeline_template.update', evidence(row, { changed: changes }))
    return changed({ template: templateRecord(row) })
  },
})

/** `DELETE /pipeline-templates/:id` */
export const deleteTemplate = command({
  name: 'pipeline.template.delete',
  summary: 'Delete a pipeline template; it can be restored for a while',
  http: { method: 'delete', path: '/pipeline-templates/:id' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline_template.delete'],
  input: { path: onTemplate },
  output: Deleted,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownTemplate(context, path.id),
  async run(context, _, checked) {
    const stored = await lockChecked(context, checked)
    const tombstone = buried(context)
    await save(context.tx, { ...stored, ...tombstone, ...touched(context, stored), liveKey: null })
    await context.audit('pipeline_template.delete', evidence(stored))
    return changed(deletedView(stored.id, tombstone))
  },
})

/** `POST /pipeline-templates/:id/restore` */
export const restoreTemplate = command({
  name: 'pipeline.template.restore',
  summary: 'Restore a deleted pipeline template',
  http: { method: 'post', path: '/pipeline-templates/:id/restore' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  audit: ['pipeline_template.update'],
  input: { path: onTemplate },
  output: Answer,
  errors: ['CONFLICT', 'DUPLICATE_ENTRY', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownTemplate(context, path.id, true),
  async run(context, _, checked) {
    const stored = await lockChecked(context, checked)
    const row: TemplateRow = { ...stored, ...ALIVE, ...touched(context, stored), liveKey: nameKey(stored.name) }
    await save(context.tx, row)
    await context.audit('pipeline_template.update', evidence(row, { reason: 'restored' }))
    return changed({ template: templateRecord(row) })
  },
})

/** `POST /pipeline-templates/:id/purge` */
export const purgeTemplate = command({
  name: 'pipeline.template.purge',
  summary: 'Remove a deleted pipeline template for good',
  http: { method: 'post', path: '/pipeline-templates/:id/purge' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  audit: ['pipeline_template.delete'],
  input: { path: onTemplate },
  output: strictObject({ id: Uuid, purged: Type.Literal(true) }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownTemplate(context, path.id, true),
  async run(context, _, checked) {
    const { tx } = context
    const stored = await lockChecked(context, checked)
    await purgeTemplates(tx, stored.orgId, [stored.id])
    await context.audit('pipeline_template.delete', evidence(stored, { reason: 'purged' }))
    return changed({ id: stored.id, purged: true as const })
  },
})
