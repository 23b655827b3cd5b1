/**
 * `POST /billing/subscriptions/:id/addons`: sets the quantity of an add-on, in force at once and prorated by the
 * second, or with the next period.
 */

import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { carryOut } from '../call/carry-out.js'
import { withCall } from '../call/settle.js'
import { findCallOfClient } from '../call/wish.js'
import { readChangeFacts } from '../change/change-facts.js'
import { leftToDo, planTheChange, refuseOverages } from '../change/plan-change.js'
import { learnPrices } from '../charge/learn-prices.js'
import { requireAddonsSoldHere } from '../charge/self-service.js'
import { momentOf } from '../subscription/preview-token.js'
import { AddonChangeView, AddonCommitBody, AddonPath, askedOf, namedAddons, presentAddonChange } from './view.js'

export const setAddon = command({
  name: 'billing.addon.set',
  summary: 'Add an add-on, or change its quantity',
  description:
    'A quantity is the new total of the account. What is added is invoiced at once, for the rest of the period, or with `when: "period_end"` from the next period on. With the `previewToken` of a preview the change costs what the preview showed, or is refused.',
  http: { method: 'post', path: '/billing/subscriptions/:id/addons', aliases: ['/subscriptions/:id/addons'] },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  ...agreedElsewhere,
  idempotent: true,
  input: { path: AddonPath, body: AddonCommitBody },
  output: AddonChangeView,
  errors: [
    ...BILLING_ERRORS,
    ...AGREED_ERRORS,
    'ADDON_OVER_CAP',
    'MISSING_REQUIRED_FIELD',
    'NOT_FOUND',
    'PREVIEW_STALE',
    'VALIDATION_ERROR',
  ],
  prepare: (context, { body }) => learnPrices(context, { addons: namedAddons(body) }),
  async run(request, { path: { id }, body }) {
    requireBilling(request.runtime)
    requireAddonsSoldHere(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    const row = await requireLive(tx, root.id, id)
    // A repeated request is answered as the first one, whose change made its preview old.
    const sent = await findCallOfClient(tx, root.id, context.claimKey)
    const atMs = sent === null ? await momentOf(tx, row, body.previewToken, nowMs) : nowMs
    const asked = askedOf(body, 'commit')
    const planned = planTheChange(runtime, row, asked, await readChangeFacts(runtime, tx, row, { nowMs, atMs }))
    if (sent === null) refuseOverages(planned.overages, 'ADDON_OVER_CAP')
    const left = leftToDo(row, planned)
    if (sent !== null || left === null) {
      return unchanged(withCall(presentAddonChange(runtime, planned, { row, invoiceId: null }), sent))
    }
    const done = await carryOut(context, root, row, { planned: left, atMs })
    const subscription = await showSubscription(tx, runtime, done.row)
    return changed(withCall({ ...presentAddonChange(runtime, planned, done), subscription }, done.call))
  },
  settle: settleSubscription,
})
