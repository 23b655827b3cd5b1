/** `POST /billing/admin/entitlements/:orgId/resync`: applies again what the account is entitled to. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findRoot } from '../account/find.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { findLive } from '../account/subscription.js'
import { type BillingWriting, type Root, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { buyerOf, findPurchase, findPurchaseOfAccount } from '../buyer/record.js'
import { marketplaceOf } from '../marketplace/client.js'
import type { PurchaseRow, ToldEntitlement } from '../marketplace-tables.js'
import { follow } from '../purchase/follow.js'
import { unavailable } from '../purchase/resolve.js'
import { EntitlementView } from './expected.js'
import { repairEntitlement } from './repair.js'

export const resyncEntitlement = command({
  name: 'billing.entitlement.resync',
  summary: 'Apply the entitlements of an account again',
  description:
    'Changes nothing when nothing differs. An account without a subscription is not changed. For a purchase at a marketplace, its entitlements are read there first.',
  http: { method: 'post', path: '/billing/admin/entitlements/:orgId/resync' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.tier.override', ...SUBSCRIPTION_ACTIONS],
  input: { path: Type.Object({ orgId: Uuid }) },
  output: strictObject({ entitlement: EntitlementView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare({ runtime, read }, { path: { orgId } }): Promise<Told | null> {
    requireBilling(runtime)
    if (runtime.settings.BILLING_PROVIDER !== 'marketplace') return null
    const purchase = await read(async (db) => {
      const root = await findRoot(db, orgId)
      return root === null ? null : findPurchaseOfAccount(db, root.id)
    })
    if (purchase === null) return null
    const askedAtMs = runtime.clock.now()
    const told = await marketplaceOf(runtime).entitlements(buyerOf(runtime, purchase)).catch(unavailable)
    return { purchase, told, askedAtMs }
  },
  async run(context, { path: { orgId } }, asked: Told | null) {
    const { tx, runtime } = context
    requireBilling(runtime)
    const named = await findRoot(tx, orgId)
    if (named === null) throw notFound('Organization')
    const { inTime, root: locked } = await openAccount(context as BillingWriting, named.id)
    const isFollowed = asked !== null && (await followTold(inTime, locked, asked))
    const root = (await findRoot(tx, locked.id)) ?? locked
    const audit: typeof context.audit = (action, entry) => context.audit(action, entry)
    const { before, after } = await repairEntitlement({ root, inTime, realMs: context.nowMs, audit })
    return isFollowed || before.differs.length > 0 ? changed({ entitlement: after }) : unchanged({ entitlement: after })
  },
})

interface Told {
  readonly purchase: PurchaseRow
  readonly told: readonly ToldEntitlement[]
  readonly askedAtMs: number
}

/** @returns True when this changed the subscription. */
async function followTold(
  context: BillingWriting,
  root: Root,
  { purchase: { id }, told, askedAtMs }: Told,
): Promise<boolean> {
  const purchase = await findPurchase(context.tx, id)
  // What was read is older than what has been applied since.
  if (purchase === null || purchase.orgId !== root.id || purchase.entitlementsAtMs > askedAtMs) return false
  const before = await findLive(context.tx, root.id)
  const { row } = await follow(context, { root, purchase }, told)
  return row !== null && (before?.id !== row.id || before.planId !== row.planId || before.interval !== row.interval)
}
