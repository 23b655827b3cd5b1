/** `POST /pipeline-templates/:id/restore`: restore a deleted pipeline template. Source: spec platform 9 and 22. */
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { TemplateRow } from '../tables.js'
import { ownTemplate, templateRecord } from './record.js'
import { Answer, evidence, lockChecked, onTemplate, save, touched } from './write.js'

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
    const row: TemplateRow = { ...stored, ...NOT_DELETED, ...touched(context, stored), liveKey: nameKey(stored.name) }
    await save(context.tx, row)
    await context.audit('pipeline_template.update', evidence(row, { reason: 'restored' }))
    return changed({ template: templateRecord(row) })
  },
})
