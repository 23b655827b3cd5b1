/** The trial of an account. Only its first subscription can have one. */
import { addDays, findPlan, type Instant, type SoldTier } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'
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
  const { billingAccounts: a, billingSubscriptions: s } = billingTables(db)
  const [account] = await db.select({ usedAt: a.trialUsedAtMs }).from(a).where(eq(a.orgId, asked.rootOrgId))
  if (account?.usedAt != null) return null
  // A subscription that was never paid for and was superseded does not count as one that the account had.
  const had = await db.select({ isFirst: s.isFirst, status: s.status }).from(s).where(eq(s.orgId, asked.rootOrgId))
  // guard: a-trial-is-for-the-first-subscription
  if (had.some(({ status }) => status !== 'incomplete')) return null
  return addDays(at(asked.nowMs), days)
}

export async function markTrial({ tx, nowMs }: Pick<BillingBase, 'tx' | 'nowMs'>, rootOrgId: string): Promise<void> {
  const { billingAccounts: t } = billingTables(tx)
  await tx.update(t).set({ trialUsedAtMs: nowMs }).where(eq(t.orgId, rootOrgId))
}
