/** `GET /pipelines/:id/revisions`: list the revisions of a pipeline. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { storedPipeline } from '../pipeline/rows.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables } from '../tables.js'
import { fields, item } from './record.js'

const RevisionItem = strictObject(fields)

/** Finds pipelines of the organization, deleted ones too. @throws Refusal 404 */
async function known(context: ReadContext, id: string): Promise<void> {
  if ((await storedPipeline(context.db, tenantId(context), id)) === null) throw notFound('Pipeline')
}

const list = listOf({ key: 'revisions', item: RevisionItem, sortBy: ['revision', 'createdAt'] })

export const listRevisions = query({
  name: 'pipeline.revision.list',
  summary: 'List the revisions of a pipeline',
  http: { method: 'get', path: '/pipelines/:id/revisions' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }), query: list.query },
  output: list.output,
  errors: ['NOT_FOUND'],
  async run(context, { path, query }) {
    await known(context, path.id)
    const { pipelineRevisions: t } = pipelineTables(context.db)
    return list.page(context.db, {
      table: t,
      where: and(eq(t.orgId, tenantId(context)), eq(t.pipelineId, path.id)),
      // Revision numbers follow the order of changes; two changes in one millisecond differ by this number alone.
      columns: { revision: t.revision, createdAt: t.revision },
      id: t.pipelineId,
      query,
      present: item,
    })
  },
})
