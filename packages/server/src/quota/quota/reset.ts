/**
 * `POST /quotas/:orgId/reset`: sets the counters of an account back to 0. The period does not change, and live counts
 * are not affected.
 */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { and, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { either, scope, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { callMeterPort } from '../../runtime/operation/call-meter.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import type { Tx } from '../../runtime/store/db.js'
import { accountOrgIds } from '../account/limit.js'
import { limitedTier } from '../limit/effective.js'
import { periodOf } from '../limit/period.js'
import { NO_PERIOD_MS } from '../meter/consume.js'
import { quotaTables } from '../tables.js'
import { QuotaTypeName } from '../type-name.js'
import { lockedRoot } from './account-root.js'
import { readQuotaView } from './read.js'
import { QuotaView } from './schema.js'
import { ACCOUNT_WIDE } from './view.js'

export const resetQuota = command({
  name: 'quota.quota.reset',
  summary: 'Reset the usage counters',
  description:
    'Metered types start at 0, in the same period. Capacity is counted again from the stored records, so only reported bytes can change.',
  http: { method: 'post', path: '/quotas/:orgId/reset' },
  // guard: a-reset-is-confirmed
  access: withStepUp(either(systemAdmin(), scope('quota:reset')), 'except-services'),
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['quota.reset'],
  input: {
    path: Type.Object({ orgId: Type.String() }),
    body: strictObject({ quotaType: Type.Optional(QuotaTypeName) }),
  },
  output: strictObject({ quota: QuotaView }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { body: { quotaType } }) {
    const { tx, runtime, nowMs } = context
    const root = await lockedRoot(context)
    const { startMs } = periodOf(runtime.settings, limitedTier(root, runtime.settings), nowMs)
    await clear(tx, root.id, quotaType === undefined ? quotaTypes : [quotaType], startMs)
    tx.afterCommit(() => findPort(runtime, callMeterPort)?.forget(root.id))
    await context.audit('quota.reset', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { quotaType: quotaType ?? 'all' },
    })
    return changed({ quota: await readQuotaView(runtime, tx, root.id, nowMs) })
  },
})

/** Deletes the counters of the period, and the marks of sent notifications, so that they can be sent again. */
async function clear(tx: Tx, rootOrgId: string, types: readonly QuotaType[], periodStartMs: number): Promise<void> {
  const orgIds = await accountOrgIds(tx, rootOrgId)
  const starts = [periodStartMs, NO_PERIOD_MS]
  const t = quotaTables(tx)
  // Locks rows in the same order as increments: the account's, then the teams'.
  for (const table of [t.quotaPools, t.quotaCounters, t.quotaNotices]) {
    await tx
      .delete(table)
      .where(and(inArray(table.orgId, orgIds), inArray(table.type, [...types]), inArray(table.periodStartMs, starts)))
  }
}
