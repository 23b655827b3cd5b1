/** `POST /billing/subscriptions`: the account subscribes, is invoiced for its first period and entitled, in one transaction. */

import { createSubscription as begin, drawInvoice, priceLines, type Subscription, ZERO } from '@plumbline/billing-core'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { insertSubscription } from '../account/insert.js'
import { openAccount } from '../account/open.js'
import {
  at,
  findLive,
  findReserved,
  IntervalName,
  PlanId,
  presentSubscription,
  SubscriptionView,
} from '../account/subscription.js'
import { trialEnd } from '../account/trial.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { CALLS_KIND } from '../call/kind.js'
import { withCall } from '../call/settle.js'
import { findCallOfClient, writeWish } from '../call/wish.js'
import { learnPrices } from '../charge/learn-prices.js'
import { providerOf } from '../charge/open.js'
import { requirePlanSoldHere } from '../charge/self-service.js'
import { entitleAccount } from '../entitle/apply.js'
import { recordEvent } from '../event/record.js'
import { drawStubInvoice } from '../invoice/draw.js'
import { givePromotions } from '../promotion/give.js'
import { findLink, putLink } from '../provider/link.js'
import { type ReferralAnswer, ReferralOutcome, takeReferral } from '../referral/record.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { requireBuyer, requireSuperseded } from './begins.js'

export const createSubscription = command({
  ...agreedElsewhere,
  name: 'billing.subscription.create',
  summary: 'Subscribe the account to a plan',
  description:
    'Tier, seats and limits of the plan apply from the next request on. When a provider charges, the subscription is `incomplete` until the provider accepts it, and while a payment at `paymentUrl` is due. A plan with a trial costs nothing until `currentPeriodEnd`, once per account.',
  http: { method: 'post', path: '/billing/subscriptions', status: 201 },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  idempotent: true,
  input: {
    body: strictObject({
      planId: PlanId,
      interval: Type.Optional(IntervalName),
      referralCode: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Id of the organization that referred the account' }),
      ),
    }),
  },
  output: strictObject({ subscription: SubscriptionView, referral: Type.Optional(ReferralOutcome) }),
  errors: [...BILLING_ERRORS, ...AGREED_ERRORS, 'DUPLICATE_ENTRY', 'NOT_FOUND', 'VALIDATION_ERROR'],
  prepare: (context, { body }) => learnPrices(context, body),
  async run(request, { body }) {
    requireBilling(request.runtime)
    requirePlanSoldHere(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    await requireBuyer(tx, root.id)
    const { planId, interval = 'monthly' } = body
    const provider = providerOf(runtime)
    const isCharged = !provider.isLocal && planId !== 'developer'
    const sent = await sentBefore(context, root.id)
    if (sent !== null) return unchanged(sent)
    const existing = await findLive(tx, root.id)
    const trialEndsAt = await trialEnd(runtime, tx, { rootOrgId: root.id, planId, nowMs })
    const asked: Parameters<typeof begin>[0] = {
      id: runtime.ids.next(),
      orgId: root.id,
      planId,
      interval,
      status: isCharged ? 'incomplete' : trialEndsAt === null ? 'active' : 'trialing',
      ...(trialEndsAt === null || isCharged ? {} : { period: { start: at(nowMs), end: trialEndsAt } }),
      existing: existing === null ? null : (existing.status as 'active'),
    }
    const { subscription } = granted(begin(asked, at(nowMs)))
    if (isCharged) provider.requireSellable({ planId, interval, addons: [] })
    if (!provider.isLocal) await supersede(context, root.id)
    const inserted = await insertSubscription(context, subscription)
    await recordEvent(context, {
      orgId: root.id,
      subscriptionId: inserted.id,
      type: 'subscription_created',
      details: { planId, interval, status: inserted.status },
    })
    if (!isCharged)
      return changed(await beginLocally(context, root, inserted, { subscription, code: body.referralCode }))
    const referred = body.referralCode === undefined ? null : await takeReferral(context, inserted, body.referralCode)
    await recordCreate(context, inserted, {})
    await bumpVersion(context, root.id)
    await putLink(tx, request.nowMs, { id: inserted.id, orgId: root.id, provider: provider.kind })
    const trial = trialEndsAt === null ? {} : { trialEndsAt }
    const wish = { state: { planId, interval, addons: [] }, charge: 'now' as const, ...trial }
    const ids = { orgId: root.id, subscriptionId: inserted.id, clientKey: context.claimKey }
    const call = await writeWish(context, { ...ids, kind: 'create', wish })
    const subscribed = { subscription: presentSubscription(runtime, inserted), ...answerOf(referred) }
    return changed(withCall(subscribed, call))
  },
  settle: settleSubscription,
})

