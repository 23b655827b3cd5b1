/** `PUT /billing/subscriptions/:id`: another plan, interval or add-ons, at once or with the next period. */

import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { IntervalName, PlanId, requireLive, SubscriptionView } from '../account/subscription.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { carryOut } from '../call/carry-out.js'
import { withCall } from '../call/settle.js'
import { findCallOfClient } from '../call/wish.js'
import { readChangeFacts } from '../change/change-facts.js'
import { leftToDo, planTheChange, refuseOverages, WHENS } from '../change/plan-change.js'
import { learnPrices } from '../charge/learn-prices.js'
import { requirePlanSoldHere } from '../charge/self-service.js'
import { AddonList } from './addon-body.js'
import { momentOf, PreviewToken } from './preview-token.js'

const Body = strictObject(
  {
    planId: Type.Optional(PlanId),
    interval: Type.Optional(IntervalName),
    addons: Type.Optional(AddonList),
    when: Type.Optional(choice(WHENS, { description: '`period_end` is the default for another interval, else `now`' })),
    previewToken: Type.Optional(PreviewToken),
  },
  { minProperties: 1 },
)

export const updateSubscription = command({
  name: 'billing.subscription.update',
  summary: 'Change the plan, the interval or add-ons of the subscription',
  description:
    'Immediate changes are invoiced at once, by the second; refunds beyond the charges become credit. With the `previewToken` of a preview the change costs what the preview showed, or is refused. A later change of the plan or the interval for the end of the period replaces an earlier one; add-ons for the end of the period are added to it.',
  http: { method: 'put', path: '/billing/subscriptions/:id' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  ...agreedElsewhere,
  idempotent: true,
  input: { path: Type.Object({ id: Uuid }), body: Body },
  output: strictObject({ subscription: SubscriptionView, invoiceId: nullable(Uuid) }),
  errors: [
    ...BILLING_ERRORS,
    ...AGREED_ERRORS,
    'ADDON_OVER_CAP',
    'NOT_FOUND',
    'PLAN_OVER_CAP',
    'PREVIEW_STALE',
    'MISSING_REQUIRED_FIELD',
    'VALIDATION_ERROR',
  ],
  prepare: (context, { body }) => learnPrices(context, body),
  async run(request, { path: { id }, body }) {
    requireBilling(request.runtime)
    requirePlanSoldHere(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    const row = await requireLive(tx, root.id, id)
    const sent = await findCallOfClient(tx, root.id, context.claimKey)
    const asIs = async () => ({ subscription: await showSubscription(tx, runtime, row), invoiceId: null })
    if (sent !== null) return unchanged(withCall(await asIs(), sent))
    const atMs = await momentOf(tx, row, body.previewToken, nowMs)
    const planned = planTheChange(runtime, row, body, await readChangeFacts(runtime, tx, row, { nowMs, atMs }))
    const isPlan = body.planId !== undefined || body.interval !== undefined
    refuseOverages(planned.overages, isPlan ? 'PLAN_OVER_CAP' : 'ADDON_OVER_CAP')
    const left = leftToDo(row, planned, isPlan)
    if (left === null) return unchanged(await asIs())
    const done = await carryOut(context, root, row, { planned: left, atMs })
    const subscription = await showSubscription(tx, runtime, done.row)
    return changed(withCall({ subscription, invoiceId: done.invoiceId }, done.call))
  },
  settle: settleSubscription,
})
