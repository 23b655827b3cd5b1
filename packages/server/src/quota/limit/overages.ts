/** Where an account would be above its limits: asked before a limit is lowered. Source: platform decisions 2, 12.4. */
import { isTier, type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import { notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Overage } from '../../runtime/records/capacity.js'
import type { Db } from '../../runtime/store/db.js'
import { quotaTables } from '../tables.js'
import { usedByAccount } from '../usage.js'
import { effectiveLimit, limitedTier, type SetLimit, UNLIMITED } from './effective.js'
import { periodOf } from './period.js'

export type SetLimits = ReadonlyMap<QuotaType, SetLimit>

/** What was set for an organization, by type. */
export async function readSetLimits(db: Db, orgId: string): Promise<Map<QuotaType, SetLimit>> {
  const { quotaLimits: t } = quotaTables(db)
  const rows = await db.select().from(t).where(eq(t.orgId, orgId))
  return new Map(rows.map(({ type, override, granted }) => [type as QuotaType, { override, granted }]))
}

const NOTHING_SET: SetLimit = { override: null, granted: 0 }
export const setLimitOf = (set: SetLimits, type: QuotaType): SetLimit => set.get(type) ?? NOTHING_SET

/** @param next the tier and what is set by hand, as they would be. */
export async function accountOverages(
  runtime: Pick<Runtime, 'settings' | 'domains' | 'clock'>,
  db: Db,
  rootOrgId: string,
  next: { readonly tier: string; readonly set: SetLimits },
): Promise<Overage[]> {
  const { settings, domains } = runtime
  const { organizations } = identityTables(db)
  const [root] = await db
    .select({ tier: organizations.tier, isSystem: organizations.isSystem })
    .from(organizations)
    .where(eq(organizations.id, rootOrgId))
  if (root === undefined) throw notFound('Organization')
  const { startMs } = periodOf(settings, limitedTier(root, settings), runtime.clock.now())
  const used = await usedByAccount(domains, db, rootOrgId, startMs)
  const tier = isTier(next.tier) ? limitedTier({ ...root, tier: next.tier }, settings) : 'developer'
  return quotaTypes.flatMap((quotaType) => {
    const { limit: targetCap } = effectiveLimit(settings, tier, quotaType, setLimitOf(next.set, quotaType))
    const currentUsage = used[quotaType]
    if (targetCap === UNLIMITED || currentUsage <= targetCap) return []
    return [{ quotaType, currentUsage, targetCap, overage: currentUsage - targetCap }]
  })
}
