/**
 * Places of an account, as the other domains take them (`runtime/records/capacity.ts`). The count that decides is made under
 * the lock of the account's root, so that neighbours, of whatever team and process, can not pass the limit together.
 *
 * INVARIANT: where a limit holds, the rows of a type never outnumber it by what `take` let through.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { CapacityPort } from '../../runtime/records/capacity.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { type AccountLimit, accountOrgIds, isUnlimited, readAccountLimit } from '../account.js'
import { UNLIMITED } from '../limit/effective.js'
import { quotaExceeded } from '../limit/exceeded.js'
import { KINDS } from '../limit/kinds.js'
import { accountOverages, readSetLimits } from '../limit/overages.js'
import { countUsed } from './count.js'

/** @param runtimeOf asked when it is used: the runtime that holds the port is made with it. */
export function capacityPort(runtimeOf: () => Runtime): CapacityPort {
  return {
    async checkHeadroom(db, orgId, type, amount) {
      const runtime = runtimeOf()
      const account = await readAccountLimit(db, runtime.settings, orgId, checked(type))
      if (!isUnlimited(account)) await decide(runtime, db, account, type, amount)
    },
    async take(tx, orgId, type, amount) {
      const runtime = runtimeOf()
      const found = await readAccountLimit(tx, runtime.settings, orgId, checked(type))
      if (isUnlimited(found)) return
      await lockRow(tx, 'organizations', found.rootOrgId)
      // Whoever lowers a limit holds the same lock. SQLite has one writer, which saw the latest.
      const account = tx.database === 'pg' ? await readAccountLimit(tx, runtime.settings, orgId, type) : found
      await decide(runtime, tx, account, type, amount)
    },
    async overages(db, rootOrgId, tier) {
      return accountOverages(runtimeOf(), db, rootOrgId, { tier, set: await readSetLimits(db, rootOrgId) })
    },
  }
}

function checked(type: QuotaType): QuotaType {
  if (KINDS[type] !== 'capacity') throw new Error(`${type} is counted by use, not by places`)
  return type
}

/** @throws Refusal 429 where `amount` more would be above the account's limit, or the team's own. */
async function decide(runtime: Runtime, db: Db, account: AccountLimit, type: QuotaType, amount: number): Promise<void> {
  const { pool, own, orgId, rootOrgId } = account
  const state = { type, resetAtMs: null }
  const nowMs = runtime.clock.now()
  if (own !== UNLIMITED) {
    const used = await countUsed(runtime.domains, db, [orgId], type)
    if (used + amount > own) throw quotaExceeded({ ...state, limit: own, used }, 'team', nowMs)
  }
  if (pool.limit !== UNLIMITED) {
    const used = await countUsed(runtime.domains, db, await accountOrgIds(db, rootOrgId), type)
    if (used + amount > pool.limit) throw quotaExceeded({ ...state, limit: pool.limit, used }, 'account', nowMs)
  }
}
