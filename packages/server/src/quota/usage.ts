/** What an account has used of each type: live counts, and the counters of the running period. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import type { DomainRegistration } from '../runtime/domain.js'
import type { Db } from '../runtime/store/db.js'
import { accountOrgIds } from './account.js'
import { countUsed } from './capacity/count.js'
import { KINDS } from './limit/kinds.js'
import { quotaTables } from './tables.js'

/** @param periodStartMs the period of the account's tier. */
export async function usedByAccount(
  domains: readonly DomainRegistration[],
  db: Db,
  rootOrgId: string,
  periodStartMs: number,
): Promise<Record<QuotaType, number>> {
  const used = Object.fromEntries(quotaTypes.map((type) => [type, 0])) as Record<QuotaType, number>
  const orgIds = await accountOrgIds(db, rootOrgId)
  for (const type of quotaTypes) {
    if (KINDS[type] === 'capacity') used[type] = await countUsed(domains, db, orgIds, type)
  }
  const { quotaPools: pools } = quotaTables(db)
  const rows = await db
    .select({ type: pools.type, used: pools.used })
    .from(pools)
    .where(and(eq(pools.orgId, rootOrgId), eq(pools.periodStartMs, periodStartMs)))
  for (const row of rows) used[row.type as QuotaType] = row.used
  return used
}
