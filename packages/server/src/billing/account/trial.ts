/** The trial of an account. Only the first of its subscriptions that begins can have one. */
import { addDays, findPlan, type Instant, type SoldTier } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { hasBegun } from './had.js'
import { at } from './subscription.js'

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
  return addDays(at(asked.nowMs), days)
}
