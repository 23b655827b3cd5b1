/** A generation as the API shows it, and who may see which. */
import { and, eq, type SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { either, permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { aiTables, GENERATION_STATES, type GenerationRow } from '../tables.js'
import { UsageRecord } from './events.js'

export const READ_GENERATIONS = either(permission('pipelines:write'), permission('plugins:write'))

const fields = {
  id: Uuid,
  kind: Type.String({ description: '`pipeline` or `plugin`' }),
  state: Type.Unsafe<GenerationRow['state']>({ type: 'string', enum: [...GENERATION_STATES] }),
  userId: nullable(Type.String()),
  provider: Type.String(),
  model: Type.String(),
  keySource: Type.String({ description: '`request`, `org` or `server`' }),
  usage: UsageRecord,
  costMicroUsd: Type.Integer(),
  rounds: Type.Integer(),
  verdict: nullable(Type.String({ description: '`passed`, `warned` or `blocked`' })),
  errorCode: nullable(Type.String()),
  promptHash: Type.String({ description: 'SHA-256 of the prompt, hex' }),
  createdAt: Instant,
  finishedAt: nullable(Instant),
}

export const GenerationRecord = strictObject(fields)
export const GenerationDetail = strictObject({
  ...fields,
  prompt: nullable(Type.String({ description: 'Only when the organization keeps prompts' })),
  result: nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Data of the event `done`; kept for 30 days',
    }),
  ),
})

export const generationRecord = (row: GenerationRow): Static<typeof GenerationRecord> => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  userId: row.userId,
  provider: row.provider,
  model: row.model,
  keySource: row.keySource,
  usage: {
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    totalTokens: row.inputTokens + row.outputTokens,
  },
  costMicroUsd: row.costMicroUsd,
  rounds: row.rounds,
  verdict: row.verdict,
  errorCode: row.errorCode,
  promptHash: row.promptHash,
  createdAt: toIso(row.createdAtMs),
  finishedAt: toIsoOrNull(row.finishedAtMs),
})

/** A person sees their own generations; an administrator sees those of the organization. */
export function seenGenerations(context: ReadContext): SQL | undefined {
  const { aiGenerations: t } = aiTables(context.db)
  const seesAll = context.authority.permissions.has('org:settings') || context.authority.isSuperAdmin
  // guard: generations-of-the-own-organization
  const own = eq(t.orgId, tenantId(context))
  // guard: generations-are-seen-by-who-asked
  return and(own, seesAll ? undefined : eq(t.userId, context.actor.id))
}
