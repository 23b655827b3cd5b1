/**
 * `POST /reports/deployments/:executionId/outcome`: a person marks a deployment as failed after all, or as restored.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { either, permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { choice, Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { readSettings } from '../dora-settings.js'
import { keptFrom, retentionOfOrg } from '../retention.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'
import { findDeployed } from './find.js'
import { OUTCOMES, OutcomeField, presentOutcome } from './schema.js'

const AHEAD_MS = 60_000
export const MARKING = withFeature(
  'advanced_reporting',
  either(permission('reports:read'), permission('reports:write')),
)

export const markOutcome = command({
  name: 'reporting.outcome.mark',
  summary: 'Mark a successful deployment as failed later, or as restored',
  description: 'A repeated mark replaces the time. `restored` needs `failed` before it.',
  http: { method: 'post', path: '/reports/deployments/:executionId/outcome' },
  access: MARKING,
  tenant: fromHeader,
  audit: ['reports.outcome.mark'],
  input: {
    path: Type.Object({ executionId: Type.String({ minLength: 1, maxLength: 255 }) }),
    body: strictObject({
      outcome: choice(OUTCOMES),
      at: Type.Optional(Instant),
      environment: Type.Optional(name(1, 255, 'By default, the headline environment')),
      pipelineId: Type.Optional(Uuid),
      note: Type.Optional(Type.String({ maxLength: 500 })),
    }),
  },
  output: strictObject({ outcome: OutcomeField }),
  errors: ['NOT_FOUND', 'CONFLICT', 'AMBIGUOUS_EXECUTION'],
  async run(context, { path: { executionId }, body }) {
    const { tx, nowMs, runtime, principal } = context
    const orgId = tenantId(context)
    const environment = body.environment ?? (await readSettings(tx, orgId)).headlineEnvironments[0] ?? 'production'
    // Changes to marks of one deployment are serialized, so that `restored` never exists without `failed`.
    await takeTurns(tx, [`marks ${orgId} ${executionId} ${environment}`])
    const unit = await findDeployed(tx, { orgId, executionId, pipelineId: body.pipelineId, environment })
    const atMs = body.at === undefined ? nowMs : Date.parse(body.at)
    if (atMs > nowMs + AHEAD_MS)
      throw invalidField('/body/at', 'is in the future: leave it out for now, or set the clock of the sender', 'future')
    if (atMs < (unit.completedMs ?? 0)) {
      throw invalidField('/body/at', `is before the deployment ended, at ${toIso(unit.completedMs ?? 0)}`, 'date_order')
    }
    if (atMs < keptFrom((await retentionOfOrg(tx, runtime, orgId, nowMs)).factDays, nowMs))
      throw invalidField('/body/at', 'is before the kept history', 'range')
    const { reportOutcomes: t } = reportingTables(tx)
    const marks = await tx
      .select()
      .from(t)
      .where(
        and(
          eq(t.orgId, orgId),
          eq(t.pipelineId, unit.pipelineId),
          eq(t.executionId, executionId),
          eq(t.environment, environment),
        ),
      )
    const failed = marks.find(({ outcome }) => outcome === 'failed')
    // guard: restored-comes-after-failed
    if (body.outcome === 'restored' && failed === undefined) {
      throw new Refusal('CONFLICT', 'the deployment is not marked as failed: mark that first')
    }
    if (body.outcome === 'restored' && atMs < (failed?.atMs ?? 0)) {
      throw invalidField('/body/at', `is before it was marked as failed, at ${toIso(failed?.atMs ?? 0)}`, 'date_order')
    }
    const restored = marks.find(({ outcome }) => outcome === 'restored')
    if (body.outcome === 'failed' && restored !== undefined && atMs > restored.atMs) {
      throw invalidField(
        '/body/at',
        `is after it was restored, at ${toIso(restored.atMs)}: take that mark back first`,
        'date_order',
      )
    }
    const row = {
      orgId,
      pipelineId: unit.pipelineId,
      executionId,
      environment,
      outcome: body.outcome,
      atMs,
      note: body.note ?? null,
      markedBy: principal.kind === 'user' ? principal.userId : null,
      createdMs: nowMs,
    }
    const key = [t.orgId, t.pipelineId, t.executionId, t.environment, t.outcome]
    await tx.insert(t).values(row).onConflictDoUpdate({ target: key, set: row })
    await context.audit('reports.outcome.mark', {
      targetType: 'deployment',
      targetId: executionId,
      details: { id: unit.pipelineId, name: environment, changed: body.outcome },
    })
    return changed({ outcome: presentOutcome(row) })
  },
})
