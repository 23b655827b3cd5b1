/**
 * Checks whether a further use of a metered type is allowed: compares the use, plus the uses that others hold, with the
 * limits.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { readAccountLimit } from '../account/limit.js'
import { UNLIMITED } from '../limit/effective.js'
import { quotaExceeded } from '../limit/exceeded.js'
import { periodOf } from '../limit/period.js'
import { readCounter } from './counters.js'

/**
 * @param held uses that are reserved and not counted yet, of the account and of the team.
 * @throws Refusal 429 `QUOTA_EXCEEDED`. Nothing is counted.
 */
export async function checkUse(
  db: Db,
  runtime: Runtime,
  orgId: string,
  type: QuotaType,
  held: { readonly account: number; readonly team: number },
): Promise<void> {
  const { pool, own, rootOrgId, isTeam, tier } = await readAccountLimit(db, runtime.settings, orgId, type)
  const nowMs = runtime.clock.now()
  const { startMs: periodStartMs, endMs: resetAtMs } = periodOf(runtime.settings, tier, nowMs)
  const look = async (table: 'quotaPools' | 'quotaCounters', id: string, limit: number, others: number) => {
    if (limit === UNLIMITED) return
    const used = await readCounter(db, table, { orgId: id, type, periodStartMs })
    // guard: held-uses-count
    if (used + others + 1 > limit) {
      const whose = table === 'quotaPools' ? 'account' : 'team'
      throw quotaExceeded({ type, limit, used: used + others, resetAtMs }, whose, nowMs)
    }
  }
  await look('quotaPools', rootOrgId, pool.limit, held.account)
  if (isTeam) await look('quotaCounters', orgId, own, held.team)
}
