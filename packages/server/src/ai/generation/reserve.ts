/**
 * The reservation of a generation. An open one occupies quota by its row, and is counted at the first token. If the
 * process dies, its lease expires.
 */
import { createHash } from 'node:crypto'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { accountOrgIds, checkUse, consume } from '../../quota/index.js'
import { Refusal } from '../../runtime/errors.js'
import type { ActorRecord, Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { aiTables, type GenerationRow, OPEN_STATES } from '../tables.js'
import type { Candidate } from './ask.js'

/** Longer than an answer and its check can take: AI_TOTAL_MS plus a minute. */
export const leaseMs = ({ settings }: Pick<Runtime, 'settings'>): number => settings.AI_TOTAL_MS + 60_000

export interface Reservation {
  readonly orgId: string
  readonly rootOrgId: string
  readonly kind: string
  readonly candidate: Candidate
  readonly prompt: string
  readonly keepsPrompt: boolean
}

/** @throws Refusal 429 when the person has too many open generations, or the account has no calls left. */
export async function reserve(
  tx: Tx,
  { runtime, actor }: { readonly runtime: Runtime; readonly actor: ActorRecord },
  { orgId, rootOrgId, kind, candidate, prompt, keepsPrompt }: Reservation,
): Promise<GenerationRow> {
  const nowMs = runtime.clock.now()
  const { aiGenerations: t } = aiTables(tx)
  await lockRow(tx, 'organizations', rootOrgId)
  // Rows of a dead process have an expired lease and do not count.
  // guard: a-dead-lease-keeps-no-place
  const isOpen = and(inArray(t.state, [...OPEN_STATES]), gt(t.leaseUntilMs, nowMs))
  const { AI_OPEN_MAX } = runtime.settings
  const accountIds = await accountOrgIds(tx, rootOrgId)
  // In all organizations of the account, which pays for them together.
  const open = await tx.$count(t, and(inArray(t.orgId, accountIds), eq(t.userId, actor.id), isOpen))
  // guard: open-generations-of-a-person-are-counted
  if (open >= AI_OPEN_MAX) {
    throw new Refusal(
      'RATE_LIMIT_EXCEEDED',
      `you have ${open} generations running: wait for one, or cancel it by closing its stream`,
      {
        details: { limit: AI_OPEN_MAX },
        headers: { 'retry-after': '10' },
      },
    )
  }
  const held = (ids: readonly string[]) =>
    tx.$count(t, and(inArray(t.orgId, [...ids]), eq(t.state, 'reserved'), gt(t.leaseUntilMs, nowMs)))
  const account = await held(accountIds)
  // guard: calls-of-the-account-are-checked-before-a-model-is-asked
  await checkUse(tx, runtime, orgId, 'aiCalls', { account, team: await held([orgId]) })
  const row: GenerationRow = {
    id: runtime.ids.next(),
    orgId,
    rootOrgId,
    userId: actor.id,
    kind,
    state: 'reserved',
    leaseUntilMs: nowMs + leaseMs(runtime),
    provider: candidate.provider,
    model: candidate.model.id,
    keySource: candidate.key.source,
    inputTokens: 0,
    outputTokens: 0,
    costMicroUsd: 0,
    heldTokens: 0,
    heldMicroUsd: 0,
    heldMonth: null,
    rounds: 0,
    verdict: null,
    errorCode: null,
    promptHash: createHash('sha256').update(prompt).digest('hex'),
    prompt: keepsPrompt ? prompt : null,
    result: null,
    createdAtMs: nowMs,
    finishedAtMs: null,
  }
  await tx.insert(t).values(row)
  return row
}

/**
 * Counts the call when the provider starts to answer. @throws Refusal 429 when another request used the last call
 * meanwhile.
 */
export async function countCall(
  tx: Tx,
  runtime: Runtime,
  { id, orgId }: Pick<GenerationRow, 'id' | 'orgId'>,
): Promise<void> {
  const { aiGenerations: t } = aiTables(tx)
  // guard: a-generation-is-counted-once
  const [row] = await tx
    .update(t)
    .set({ state: 'streaming' })
    .where(and(eq(t.orgId, orgId), eq(t.id, id), eq(t.state, 'reserved')))
    .returning({ id: t.id })
  if (row !== undefined) await consume(tx, runtime, orgId, 'aiCalls', 1)
}

/**
 * Closes the generation. One that was never counted releases its reservation. @returns false when it was already
 * closed.
 */
export async function close(
  tx: Tx,
  { id, orgId }: Pick<GenerationRow, 'id' | 'orgId'>,
  ended: Pick<GenerationRow, 'finishedAtMs'> &
    Partial<
      Pick<GenerationRow, 'state' | 'errorCode' | 'result' | 'verdict' | 'rounds' | 'provider' | 'model' | 'keySource'>
    >,
): Promise<boolean> {
  const { aiGenerations: t } = aiTables(tx)
  const [row] = await tx
    .select({ state: t.state })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  // guard: a-generation-ends-once
  if (row === undefined || !OPEN_STATES.includes(row.state)) return false
  // guard: a-call-that-was-not-counted-is-released
  const state = row.state === 'reserved' && ended.state !== 'done' ? 'released' : (ended.state ?? 'failed')
  const gone = await tx
    .update(t)
    .set({ ...ended, state, leaseUntilMs: 0 })
    .where(and(eq(t.orgId, orgId), eq(t.id, id), eq(t.state, row.state)))
    .returning({ id: t.id })
  return gone.length > 0
}
