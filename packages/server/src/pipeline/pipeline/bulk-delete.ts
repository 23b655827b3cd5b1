/** `POST /pipelines/bulk/delete`: delete many pipelines. Source: spec platform 8.3; spec platform 8.1. */
import type { PrepareContext, WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { PipelineRow } from '../tables.js'
import { access, commitEach, counted, countOf, Ids, outcomeOf, prepareIds } from './bulk.js'
import { commitDelete } from './delete.js'
import { ownPipeline } from './update.js'

export const bulkDeletePipelines = command({
  name: 'pipeline.pipeline.bulk-delete',
  summary: 'Delete many pipelines',
  http: { method: 'post', path: '/pipelines/bulk/delete' },
  access,
  tenant: fromHeader,
  audit: ['pipeline.delete'],
  input: { body: strictObject({ ids: Ids }) },
  output: strictObject(counted('deleted')),
  errors: [],
  prepare: (context: PrepareContext, { body: { ids } }) =>
    prepareIds(ids, (id): Promise<PipelineRow> => ownPipeline(context, id)),
  async run(context: WriteContext<'pipeline.delete'>, _, prepared) {
    const items = await commitEach(prepared, async (stored) => {
      const { id } = await commitDelete(context, stored)
      return { id, status: 'deleted' as const }
    })
    return outcomeOf(items, { deleted: countOf(items, 'deleted') })
  },
})
