/** Marks as the API shows them. */
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import type { ReportingTables } from '../tables.js'

export const OUTCOMES = ['failed', 'restored'] as const
export const OutcomeField = strictObject({
  pipelineId: Type.String(),
  executionId: Type.String(),
  environment: Type.String(),
  outcome: choice(OUTCOMES),
  at: Instant,
  note: nullable(Type.String()),
  markedBy: nullable(Type.String()),
})

export const presentOutcome = ({
  pipelineId,
  executionId,
  environment,
  outcome,
  atMs,
  note,
  markedBy,
}: ReportingTables['reportOutcomes']['$inferSelect']): Static<typeof OutcomeField> => ({
  pipelineId,
  executionId,
  environment,
  outcome,
  at: toIso(atMs),
  note,
  markedBy,
})
