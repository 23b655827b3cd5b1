/** Counts a use of a quota, for the account and for the team that caused it, or refuses and counts nothing. */
import type { QuotaType } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { type AccountLimit, accountOrgIds, readAccountLimit } from '../account/limit.js'
import { UNLIMITED } from '../limit/effective.js'
import { type QuotaState, quotaExceeded } from '../limit/exceeded.js'
import { KINDS } from '../limit/kinds.js'
import { type Period, periodOf } from '../limit/period.js'
import { noteThresholds } from '../notice/thresholds.js'
import { countUsed } from '../usage/count.js'
import { addWithin, readCounter } from './counters.js'

/** Period of stored bytes, which never reset. */
export const NO_PERIOD_MS = 0

/**
 * @returns the account's quota after the use.
 * @throws Refusal 429 `QUOTA_EXCEEDED`.
 */
export async function consume(
  tx: Tx,
  runtime: Runtime,
  orgId: string,
  type: QuotaType,
  amount: number,
): Promise<QuotaState> {
  const account = await readAccountLimit(tx, runtime.settings, orgId, type)
  const period = periodOf(runtime.settings, account.tier, runtime.clock.now())
  return KINDS[type] === 'metered'
    ? consumeMetered(tx, runtime, account, type, amount, period)
    : consumeMeasured(tx, runtime, account, type, amount, period)
}

async function consumeMetered(
  tx: Tx,
  runtime: Runtime,
  { orgId, rootOrgId, isTeam, pool, own }: AccountLimit,
  type: QuotaType,
  amount: number,
  { startMs, endMs }: Period,
): Promise<QuotaState> {
  const key = { type, periodStartMs: startMs }
  const exceeded = async (table: 'quotaPools' | 'quotaCounters', id: string, limit: number) => {
    const used = await readCounter(tx, table, { ...key, orgId: id })
    const whose = table === 'quotaPools' ? 'account' : 'team'
    return quotaExceeded({ type, limit, used, resetAtMs: endMs }, whose, runtime.clock.now())
  }
  // Always locks the account's row first, so that two teams that need both rows never deadlock.
  const used = await addWithin(tx, 'quotaPools', { ...key, orgId: rootOrgId }, amount, pool.limit)
  if (used === null) throw await exceeded('quotaPools', rootOrgId, pool.limit)
  if (isTeam) {
    const share = await addWithin(tx, 'quotaCounters', { ...key, orgId }, amount, own)
    // guard: a-teams-own-limit-of-use
    if (share === null) throw await exceeded('quotaCounters', orgId, own)
    if (own !== UNLIMITED) await noteThresholds(tx, runtime, { ...key, orgId, limit: own, used: share })
  }
  if (pool.limit !== UNLIMITED) {
    await noteThresholds(tx, runtime, { ...key, orgId: rootOrgId, limit: pool.limit, used })
  }
  return { type, limit: pool.limit, used, resetAtMs: endMs }
}

/**
 * For bytes that another service measures and reports here, in addition to live counts. The limit is decided as for
 * capacity: under the row lock of the root.
 */
async function consumeMeasured(
  tx: Tx,
  runtime: Runtime,
  found: AccountLimit,
  type: QuotaType,
  amount: number,
  { startMs }: Period,
): Promise<QuotaState> {
  const { orgId, rootOrgId } = found
  await lockRow(tx, 'organizations', rootOrgId)
  const { pool, own } = tx.database === 'pg' ? await readAccountLimit(tx, runtime.settings, orgId, type) : found
  const nowMs = runtime.clock.now()
  const state = { type, resetAtMs: null }
  const share = await countUsed(runtime.domains, tx, [orgId], type)
  if (own !== UNLIMITED && share + amount > own) {
    throw quotaExceeded({ ...state, limit: own, used: share }, 'team', nowMs)
  }
  const used = await countUsed(runtime.domains, tx, await accountOrgIds(tx, rootOrgId), type)
  if (pool.limit !== UNLIMITED && used + amount > pool.limit) {
    throw quotaExceeded({ ...state, limit: pool.limit, used }, 'account', nowMs)
  }
  await addWithin(tx, 'quotaCounters', { orgId, type, periodStartMs: NO_PERIOD_MS }, amount, UNLIMITED)
  const key = { type, periodStartMs: startMs }
  if (own !== UNLIMITED) await noteThresholds(tx, runtime, { ...key, orgId, limit: own, used: share + amount })
  const after = { ...state, limit: pool.limit, used: used + amount }
  if (pool.limit !== UNLIMITED) await noteThresholds(tx, runtime, { ...key, ...after, orgId: rootOrgId })
  return after
}
