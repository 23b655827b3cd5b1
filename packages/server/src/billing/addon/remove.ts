/** `DELETE /billing/subscriptions/:id/addons/:bundleId`: removes an add-on, and the add-ons that require it. */

import { quantityOf } from '@plumbline/billing-core'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { carryOut } from '../call/carry-out.js'
import { withCall } from '../call/settle.js'
import { readChangeFacts } from '../change/change-facts.js'
import { heldThen, leftToDo, planTheChange, refuseOverages } from '../change/plan-change.js'
import { learnPrices } from '../charge/learn-prices.js'
import { requireAddonsSoldHere } from '../charge/self-service.js'
import { BundleName } from '../subscription/addon-body.js'
import { AddonChangeView, presentAddonChange, When } from './view.js'

export const removeAddon = command({
  name: 'billing.addon.remove',
  summary: 'Remove an add-on',
  description:
    'The part that is paid and not used becomes credit. Add-ons that require this one are removed too. With `when=period_end` it is kept until the period ends, without credit.',
  http: {
    method: 'delete',
    path: '/billing/subscriptions/:id/addons/:bundleId',
    aliases: ['/subscriptions/:id/addons/:bundleId'],
  },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  ...agreedElsewhere,
  input: { path: Type.Object({ id: Uuid, bundleId: BundleName }), query: strictObject({ when: When }) },
  output: AddonChangeView,
  errors: [...BILLING_ERRORS, ...AGREED_ERRORS, 'ADDON_OVER_CAP', 'NOT_FOUND'],
  prepare: (context) => learnPrices(context, {}),
  async run(request, { path: { id, bundleId }, query }) {
    requireBilling(request.runtime)
    requireAddonsSoldHere(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    const row = await requireLive(tx, root.id, id)
    if (quantityOf(heldThen(row, query).addons, bundleId) === 0) throw notFound('Add-on')
    const asked = { ...query, addons: [{ bundleId, quantity: 0 }], isOneAddon: true }
    const planned = planTheChange(runtime, row, asked, await readChangeFacts(runtime, tx, row, { nowMs }))
    refuseOverages(planned.overages, 'ADDON_OVER_CAP')
    // An add-on that is only scheduled is taken out of what waits.
    const left = leftToDo(row, planned) ?? planned
    const done = await carryOut(context, root, row, { planned: left, atMs: nowMs })
    const subscription = await showSubscription(tx, runtime, done.row)
    return changed(withCall({ ...presentAddonChange(runtime, planned, done), subscription }, done.call))
  },
  settle: settleSubscription,
})
