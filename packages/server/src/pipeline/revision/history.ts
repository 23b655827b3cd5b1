/** What a pipeline was after each of its changes. The newest revisions are kept. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { PipelineSchema } from '../pipeline/record.js'
import { findPipeline } from '../pipeline/rows.js'
import { READ_PIPELINES } from '../read-access.js'
import { pipelineTables } from '../tables.js'
import { difference } from './diff.js'

const fields = {
  revision: Type.Integer({ minimum: 1 }),
  change: Type.Unsafe<string>({ type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] }),
  changedAt: Instant,
  changedBy: Type.String(),
}
const RevisionItem = strictObject(fields)
const Revision = strictObject({ ...fields, pipeline: PipelineSchema })

type Row = ReturnType<typeof pipelineTables>['pipelineRevisions']['$inferSelect']

const item = ({ revision, change, changedAtMs, changedBy }: Omit<Row, 'record'>) => ({
  revision,
  change,
  changedAt: toIso(changedAtMs),
  changedBy,
})

/** The organization's own, deleted ones too. @throws Refusal 404 */
async function known(context: ReadContext, id: string): Promise<void> {
  if ((await findPipeline(context.db, tenantId(context), id)) === null) throw notFound('Pipeline')
}

async function revisionOf(context: ReadContext, id: string, revision: number): Promise<Row> {
  const { pipelineRevisions: t } = pipelineTables(context.db)
  const [row] = await context.db
    .select()
    .from(t)
    .where(and(eq(t.orgId, tenantId(context)), eq(t.pipelineId, id), eq(t.revision, revision)))
  if (row === undefined) throw notFound('Revision')
  return row
}

const list = listOf({ key: 'revisions', item: RevisionItem, sortBy: ['revision', 'createdAt'] })

/** `GET /pipelines/:id/revisions` */
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
      // Revisions are counted as they come about; two of one millisecond differ by their number alone.
      columns: { revision: t.revision, createdAt: t.revision },
      id: t.pipelineId,
      query,
      present: item,
    })
  },
})

const Number32 = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const onRevision = Type.Object({ id: Uuid, revision: Number32 })

/** `GET /pipelines/:id/revisions/:revision` */
export const getRevision = query({
  name: 'pipeline.revision.get',
  summary: 'Read a pipeline as it was',
  http: { method: 'get', path: '/pipelines/:id/revisions/:revision' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: { path: onRevision },
  output: strictObject({ revision: Revision }),
  errors: ['NOT_FOUND'],
  async run(context, { path }) {
    const row = await revisionOf(context, path.id, path.revision)
    return { revision: { ...item(row), pipeline: row.record } }
  },
})

const Change = strictObject({
  op: Type.Unsafe<'add' | 'remove' | 'replace'>({ type: 'string', enum: ['add', 'remove', 'replace'] }),
  path: Type.String({ description: 'JSON pointer into the pipeline' }),
  before: Type.Optional(Type.Unsafe<unknown>({})),
  after: Type.Optional(Type.Unsafe<unknown>({})),
})

/** Set by the server with each change. */
const UNSAID = new Set(['revision', 'updatedAt', 'updatedBy'])

/** `GET /pipelines/:id/revisions/:revision/diff`: what changed since the one before it, or since `against`. */
export const diffRevisions = query({
  name: 'pipeline.revision.diff',
  summary: 'Compare two revisions of a pipeline',
  http: { method: 'get', path: '/pipelines/:id/revisions/:revision/diff' },
  access: READ_PIPELINES,
  tenant: fromHeader,
  input: {
    path: onRevision,
    query: Type.Object({
      against: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The one before, unless said' }),
      ),
    }),
  },
  output: strictObject({ from: Number32, to: Number32, changes: Type.Array(Change) }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id, revision }, query: { against = Math.max(1, revision - 1) } }) {
    const [before, after] = [await revisionOf(context, id, against), await revisionOf(context, id, revision)]
    const said = (record: object) => Object.fromEntries(Object.entries(record).filter(([name]) => !UNSAID.has(name)))
    return { from: against, to: revision, changes: difference(said(before.record), said(after.record)) }
  },
})
