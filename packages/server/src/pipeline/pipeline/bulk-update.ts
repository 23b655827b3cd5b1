/**
 * `PUT /pipelines/bulk/update`: applies the same change to each pipeline. Source: spec platform 8.3; spec platform 8.1.
 */
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { access, commitEach, counted, countOf, Ids, outcomeOf, prepareIds } from './bulk.js'
import { UpdateBody } from './record.js'
import { commitUpdate, type PreparedUpdate, prepareUpdate } from './update.js'

export const bulkUpdatePipelines = command({
  name: 'pipeline.pipeline.bulk-update',
  summary: 'Apply the same change to many pipelines',
  http: { method: 'put', path: '/pipelines/bulk/update' },
  access,
  tenant: fromHeader,
  audit: ['pipeline.update'],
  input: { body: strictObject({ ids: Ids, data: UpdateBody }) },
  output: strictObject(counted('updated', 'unchanged')),
  errors: ['COMPLIANCE_SERVICE_UNAVAILABLE'],
  prepare: (context, { body: { ids, data } }) =>
    prepareIds(ids, (id): Promise<PreparedUpdate> => prepareUpdate(context, id, data, '/body/data')),
  async run(context, _, prepared) {
    const items = await commitEach(prepared, async (value) => {
      const { changed: isChanged, data } = await commitUpdate(context, value)
      const { pipeline, warnings, complianceWarnings } = data
      return { id: pipeline.id, status: isChanged ? 'updated' : 'unchanged', warnings, complianceWarnings }
    })
    return outcomeOf(items, { updated: countOf(items, 'updated'), unchanged: countOf(items, 'unchanged') })
  },
})
