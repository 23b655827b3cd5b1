/** The use of each type by one account or one team: live counts, and the counters of the running period. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import type { DomainRegistration } from '../../runtime/operation/registration.js'
import type { Db } from '../../runtime/store/db.js'
import { accountOrgIds } from '../account/limit.js'
import { KINDS } from '../limit/kinds.js'
import { quotaTables } from '../tables.js'
import { countUsed } from './count.js'

export type UsedByType = Readonly<Record<QuotaType, number>>
type Domains = readonly DomainRegistration[]

/** Over all organizations of the account. @param periodStartMs the period of the account's tier. */
export async function usedByAccount(
  domains: Domains,
  db: Db,
  rootOrgId: string,
  periodStartMs: number,
): Promise<UsedByType> {
  return readUsed(domains, db, await accountOrgIds(db, rootOrgId), 'quotaPools', rootOrgId, periodStartMs)
}

/** The share of one team. */
export const usedByTeam = (domains: Domains, db: Db, orgId: string, periodStartMs: number): Promise<UsedByType> =>
  readUsed(domains, db, [orgId], 'quotaCounters', orgId, periodStartMs)

async function readUsed(
  domains: Domains,
  db: Db,
  orgIds: readonly string[],
  table: 'quotaPools' | 'quotaCounters',
  counterOrgId: string,
  periodStartMs: number,
): Promise<UsedByType> {
  const used = Object.fromEntries(quotaTypes.map((type) => [type, 0])) as Record<QuotaType, number>
  for (const type of quotaTypes) {
    if (KINDS[type] === 'capacity') used[type] = await countUsed(domains, db, orgIds, type)
  }
  const counters = quotaTables(db)[table]
  const rows = await db
    .select({ type: counters.type, used: counters.used })
    .from(counters)
    .where(and(eq(counters.orgId, counterOrgId), eq(counters.periodStartMs, periodStartMs)))
  for (const row of rows) used[row.type as QuotaType] = row.used
  return used
}
