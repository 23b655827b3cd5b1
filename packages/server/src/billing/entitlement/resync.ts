/** `POST /billing/admin/entitlements/:orgId/resync`: puts in force again what the account is entitled to. */
import { entitle } from '@plumbline/billing-core'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findRoot } from '../account/find.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { findLive, toCore } from '../account/subscription.js'
import type { BillingWriting } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { compareEntitlement, EntitlementView } from './expected.js'

export const resyncEntitlement = command({
  name: 'billing.entitlement.resync',
  summary: 'Put in force again what an account is entitled to',
  description: 'Changes nothing where nothing differs. An account without a subscription is left as it is.',
  http: { method: 'post', path: '/billing/admin/entitlements/:orgId/resync' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.tier.override', 'admin.org.seatLimit.update', 'compliance.rule.toggle'],
  input: { path: Type.Object({ orgId: Uuid }) },
  output: strictObject({ entitlement: EntitlementView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context, { path: { orgId } }) {
    const { tx, runtime } = context
    requireBilling(runtime)
    const named = await findRoot(tx, orgId)
    if (named === null) throw notFound('Organization')
    const { inTime, root } = await openAccount(context as BillingWriting, named.id)
    const before = await compareEntitlement(runtime, tx, root, context.nowMs)
    const row = await findLive(tx, root.id)
    if (row === null || before.differs.length === 0) return unchanged({ entitlement: before })
    await entitleAccount(inTime, root, toCore(row))
    const { tier: toTier } = entitle(runtime.settings.tiers, {
      subscription: toCore(row),
      now: new Date(inTime.nowMs).toISOString() as never,
      billingEnabled: true,
      isSystemOrg: root.isSystem,
    })
    await context.audit('billing.tier.override', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { toTier, fromPlanId: row.planId, toPlanId: row.planId },
    })
    const after = (await findRoot(tx, root.id)) ?? root
    return changed({ entitlement: await compareEntitlement(runtime, tx, after, context.nowMs) })
  },
})