type Creating = BillingWriting & { readonly claimKey: string | null }

/** The answer to an earlier request with the same key, whose process died before it answered. */
async function sentBefore({ tx, runtime, claimKey }: Creating, rootOrgId: string) {
  const call = await findCallOfClient(tx, rootOrgId, claimKey)
  const row = call === null ? null : ((await findReserved(tx, rootOrgId)) ?? (await findLive(tx, rootOrgId)))
  if (call === null || row === null) return null
  return withCall({ subscription: await showSubscription(tx, runtime, row) }, call)
}

/**
 * Supersedes a subscription that was never paid for; its provider is asked to end it.
 *
 * @throws Refusal 409 while the provider is asked.
 */
async function supersede(context: BillingWriting, rootOrgId: string): Promise<void> {
  const { tx } = context
  const reserved = await requireSuperseded(tx, rootOrgId)
  if (reserved === null) return
  const link = await findLink(tx, reserved.id)
  await writeSubscription(context, reserved, { status: 'canceled', canceledAtMs: context.nowMs })
  if (link?.externalId == null) return
  const ids = { orgId: rootOrgId, subscriptionId: reserved.id, clientKey: null }
  await writeWish(context, { ...ids, kind: 'end', wish: { externalId: link.externalId } })
  await context.enqueue({ kind: CALLS_KIND, payload: {}, uniqueKey: 'now' })
}

/** Invoices the first period and sets the entitlements, in this transaction. */
async function beginLocally(
  context: BillingWriting,
  root: Root,
  inserted: SubscriptionRow,
  { subscription, code }: { readonly subscription: Subscription; readonly code: string | undefined },
) {
  const { tx, runtime, nowMs } = context
  const referred = code === undefined ? null : await takeReferral(context, inserted, code)
  const { row, invoiceId, totalCents } = await drawFirst(context, referred?.row ?? inserted, subscription)
  await tx.insert(billingTables(tx).billingPeriodRolls).values({
    id: runtime.ids.next(),
    orgId: root.id,
    subscriptionId: row.id,
    periodStartMs: row.currentPeriodStartMs,
    invoiceId,
    createdAtMs: nowMs,
  })
  await bumpVersion(context, root.id)
  await entitleAccount(context, root, subscription)
  await recordCreate(context, row, invoiceId === null ? {} : { invoiceId, totalCents })
  const next = await givePromotions(context, row, 'subscription_created')
  await checkAlerts(context, root)
  return {
    subscription: presentSubscription(runtime, next),
    ...answerOf(referred),
  }
}

/** The result of the referral code, when there was one. */
const answerOf = (referred: { readonly answer: ReferralAnswer } | null) =>
  referred === null ? {} : { referral: referred.answer }

/** The invoice of the first period; a trial has none. */
async function drawFirst(context: BillingWriting, row: SubscriptionRow, subscription: Subscription) {
  const { planId, interval, currentPeriodStart: start, currentPeriodEnd: end } = subscription
  if (subscription.status === 'trialing') return { row, invoiceId: null, totalCents: 0 }
  const drawn = drawInvoice(priceLines(context.runtime.settings.tiers, { planId, interval, addons: [] }), ZERO)
  const invoicing = { drawn, period: { start, end }, atMs: context.nowMs, whenDeclined: 'refuse' } as const
  const first = await drawStubInvoice(context, row, invoicing)
  return { row: first.row, invoiceId: first.invoiceId, totalCents: drawn.totalCents }
}

async function recordCreate(
  context: BillingWriting,
  { id: subscriptionId, orgId, planId, interval, status }: SubscriptionRow,
  more: { readonly invoiceId?: string; readonly totalCents?: number },
): Promise<void> {
  await context.audit('billing.subscription.create', {
    targetType: 'subscription',
    targetId: subscriptionId,
    affectedOrgId: orgId,
    details: { subscriptionId, planId, interval, status, ...more },
  })
}
