/** `DELETE /reports/incidents/:id/link`: the link is derived from the facts again. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, type Refusal } from '../../runtime/errors.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { unknownIncident } from '../incident/unknown.js'
import { MARKING } from '../outcome/mark.js'
import { reportingTables } from '../tables.js'
import { IncidentPath } from './set.js'

export const deleteLink = command({
  name: 'reporting.link.delete',
  summary: 'Attribute an incident automatically again',
  http: { method: 'delete', path: '/reports/incidents/:id/link' },
  access: MARKING,
  tenant: fromHeader,
  audit: ['reports.incident.link'],
  input: { path: IncidentPath },
  output: strictObject({ incidentId: Type.String() }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const orgId = tenantId(context)
    const { reportLinks: t } = reportingTables(tx)
    const gone = await tx
      .delete(t)
      .where(and(eq(t.orgId, orgId), eq(t.incidentId, id)))
      .returning({ pipelineId: t.pipelineId, executionId: t.executionId })
    const [link] = gone
    if (link === undefined) throw await nothingToRemove(tx, orgId, id)
    await context.audit('reports.incident.link', {
      targetType: 'incident',
      targetId: id,
      details: { id: link.pipelineId, name: link.executionId, reason: 'taken back' },
    })
    return changed({ incidentId: id })
  },
})

async function nothingToRemove(db: Db, orgId: string, incidentId: string): Promise<Refusal> {
  const { reportIncidents: t } = reportingTables(db)
  const known = await db
    .select({ incidentId: t.incidentId })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.incidentId, incidentId)))
  if (known.length === 0) return unknownIncident()
  return notFound('Link', 'nobody set a link of this incident, so it is already attributed automatically')
}
