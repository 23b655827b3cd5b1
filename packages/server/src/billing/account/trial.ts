/** The trial of an account: one for ever, and only with the first of its subscriptions that begins. */
import { addDays, findPlan, type Instant, type SoldTier } from '@plumbline/billing-core'
import { eq, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'
import { hasBegun } from './had.js'
import { at } from './subscription.js'
import type { BillingBase } from './writing.js'

/** Returns when a trial of the plan would end if it began now; null when the account gets no trial. */
export async function trialEnd(
  { settings }: Pick<Runtime, 'settings'>,
  db: Db,
  asked: { readonly rootOrgId: string; readonly planId: SoldTier; readonly nowMs: number },
): Promise<Instant | null> {
  const days = findPlan(settings.tiers, asked.planId)?.trialDays ?? 0
  if (days === 0) return null
  // guard: a-trial-is-for-the-first-subscription
  if (await hasBegun(db, asked.rootOrgId)) return null
  // guard: a-removed-account-gets-no-second-trial
  if ((await trialUsedAt(db, asked.rootOrgId)) !== null) return null
  return addDays(at(asked.nowMs), days)
}

/** When the trial of the account began, also of one that was removed from billing since. */
export async function trialUsedAt(db: Db, rootOrgId: string): Promise<number | null> {
  const { billingAccounts: t } = billingTables(db)
  const [row] = await db.select({ atMs: t.trialUsedAtMs }).from(t).where(eq(t.orgId, rootOrgId))
  return row?.atMs ?? null
}

/** Remembers that the account had its trial. A trial in a sandbox is none. */
export async function useTrial({ tx, runtime, nowMs }: BillingBase, rootOrgId: string): Promise<void> {
  const { billingAccounts: t } = billingTables(tx)
  await tx
    .insert(t)
    .values({
      orgId: rootOrgId,
      provider: runtime.settings.BILLING_PROVIDER,
      version: 1,
      trialUsedAtMs: nowMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    })
    .onConflictDoUpdate({
      target: t.orgId,
      set: { trialUsedAtMs: sql`CASE WHEN ${t.clockId} IS NULL THEN ${nowMs} ELSE ${t.trialUsedAtMs} END` },
    })
}

/** Lets the account have a trial again. Returns whether it had used it. */
export async function allowTrial({ tx }: Pick<BillingBase, 'tx'>, rootOrgId: string): Promise<boolean> {
  if ((await trialUsedAt(tx, rootOrgId)) === null) return false
  const { billingAccounts: t } = billingTables(tx)
  await tx.update(t).set({ trialUsedAtMs: null }).where(eq(t.orgId, rootOrgId))
  return true
}
