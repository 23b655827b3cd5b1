/**
 * `PUT /reports/incidents/:id/link`: a person sets the deployment that caused an incident, or the run where no event of
 * the organization names an environment. The link is permanent until it is deleted.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { environmentOf, readSettings, whyEnvironment } from '../dora-settings.js'
import { WhyEnvironmentField } from '../incident/schema.js'
import { unknownIncident } from '../incident/unknown.js'
import type { DoraSettings } from '../model.js'
import { findDeployed, findPipeline, type Named } from '../outcome/find.js'
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
  output: strictObject({
    incidentId: Type.String(),
    environment: Type.String(),
    whyEnvironment: WhyEnvironmentField,
    pipelineId: Type.String(),
    executionId: Type.String(),
  }),
  errors: ['NOT_FOUND', 'CONFLICT', 'AMBIGUOUS_EXECUTION'],
  async run(context, { path: { id }, body: { executionId, pipelineId } }) {
    const { tx, nowMs, principal } = context
    const orgId = tenantId(context)
    const { reportIncidents: i, reportLinks: t } = reportingTables(tx)
    const [incident] = await tx
      .select()
      .from(i)
      .where(and(eq(i.orgId, orgId), eq(i.incidentId, id)))
    if (incident === undefined) throw unknownIncident()
    const settings = await readSettings(tx, orgId)
    const named = { orgId, executionId, pipelineId }
    const environment = environmentOf(incident, settings)
    const unit = (await hasDeployments(tx, orgId))
      ? await findDeployed(tx, { ...named, environment }, (names) => deployedElsewhere(environment, names))
      : await findRun(tx, { ...named, environment }, settings)
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
    const why = { environment, whyEnvironment: whyEnvironment(incident, settings) }
    return changed({ incidentId: id, ...why, pipelineId: unit.pipelineId, executionId })
  },
})

const SETTING = '`headlineEnvironments` (PUT /reports/settings/incidents)'

const deployedElsewhere = (environment: string, names: string) =>
  invalidField(
    '/body/executionId',
    `the incident is in ${environment}, and the execution deployed to ${names}: link a deployment to ${environment}, or report the incident again with its \`environment\``,
    'environment',
  )

async function hasDeployments(db: Db, orgId: string): Promise<boolean> {
  const { reportDeployments: d } = reportingTables(db)
  const rows = await db.select({ orgId: d.orgId }).from(d).where(eq(d.orgId, orgId)).limit(1)
  return rows.length > 0
}

/**
 * Where no event names an environment, each run counts as a deployment, and only incidents of a headline environment
 * are about runs.
 */
async function findRun(db: Db, { environment, ...named }: Named, { headlineEnvironments }: DoraSettings) {
  const pipelineId = await findPipeline(db, named)
  if (!headlineEnvironments.includes(environment)) {
    throw new Refusal(
      'CONFLICT',
      `no event names an environment, so only incidents of ${headlineEnvironments.join(', ')} are about runs, and this one is in ${environment}: add ${environment} to the setting ${SETTING}, or name the \`environment\` in the events that deploy`,
    )
  }
  const { reportExecutions: e } = reportingTables(db)
  const [run] = await db
    .select({ status: e.status })
    .from(e)
    .where(and(eq(e.orgId, named.orgId), eq(e.pipelineId, pipelineId), eq(e.executionId, named.executionId)))
  if (run?.status === 'succeeded') return { pipelineId }
  throw new Refusal(
    'CONFLICT',
    run === undefined
      ? 'no event tells how the run ended: send one with the `eventType` PIPELINE'
      : `the run did not succeed: it already counts as ${run.status}`,
  )
}
