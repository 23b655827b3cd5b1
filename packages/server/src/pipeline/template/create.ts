/** `POST /pipeline-templates`: author a pipeline template. Source: spec platform 9 and 22. */
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { newCatalog } from '../../runtime/records/catalog.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { checkPublish } from '../pipeline/check.js'
import type { TemplateRow } from '../tables.js'
import { nameTaken, requireContract } from './contract.js'
import { TemplateBody, templateRecord } from './record.js'
import { insertTemplate } from './rows.js'
import { Answer, ERRORS, evidence } from './write.js'

export const createTemplate = command({
  name: 'pipeline.template.create',
  summary: 'Author a pipeline template',
  http: { method: 'post', path: '/pipeline-templates', status: 201 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline_template.create'],
  idempotent: true,
  input: { query: DryRun, body: TemplateBody },
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
      nameKey: nameKey(body.name),
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
      ...NOT_DELETED,
      props,
    }
  },
  async run(context, _, row) {
    if (!(await insertTemplate(context.tx, row))) throw nameTaken()
    await context.audit('pipeline_template.create', evidence(row))
    return changed({ template: templateRecord(row) })
  },
})
