/** `PUT /billing/admin/subscriptions/:id`: an operator sets plan, interval, status or end; nothing is invoiced. */

import { changePlan, type Subscription, transition } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, type Runtime, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import {
  at,
  columnsOf,
  IntervalName,
  PlanId,
  presentSubscription,
  requireLive,
  SubscriptionView,
  toCore,
} from '../account/subscription.js'
import { type BillingWriting, bumpVersion, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { findPurchaseOf } from '../buyer/record.js'
import { setAddons } from '../change/plan-change.js'
import { recordPruned } from '../change/record-change.js'
import { entitleAccount } from '../entitle/apply.js'
import { recordEvent } from '../event/record.js'
import { giveUpInvoices } from '../invoice/open.js'
import { requireDimensions } from '../metering/dimensions.js'
import { freezeHours } from '../metering/freeze.js'
import { findLink, updateLink } from '../provider/link.js'
import { settleCredit } from '../state/move.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { AddonList } from './addon-body.js'

const Body = strictObject(
  {
    planId: Type.Optional(PlanId),
    interval: Type.Optional(IntervalName),
    status: Type.Optional(
      Type.Enum(['active', 'canceled'], { description: '`active` forgets failed payments; `canceled` ends it now' }),
    ),
    cancelAtPeriodEnd: Type.Optional(Type.Boolean({ description: 'Not with `status: canceled`, which ends it now' })),
    addons: Type.Optional(AddonList),
  },
  { minProperties: 1 },
)

interface Asked {
  readonly planId?: SubscriptionRow['planId']
  readonly interval?: string
  readonly status?: string
  readonly cancelAtPeriodEnd?: boolean
  readonly addons?: readonly { readonly bundleId: string; readonly quantity: number }[]
}

export const overrideSubscription = command({
  name: 'billing.subscription.override',
  summary: 'Set plan, interval, status or end of a subscription as an operator',
  description:
    'Nothing is invoiced or refunded; limits change at once. With a `status`, open invoices become uncollectible. Refused when a provider charges, because the provider sets these values. For a purchase at a marketplace only the add-ons can be set: they are metered from the next hour on. What was sold through another BILLING_PROVIDER than the current one can only be ended, with `status: canceled`, after it was ended there.',
  http: { method: 'put', path: '/billing/admin/subscriptions/:id' },
  access: withStepUp(systemAdmin(), 'except-services'),
  tenant: noTenant,
  audit: [
    'billing.tier.override',
    'billing.addon.prune',
    'billing.promotion.clawback',
    'billing.credit.consumed',
    'billing.credit.exhausted',
    'admin.org.seatLimit.update',
    'compliance.rule.toggle',
  ],
  input: { path: Type.Object({ id: Uuid }), body: Body },
  output: strictObject({ subscription: SubscriptionView }),
  errors: [
    ...BILLING_ERRORS,
    'CONFLICT',
    'MANAGED_BY_MARKETPLACE',
    'MISSING_REQUIRED_FIELD',
    'NOT_FOUND',
    'PRICE_NOT_CONFIGURED',
    'VALIDATION_ERROR',
  ],
  async run(context, { path: { id }, body }) {
    const { tx, runtime } = context
    requireBilling(runtime)
    requireOneEnd(body)
    const { billingSubscriptions: t } = billingTables(tx)
    const [found] = await tx.select({ orgId: t.orgId }).from(t).where(eq(t.id, id))
    if (found === undefined) throw notFound('Subscription')
    const { inTime, root } = await openAccount(context as BillingWriting, found.orgId)
    const row = await requireLive(tx, root.id, id)
    const purchase = await findPurchaseOf(tx, row.id)
    const link = await findLink(tx, row.id)
    const seller = link?.provider ?? (purchase === null ? null : 'marketplace')
    requireOverridable(runtime, seller, body)
    if (purchase !== null && !isElsewhere(runtime, seller)) await freezeHours(inTime, root, purchase)
    const { state, pruned, effects } = overridden(inTime, row, body)
    if (purchase !== null) requireDimensions(runtime, row.addons, body.addons ?? [])
    const isSame = JSON.stringify(state) === JSON.stringify(toCore(row))
    if (isSame) return unchanged({ subscription: presentSubscription(runtime, row) })
    // guard: an-end-by-an-operator-settles-the-credit
    const settled = await settleCredit(inTime, row, effects)
    const next = await writeSubscription(inTime, settled, { ...columnsOf(state), pendingChange: null })
    // No further attempt is made to collect what is due.
    if (body.status !== undefined) await giveUpInvoices(inTime, row)
    // Nothing tells of its end any more.
    if (link !== null) await updateLink(inTime, link, { isEnded: true, cancelUnconfirmed: false })
    await entitleAccount(inTime, root, state)
    await bumpVersion(inTime, root.id)
    const details = { reason: 'operator', from: factsOf(row), to: factsOf(next) }
    const type = state.status === 'canceled' ? 'subscription_canceled' : 'subscription_updated'
    await recordEvent(inTime, { orgId: root.id, subscriptionId: id, type, details })
    await recordPruned(inTime, next, pruned)
    await context.audit('billing.tier.override', {
      targetType: 'subscription',
      targetId: id,
      affectedOrgId: root.id,
      details: {
        toTier: state.status === 'canceled' ? 'developer' : state.planId,
        fromPlanId: row.planId,
        toPlanId: state.planId,
      },
    })
    await checkAlerts(inTime, root)
    return changed({ subscription: presentSubscription(runtime, next) })
  },
})

/** @throws Refusal 400 for two ends that exclude each other: now, and with the period. */
function requireOneEnd({ status, cancelAtPeriodEnd }: Asked): void {
  // guard: an-end-now-and-an-end-with-the-period-exclude-each-other
  if (status !== 'canceled' || cancelAtPeriodEnd === undefined) return
  throw invalidField(
    '/body/cancelAtPeriodEnd',
    'cannot be sent with `status: "canceled"`, which ends the subscription now: leave out `cancelAtPeriodEnd` or `status`',
    'conflict',
  )
}

const managedElsewhere = (): Refusal =>
  new Refusal(
    'MANAGED_BY_MARKETPLACE',
    'the marketplace says plan, interval and end of the subscription: only `addons` can be set here',
  )

/** A provider that is not that of this server cannot be asked, and its deliveries are not taken. */
const isElsewhere = ({ settings }: Pick<Runtime, 'settings'>, seller: string | null): seller is string =>
  seller !== null && seller !== settings.BILLING_PROVIDER

/** @throws Refusal 409 for what its seller says, and not an operator of this server. */
function requireOverridable(runtime: Pick<Runtime, 'settings'>, seller: string | null, body: Asked): void {
  if (isElsewhere(runtime, seller)) {
    requireEnd(body, seller)
    return
  }
  // guard: what-the-marketplace-sold-is-not-overridden
  if (seller === 'marketplace' && Object.keys(body).some((name) => name !== 'addons')) throw managedElsewhere()
  // guard: what-a-provider-charges-is-not-overridden
  if (seller === 'card_provider') {
    throw new Refusal('CONFLICT', 'a provider charges for the subscription: change it there, or as the account')
  }
}

function requireEnd(body: Asked, seller: string): void {
  // guard: what-another-provider-sold-can-only-be-ended
  if (body.status === 'canceled' && Object.keys(body).length === 1) return
  throw new Refusal(
    'CONFLICT',
    `the subscription was sold through BILLING_PROVIDER=${seller}, which is not that of this server: end it there, then send only \`status: "canceled"\` to end it here too`,
    { details: { provider: seller } },
  )
}

const factsOf = ({ planId, interval, status, cancelAtPeriodEnd }: SubscriptionRow) => ({
  ...{ planId, interval, status, cancelAtPeriodEnd },
})

/** Usage is not checked: an operator may set a plan whose limits the account exceeds. */
function overridden({ runtime, nowMs }: BillingWriting, row: SubscriptionRow, asked: Asked) {
  const before = toCore(row)
  const wanted = { planId: asked.planId, interval: asked.interval }
  const isPlan = asked.planId !== undefined || asked.interval !== undefined
  const usage = { seats: 0, plugins: 0, pipelines: 0 }
  const plan = isPlan ? granted(changePlan(runtime.settings.tiers, before, wanted, usage)) : { ...before, pruned: [] }
  const { planId, interval, addons, pruned } = plan
  const held =
    asked.addons === undefined ? addons : setAddons(runtime, { planId, interval, addons }, asked.addons).addons
  let state: Subscription = { ...before, planId, interval, addons: held }
  if (asked.cancelAtPeriodEnd !== undefined) state = { ...state, cancelAtPeriodEnd: asked.cancelAtPeriodEnd }
  if (asked.status === 'active') state = { ...state, ...PAID, status: 'active' }
  if (asked.status !== 'canceled') return { state, pruned, effects: [] }
  const { subscription, effects } = granted(transition(state, { type: 'ended' }, at(nowMs)))
  return { state: subscription, pruned, effects }
}

const PAID = {
  failedPaymentAttempts: 0,
  countedFailures: [],
  firstFailedAt: null,
  graceEndsAt: null,
  graceDowngradedAt: null,
  reversal: null,
}
