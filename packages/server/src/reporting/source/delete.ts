/** `DELETE /reports/sources/:id`: refuses later deliveries; stored events stay. */
import { and, eq } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { reportingTables } from '../tables.js'
import { findSource, SourcePath } from './record.js'

export const deleteSource = command({
  name: 'reporting.source.delete',
  summary: 'Delete a source',
  description: 'Its events stay; those that still wait for a pipeline are removed.',
  http: { method: 'delete', path: '/reports/sources/:id' },
  access: permission('org:settings'),
  tenant: fromHeader,
  audit: ['reports.source.delete'],
  input: { path: SourcePath },
  output: null,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const orgId = tenantId(context)
    // guard: a-source-is-deleted-once
    await lockRow(tx, 'organizations', orgId)
    const { name } = await findSource(tx, orgId, id)
    const { reportSources: s, reportDeliveries: d, reportParked: p } = reportingTables(tx)
    await tx.delete(p).where(and(eq(p.orgId, orgId), eq(p.sourceId, id)))
    await tx.delete(d).where(and(eq(d.orgId, orgId), eq(d.sourceId, id)))
    await tx.delete(s).where(and(eq(s.orgId, orgId), eq(s.id, id)))
    await context.audit('reports.source.delete', { targetType: 'report-source', targetId: id, details: { name } })
    return changed(null)
  },
})
