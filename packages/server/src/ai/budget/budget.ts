/**
 * The monthly budget. Before a round is sent, it reserves (holds) the most that it can cost, in an update that locks the month.
 * Afterwards it is settled at its actual cost. A team's generations count for the team and for its root.
 *
 * INVARIANT: the spent and held amounts of a month never exceed the budget that applied at the time of the hold. What a
 * month holds is what its open generations hold: a generation has one hold at a time, and none once it has ended.
 *
 * A generation is locked before the months, by `hold` and by `settle`, so that the two cannot deadlock.
 */
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import type { Usage } from '../provider/model.js'
import type { ModelEntry } from '../provider/providers.js'
import { aiTables, type GenerationRow, OPEN_STATES } from '../tables.js'
import { settingsOf } from './settings.js'

export interface Amount {
  readonly tokens: number
  readonly microUsd: number
}

export const monthOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7)

/** The first instant of the next month. */
export function resetAtMs(nowMs: number): number {
  const at = new Date(nowMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
}

/** In millionths of a dollar, rounded up; 0 for a model without a price. */
export function costOf(model: ModelEntry, { inputTokens, outputTokens }: Usage): number {
  const { inputMicroUsdPerMillion: input = 0, outputMicroUsdPerMillion: output = 0 } = model
  return Math.ceil((inputTokens * input + outputTokens * output) / 1_000_000)
}

export const hasPrice = ({ inputMicroUsdPerMillion, outputMicroUsdPerMillion }: ModelEntry): boolean =>
  inputMicroUsdPerMillion !== undefined && outputMicroUsdPerMillion !== undefined

type Holder = Pick<GenerationRow, 'id' | 'orgId' | 'rootOrgId'>

/** The root always first, so that two teams that lock both rows cannot deadlock. */
// guard: a-team-spends-of-its-root
const ownersOf = ({ orgId, rootOrgId }: Holder): string[] => (orgId === rootOrgId ? [orgId] : [rootOrgId, orgId])

/**
 * Holds the most that a round may cost, until `settle`. @throws Refusal 429 `AI_BUDGET_EXCEEDED`, and 408 for a
 * generation that has ended or still holds; nothing is held then.
 */
export async function hold(
  tx: Tx,
  generation: Holder,
  amount: Amount,
  { nowMs, leaseUntilMs }: { readonly nowMs: number; readonly leaseUntilMs: number },
): Promise<void> {
  const month = monthOf(nowMs)
  const { aiSpend: t, aiGenerations: g } = aiTables(tx)
  // guard: each-round-renews-the-lease
  const [holder] = await tx
    .update(g)
    .set({ heldTokens: amount.tokens, heldMicroUsd: amount.microUsd, heldMonth: month, leaseUntilMs })
    .where(
      and(
        eq(g.orgId, generation.orgId),
        eq(g.id, generation.id),
        // guard: a-generation-that-ended-holds-nothing
        inArray(g.state, [...OPEN_STATES]),
        // guard: a-generation-has-one-hold
        isNull(g.heldMonth),
      ),
    )
    .returning({ id: g.id })
  if (holder === undefined)
    throw new Refusal(
      'REQUEST_TIMEOUT',
      'the generation took too long and was ended: try again with a shorter prompt or another model',
    )
  for (const orgId of ownersOf(generation)) {
    const { monthlyTokens, monthlyMicroUsd } = await settingsOf(tx, orgId)
    await insertNew(tx, t, { orgId, month, heldTokens: 0, spentTokens: 0, heldMicroUsd: 0, spentMicroUsd: 0 })
    const [after] = await tx
      .update(t)
      .set({
        heldTokens: sql`${t.heldTokens} + ${amount.tokens}`,
        heldMicroUsd: sql`${t.heldMicroUsd} + ${amount.microUsd}`,
      })
      .where(and(eq(t.orgId, orgId), eq(t.month, month)))
      .returning()
    // The update has locked the month: what is checked and told is what the refusal rolls back to.
    if (after === undefined) throw new TypeError(`the month ${month} of ${orgId} is not there`)
    const before: Spend = {
      tokens: { spent: after.spentTokens, held: after.heldTokens - amount.tokens },
      microUsd: { spent: after.spentMicroUsd, held: after.heldMicroUsd - amount.microUsd },
    }
    // guard: a-budget-of-tokens-is-not-passed
    const isOver = passes(before.tokens, amount.tokens, monthlyTokens)
    // guard: a-budget-of-money-is-not-passed
    const isOverInMoney = passes(before.microUsd, amount.microUsd, monthlyMicroUsd)
    if (!isOver && !isOverInMoney) continue
    const whose = orgId === generation.orgId ? 'the organization' : 'the account, which its teams share,'
    throw exceeded(before, { whose, organizationId: orgId, monthlyTokens, monthlyMicroUsd }, amount, nowMs)
  }
}

export interface Counted extends Usage {
  readonly microUsd: number
}

const passes = ({ spent, held }: Spend['tokens'], wanted: number, most: number | null): boolean =>
  most !== null && spent + held + wanted > most

/**
 * Releases the hold and counts the usage. Implausible usage (none, a fraction, more than was held) counts as the whole
 * hold.
 * @returns what was counted; null when nothing was held.
 */
export async function settle(
  tx: Tx,
  generation: Holder,
  used: Counted | 'nothing' | 'unknown',
): Promise<Counted | null> {
  const { aiGenerations: g, aiSpend: t } = aiTables(tx)
  // The hold that is read is the one that is released, whatever another process holds or settles meanwhile.
  // guard: a-hold-is-settled-once
  await lockRow(tx, 'ai_generations', generation.id)
  const [row] = await tx
    .select()
    .from(g)
    .where(and(eq(g.orgId, generation.orgId), eq(g.id, generation.id)))
  if (row === undefined || row.heldMonth === null) return null
  const held = { tokens: row.heldTokens, microUsd: row.heldMicroUsd }
  const told = used === 'nothing' ? { inputTokens: 0, outputTokens: 0, microUsd: 0 } : used
  // guard: absurd-usage-counts-as-what-was-held
  const isSound = told !== 'unknown' && isTokens(told) && told.inputTokens + told.outputTokens <= held.tokens
  const counted = isSound ? told : { inputTokens: held.tokens, outputTokens: 0, microUsd: held.microUsd }
  const tokens = counted.inputTokens + counted.outputTokens
  const microUsd = Math.min(counted.microUsd, held.microUsd)
  await tx
    .update(g)
    .set({
      heldTokens: 0,
      heldMicroUsd: 0,
      heldMonth: null,
      inputTokens: row.inputTokens + counted.inputTokens,
      outputTokens: row.outputTokens + counted.outputTokens,
      costMicroUsd: row.costMicroUsd + microUsd,
    })
    .where(and(eq(g.orgId, generation.orgId), eq(g.id, generation.id)))
  for (const orgId of ownersOf(generation)) {
    // guard: a-hold-is-settled-in-its-month
    await tx
      .update(t)
      .set({
        heldTokens: sql`${t.heldTokens} - ${held.tokens}`,
        heldMicroUsd: sql`${t.heldMicroUsd} - ${held.microUsd}`,
        spentTokens: sql`${t.spentTokens} + ${tokens}`,
        spentMicroUsd: sql`${t.spentMicroUsd} + ${microUsd}`,
      })
      .where(and(eq(t.orgId, orgId), eq(t.month, row.heldMonth)))
  }
  return { inputTokens: counted.inputTokens, outputTokens: counted.outputTokens, microUsd }
}

const isTokens = ({ inputTokens, outputTokens }: Usage): boolean =>
  [inputTokens, outputTokens].every((count) => Number.isSafeInteger(count) && count >= 0)

export interface Spend {
  readonly tokens: { readonly spent: number; readonly held: number }
  readonly microUsd: { readonly spent: number; readonly held: number }
}

export async function spendOf(db: Db, orgId: string, month: string): Promise<Spend> {
  const { aiSpend: t } = aiTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.month, month)))
  return {
    tokens: { spent: row?.spentTokens ?? 0, held: row?.heldTokens ?? 0 },
    microUsd: { spent: row?.spentMicroUsd ?? 0, held: row?.heldMicroUsd ?? 0 },
  }
}

interface Budget {
  readonly whose: string
  readonly organizationId: string
  readonly monthlyTokens: number | null
  readonly monthlyMicroUsd: number | null
}

function exceeded(spend: Spend, { whose, ...budget }: Budget, wanted: Amount, nowMs: number): Refusal {
  const resetMs = resetAtMs(nowMs)
  return new Refusal(
    'AI_BUDGET_EXCEEDED',
    `the budget of ${whose} has no tokens or money left for this generation: it starts again at ${toIso(resetMs)}; until then, raise it there by PUT /organization/ai-config`,
    {
      details: { budget: { ...budget, ...spend, wanted, resetAt: toIso(resetMs) } },
      headers: { 'retry-after': String(Math.max(1, Math.ceil((resetMs - nowMs) / 1000))) },
    },
  )
}
