/** `POST /reports/incidents`: a monitor reports that an incident opened, and later that it was resolved. */
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { IncidentBody } from './schema.js'
import { storeIncident } from './store.js'

export const reportIncident = command({
  name: 'reporting.incident.report',
  summary: 'Report that an incident opened or was resolved',
  description:
    'A report with the same id is the same incident: the earliest opening is kept; `resolvedAt: null` opens it again. The answer says what is stored then: a `resolvedAt` before a known resolution, or before the incident was opened again, changes nothing.',
  http: { method: 'post', path: '/reports/incidents' },
  access: scope('reporting:ingest'),
  tenant: fromHeader,
  audit: none('incidents are the record themselves'),
  rateLimit: 'report-ingest',
  input: { body: IncidentBody },
  output: strictObject({
    incidentId: Type.String(),
    created: Type.Boolean(),
    openedAt: Instant,
    resolvedAt: nullable(Instant),
  }),
  errors: [],
  async run(context, { body }) {
    const { created, openedMs, resolvedMs } = await storeIncident(context.tx, tenantId(context), body, context.nowMs)
    const stored = { openedAt: toIso(openedMs), resolvedAt: toIsoOrNull(resolvedMs) }
    return changed({ incidentId: body.incidentId, created, ...stored }, { status: created ? 201 : 200 })
  },
})
