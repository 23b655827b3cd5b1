/** A revision of a pipeline as the API shows it. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { Instant, Uuid } from '../../runtime/operation/schema.js'
import { pipelineTables } from '../tables.js'

export const fields = {
  revision: Type.Integer({ minimum: 1 }),
  change: Type.Unsafe<string>({ type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] }),
  changedAt: Instant,
  changedBy: Type.String(),
}

type Row = ReturnType<typeof pipelineTables>['pipelineRevisions']['$inferSelect']

export const item = ({ revision, change, changedAtMs, changedBy }: Omit<Row, 'record'>) => ({
  revision,
  change,
  changedAt: toIso(changedAtMs),
  changedBy,
})

export async function revisionOf(context: ReadContext, id: string, revision: number): Promise<Row> {
  const { pipelineRevisions: t } = pipelineTables(context.db)
  const [row] = await context.db
    .select()
    .from(t)
    .where(and(eq(t.orgId, tenantId(context)), eq(t.pipelineId, id), eq(t.revision, revision)))
  if (row === undefined) throw notFound('Revision')
  return row
}

export const Number32 = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const onRevision = Type.Object({ id: Uuid, revision: Number32 })
