/**
 * `POST /pipeline-templates/:id/purge`: remove a deleted pipeline template for good. Source: spec platform 9 and 22.
 */

import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import { ownTemplate } from './record.js'
import { purgeTemplates } from './rows.js'
import { evidence, lockChecked, onTemplate } from './write.js'

export const purgeTemplate = command({
  name: 'pipeline.template.purge',
  summary: 'Purge a deleted pipeline template',
  http: { method: 'post', path: '/pipeline-templates/:id/purge' },
  access: withStepUp(permission('pipelines:write')),
  tenant: fromHeader,
  audit: ['pipeline_template.delete'],
  input: { path: onTemplate },
  output: PurgedAnswer,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND'],
  prepare: (context, { path }) => ownTemplate(context, path.id, true),
  async run(context, _, checked) {
    const { tx } = context
    const stored = await lockChecked(context, checked)
    await purgeTemplates(tx, stored.orgId, [stored.id])
    await context.audit('pipeline_template.delete', evidence(stored, { reason: 'purged' }))
    return changed(purgedView(stored.id, `the template ${stored.name}`))
  },
})
