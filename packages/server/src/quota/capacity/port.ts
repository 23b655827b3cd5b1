/**
 * Capacity of an account, as the other domains request it (`runtime/records/capacity.ts`). The deciding count runs
 * under the row lock of the account's root, so that concurrent requests of any team or process cannot exceed the limit
 * together.
 *
 * INVARIANT: where a limit applies, `take` never lets the number of rows of a type exceed it.
 */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { CapacityPort } from '../../runtime/records/capacity.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { type AccountLimit, accountOrgIds, isUnlimited, readAccountLimit } from '../account/limit.js'
import { UNLIMITED } from '../limit/effective.js'
import { quotaExceeded } from '../limit/exceeded.js'
import { KINDS } from '../limit/kinds.js'
import { periodOf } from '../limit/period.js'
import { noteThresholds, type Reached } from '../notice/thresholds.js'
import { countUsed } from '../usage/count.js'
import { accountOverages } from '../usage/overages.js'

export function capacityOfAccounts(runtime: Runtime): CapacityPort {
  return {
    async checkHeadroom(db, orgId, type, amount) {
      const account = await readAccountLimit(db, runtime.settings, orgId, checked(type))
      if (!isUnlimited(account)) await decide(runtime, db, account, type, amount)
    },
    async take(tx, orgId, type, amount) {
      const found = await readAccountLimit(tx, runtime.settings, orgId, checked(type))
      if (isUnlimited(found)) return
      // guard: places-are-counted-under-the-lock-of-the-root
      await lockRow(tx, 'organizations', found.rootOrgId)
      // An operation that lowers a limit holds the same lock. SQLite has a single writer, so `found` is current there.
      const account = tx.database === 'pg' ? await readAccountLimit(tx, runtime.settings, orgId, type) : found
      for (const reached of await decide(runtime, tx, account, type, amount)) await noteThresholds(tx, runtime, reached)
    },
    async takeBack(tx, teamOrgId) {
      for (const type of quotaTypes.filter((each) => KINDS[each] === 'capacity')) {
        const { pool, rootOrgId } = await readAccountLimit(tx, runtime.settings, teamOrgId, type)
        if (pool.limit === UNLIMITED) continue
        const held = await countUsed(runtime.domains, tx, [teamOrgId], type)
        if (held === 0) continue
        const others = (await accountOrgIds(tx, rootOrgId)).filter((orgId) => orgId !== teamOrgId)
        const used = await countUsed(runtime.domains, tx, others, type)
        // guard: a-team-that-comes-back-takes-places
        if (used + held <= pool.limit) continue
        throw quotaExceeded({ type, limit: pool.limit, used, resetAtMs: null }, 'account', runtime.clock.now(), held)
      }
    },
    overages: (db, rootOrgId, tier) => accountOverages(runtime, db, rootOrgId, { tier }),
  }
}

function checked(type: QuotaType): QuotaType {
  if (KINDS[type] !== 'capacity') throw new Error(`${type} is counted by use, not by places`)
  return type
}

/**
 * The use of each limit that applies: the team's own and the account's.
 * @throws Refusal 429 where `amount` more would exceed one of them.
 */
async function decide(
  runtime: Runtime,
  db: Db,
  account: AccountLimit,
  type: QuotaType,
  amount: number,
): Promise<Reached[]> {
  const { pool, own, orgId, rootOrgId, tier } = account
  const nowMs = runtime.clock.now()
  const { startMs: periodStartMs } = periodOf(runtime.settings, tier, nowMs)
  const reached: Reached[] = []
  const look = async (whose: 'account' | 'team', id: string, limit: number, orgIds: readonly string[]) => {
    const used = await countUsed(runtime.domains, db, orgIds, type)
    // guard: the-limit-of-places
    if (used + amount > limit) throw quotaExceeded({ type, limit, used, resetAtMs: null }, whose, nowMs)
    reached.push({ orgId: id, type, limit, used: used + amount, periodStartMs })
  }
  // guard: a-teams-own-limit-of-places
  if (own !== UNLIMITED) await look('team', orgId, own, [orgId])
  // guard: places-are-counted-over-the-whole-account
  if (pool.limit !== UNLIMITED) await look('account', rootOrgId, pool.limit, await accountOrgIds(db, rootOrgId))
  return reached
}
