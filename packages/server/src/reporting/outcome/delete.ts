/** `DELETE /reports/deployments/:executionId/outcome/:outcome`: removes a mark. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { choice, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { readSettings } from '../dora-settings.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'
import { findPipeline } from './find.js'
import { MARKING } from './mark.js'
import { OUTCOMES, OutcomeField, presentOutcome } from './schema.js'

export const deleteOutcome = command({
  name: 'reporting.outcome.delete',
  summary: 'Remove a mark of a deployment',
  description: '`restored` cannot exist without `failed`: both are removed.',
  http: { method: 'delete', path: '/reports/deployments/:executionId/outcome/:outcome' },
  access: MARKING,
  tenant: fromHeader,
  audit: ['reports.outcome.mark'],
  input: {
    path: Type.Object({ executionId: Type.String({ minLength: 1, maxLength: 255 }), outcome: choice(OUTCOMES) }),
    query: Type.Object({
      pipelineId: Type.Optional(Uuid),
      environment: Type.Optional(name(1, 255, 'By default, the headline environment')),
    }),
  },
  output: strictObject({ removed: Type.Array(OutcomeField) }),
  errors: ['NOT_FOUND', 'AMBIGUOUS_EXECUTION'],
  async run(context, { path: { executionId, outcome }, query: asked }) {
    const { tx } = context
    const orgId = tenantId(context)
    const environment = asked.environment ?? (await readSettings(tx, orgId)).headlineEnvironments[0] ?? 'production'
    // Changes to marks of one deployment are serialized, so that `restored` never exists without `failed`.
    await takeTurns(tx, [`marks ${orgId} ${executionId} ${environment}`])
    const { reportOutcomes: t } = reportingTables(tx)
    const marks = await tx
      .select()
      .from(t)
      .where(
        and(
          eq(t.orgId, orgId),
          eq(t.executionId, executionId),
          eq(t.environment, environment),
          asked.pipelineId === undefined ? undefined : eq(t.pipelineId, asked.pipelineId),
        ),
      )
    const own = marks.filter((mark) => mark.outcome === outcome)
    if (own.length === 0) {
      await findPipeline(tx, { orgId, executionId, pipelineId: asked.pipelineId })
      throw notFound(
        'Outcome',
        `the deployment to ${environment} is not marked as ${outcome}; \`plumbline reports deployments\` lists deployments with their marks`,
      )
    }
    if (own.length > 1) {
      const pipelineIds = own.map(({ pipelineId }) => pipelineId).sort()
      throw new Refusal(
        'AMBIGUOUS_EXECUTION',
        'several pipelines have an execution of this id: name one by `pipelineId`',
        { details: { pipelineIds } },
      )
    }
    const pipelineId = own[0]?.pipelineId ?? ''
    const going = marks.filter(
      (mark) => mark.pipelineId === pipelineId && (outcome === 'failed' || mark.outcome === outcome),
    )
    const outcomes = going.map((mark) => mark.outcome)
    await tx
      .delete(t)
      .where(
        and(
          eq(t.orgId, orgId),
          eq(t.pipelineId, pipelineId),
          eq(t.executionId, executionId),
          eq(t.environment, environment),
          inArray(t.outcome, outcomes),
        ),
      )
    await context.audit('reports.outcome.mark', {
      targetType: 'deployment',
      targetId: executionId,
      details: { id: pipelineId, name: environment, changed: outcome, reason: 'taken back' },
    })
    return changed({ removed: going.map(presentOutcome) })
  },
})
