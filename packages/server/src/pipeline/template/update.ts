/** `PUT /pipeline-templates/:id`: fields that are not sent keep their value. Source: spec platform 9 and 22. */
import { isDeepStrictEqual } from 'node:util'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { DryRun } from '../../runtime/operation/dry-run.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { changedCatalog } from '../../runtime/records/catalog.js'
import { checkPublish } from '../pipeline/check.js'
import type { TemplateRow } from '../tables.js'
import { requireContract } from './contract.js'
import { ownTemplate, SERVER_OWNED, TemplateUpdate, templateRecord } from './record.js'
import { Answer, ERRORS, evidence, lockChecked, onTemplate, save, touched } from './write.js'

/** Fields that follow from the name. */
const KEYS: ReadonlySet<string> = new Set(['liveKey', 'nameKey'])

export const updateTemplate = command({
  name: 'pipeline.template.update',
  summary: 'Change a pipeline template',
  http: { method: 'put', path: '/pipeline-templates/:id' },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  audit: ['pipeline_template.update'],
  serverOwned: SERVER_OWNED,
  input: { path: onTemplate, query: DryRun, body: TemplateUpdate },
  output: Answer,
  errors: [...ERRORS, 'CONFLICT', 'NOT_FOUND'],
  async prepare(context, { path, body }) {
    const stored = await ownTemplate(context, path.id)
    checkPublish(context, body.accessModifier)
    const name = body.name?.trim() ?? stored.name
    const row: TemplateRow = {
      ...stored,
      name,
      nameKey: nameKey(name),
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
    const changes = names.filter((each) => !isDeepStrictEqual(prepared.row[each], stored[each]) && !KEYS.has(each))
    if (changes.length === 0) return unchanged({ template: templateRecord(stored) })
    const row = { ...prepared.row, ...touched(context, stored) }
    await save(context.tx, row)
    await context.audit('pipeline_template.update', evidence(row, { changed: changes }))
    return changed({ template: templateRecord(row) })
  },
})
