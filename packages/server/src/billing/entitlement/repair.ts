/** Puts what an account is entitled to in force again: for an operator, and for the periodic comparison. */
import { entitle } from '@plumbline/billing-core'
import type { AuditEntry } from '../../runtime/operation/context.js'
import { findRoot } from '../account/find.js'
import { at, findLive, toCore } from '../account/subscription.js'
import type { BillingWriting, Root, SubscriptionAction } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { findDrift, recordDrift } from './drift.js'
import { compareEntitlement } from './expected.js'

export interface Repairing {
  /** The account, locked. */
  readonly root: Root
  /** The context at the time of the account. */
  readonly inTime: BillingWriting
  readonly realMs: number
  audit(action: SubscriptionAction | 'billing.tier.override', entry: AuditEntry): Promise<void>
}

export type Compared = Awaited<ReturnType<typeof compareEntitlement>>

export interface Repaired {
  /** What differed. Empty when nothing was changed. */
  readonly before: Compared
  readonly after: Compared
}

/** Changes nothing when nothing differs. The difference is kept with the account, in the same transaction. */
export async function repairEntitlement({ root, inTime, realMs, audit }: Repairing): Promise<Repaired> {
  const { tx, runtime } = inTime
  const before = await compareEntitlement(runtime, tx, root, realMs)
  const row = await findLive(tx, root.id)
  if (row === null || before.differs.length === 0) return { before, after: before }
  await entitleAccount(inTime, root, toCore(row))
  const { tier: toTier } = entitle(runtime.settings.tiers, {
    subscription: toCore(row),
    now: at(inTime.nowMs),
    billingEnabled: true,
    isSystemOrg: root.isSystem,
  })
  await audit('billing.tier.override', {
    targetType: 'organization',
    targetId: root.id,
    affectedOrgId: root.id,
    details: { toTier, fromPlanId: row.planId, toPlanId: row.planId },
  })
  const now = (await findRoot(tx, root.id)) ?? root
  const after = await compareEntitlement(runtime, tx, now, realMs)
  const isRepaired = after.differs.length === 0
  await recordDrift(tx, { orgId: root.id, subscriptionId: row.id, differs: before.differs, isRepaired }, realMs)
  return { before, after: { ...after, lastDrift: await findDrift(tx, root.id) } }
}
