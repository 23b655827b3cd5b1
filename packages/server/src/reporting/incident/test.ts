/** `POST /reports/incidents/test`: the deployment that an incident would be attributed to, without storing it. */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { either, permission, scope } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ofRuns, readHistory } from '../dora/history.js'
import { linksOf } from '../dora/link.js'
import { readSettings } from '../dora-settings.js'
import { rangeOf } from '../report/range.js'
import { scopeOf } from '../report/scope.js'
import { retentionOf } from '../retention.js'
import { presentLink } from './present.js'
import { IncidentBody, LinkField } from './schema.js'
import { faultOf } from './store.js'

export const testIncident = query({
  name: 'reporting.incident.test',
  summary: 'Test what an incident would be attributed to, without storing it',
  http: { method: 'post', path: '/reports/incidents/test' },
  access: either(permission('reports:read'), scope('reporting:ingest')),
  tenant: fromHeader,
  input: { body: IncidentBody },
  output: strictObject({ valid: Type.Boolean(), link: LinkField }),
  errors: ['NOT_FOUND'],
  async run(context, { body }) {
    const fault = faultOf(body, context.nowMs)
    if (fault !== null) throw invalidField(`/body/${fault.field}`, fault.message, fault.code)
    const { factDays } = await retentionOf(context)
    const range = rangeOf({}, factDays, context.nowMs)
    const { history, basis } = await readHistory(context, {}, { scope: await scopeOf(context, {}), range })
    const incident = {
      orgId: tenantId(context),
      incidentId: body.incidentId,
      environment: body.environment,
      openedAtMs: Date.parse(body.openedAt),
      resolvedAtMs: body.resolvedAt == null ? null : Date.parse(body.resolvedAt),
      pipelineId: body.pipelineId ?? null,
      sha: body.commitSha?.toLowerCase() ?? null,
    }
    const about = basis === 'run' ? ofRuns(incident, await readSettings(context.db, incident.orgId)) : incident
    const [link] = linksOf({ ...history, incidents: [about] })
    return { valid: true, link: presentLink(link ?? { kind: null, deployment: null, candidates: [] }) }
  },
})
