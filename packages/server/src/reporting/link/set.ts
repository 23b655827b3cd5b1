/**
 * `PUT /reports/incidents/:id/link`: a person sets the deployment that caused an incident. The link is permanent until
 * it is deleted.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { environmentOf, readSettings } from '../dora-settings.js'
import { findDeployed } from '../outcome/find.js'
import { MARKING } from '../outcome/mark.js'
import { reportingTables } from '../tables.js'

export const IncidentPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 255 }) })

export const setLink = command({
  name: 'reporting.link.set',
  summary: 'Attribute an incident to a deployment',
  http: { method: 'put', path: '/reports/incidents/:id/link' },
  access: MARKING,
  tenant: fromHeader,
  audit: ['reports.incident.link'],
  input: {
    path: IncidentPath,
    body: strictObject({ executionId: Type.String({ minLength: 1, maxLength: 255 }), pipelineId: Type.Optional(Uuid) }),
  },
  output: strictObject({ incidentId: Type.String(), pipelineId: Type.String(), executionId: Type.String() }),
  errors: ['NOT_FOUND', 'CONFLICT', 'AMBIGUOUS_EXECUTION'],
  async run(context, { path: { id }, body: { executionId, pipelineId } }) {
    const { tx, nowMs, principal } = context
    const orgId = tenantId(context)
    const { reportIncidents: i, reportLinks: t } = reportingTables(tx)
    const [incident] = await tx
      .select()
      .from(i)
      .where(and(eq(i.orgId, orgId), eq(i.incidentId, id)))
    if (incident === undefined) throw notFound('Incident')
    const environment = environmentOf(incident, await readSettings(tx, orgId))
    const unit = await findDeployed(tx, { orgId, executionId, pipelineId, environment })
    const linkedBy = principal.kind === 'user' ? principal.userId : null
    const row = { orgId, incidentId: id, pipelineId: unit.pipelineId, executionId, linkedBy, linkedMs: nowMs }
    await tx
      .insert(t)
      .values(row)
      .onConflictDoUpdate({ target: [t.orgId, t.incidentId], set: row })
    await context.audit('reports.incident.link', {
      targetType: 'incident',
      targetId: id,
      details: { id: unit.pipelineId, name: executionId },
    })
    return changed({ incidentId: id, pipelineId: unit.pipelineId, executionId })
  },
})
