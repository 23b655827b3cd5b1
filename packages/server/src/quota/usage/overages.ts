/** Where an account would exceed its limits: read before a limit is lowered. Source: spec platform 2, 12.4. */
import { quotaTypes } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import { notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Overage } from '../../runtime/records/capacity.js'
import type { Db } from '../../runtime/store/db.js'
import { effectiveLimit, limitedTier, UNLIMITED } from '../limit/effective.js'
import { periodOf } from '../limit/period.js'
import { NOTHING_SET, readSetLimits, type SetLimits } from '../limit/set.js'
import { usedByAccount } from './read.js'

/**
 * The types whose limit would be lowered below the use. A type whose limit is not lowered is left out, even if the use
 * already exceeds it: an upgrade is never refused.
 * @param next the tier and the limits set by hand after the change; without `set` they stay as they are.
 */
export async function accountOverages(
  runtime: Pick<Runtime, 'settings' | 'domains' | 'clock'>,
  db: Db,
  rootOrgId: string,
  next: { readonly tier: string; readonly set?: SetLimits },
): Promise<Overage[]> {
  const { settings, domains } = runtime
  const { organizations } = identityTables(db)
  const [root] = await db
    .select({ tier: organizations.tier, isSystem: organizations.isSystem })
    .from(organizations)
    .where(eq(organizations.id, rootOrgId))
  if (root === undefined) throw notFound('Organization')
  const set = await readSetLimits(db, rootOrgId)
  const now = { tier: limitedTier(root, settings), set }
  const then = { tier: limitedTier({ ...root, tier: next.tier }, settings), set: next.set ?? set }
  const { startMs } = periodOf(settings, now.tier, runtime.clock.now())
  const used = await usedByAccount(domains, db, rootOrgId, startMs)
  return quotaTypes.flatMap((quotaType) => {
    const limitAt = (at: typeof now | typeof then) =>
      effectiveLimit(settings, at.tier, quotaType, at.set.get(quotaType) ?? NOTHING_SET).limit
    const [before, targetCap] = [limitAt(now), limitAt(then)]
    const currentUsage = used[quotaType]
    const isLowered = targetCap !== UNLIMITED && (before === UNLIMITED || targetCap < before)
    if (!isLowered || currentUsage <= targetCap) return []
    return [{ quotaType, currentUsage, targetCap, overage: currentUsage - targetCap }]
  })
}
