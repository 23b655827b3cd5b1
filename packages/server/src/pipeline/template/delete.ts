/**
 * `DELETE /pipeline-templates/:id`: delete a pipeline template; it can be restored for a while. Source: spec platform 9
 * and 22.
 */
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Deleted, deletedNow, deletedView } from '../../runtime/records/soft-delete.js'
import { ownTemplate } from './record.js'
import { evidence, lockChecked, onTemplate, save, touched } from './write.js'

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
    const tombstone = deletedNow(context)
    await save(context.tx, { ...stored, ...tombstone, ...touched(context, stored), liveKey: null })
    await context.audit('pipeline_template.delete', evidence(stored))
    return changed(deletedView(stored.id, `the template ${stored.name}`, tombstone))
  },
})
