/** `POST /billing/subscriptions/:id/addons/preview`: limits, price and combos with other add-ons. It changes nothing. */

import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { accountTime } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { requireAnswered } from '../call/carry-out.js'
import { readChangeFacts } from '../change/change-facts.js'
import { leftToDo, planTheChange } from '../change/plan-change.js'
import { learnPrices } from '../charge/learn-prices.js'
import { requireAddonsSoldHere } from '../charge/self-service.js'
import { previewTokenOf } from '../subscription/preview-token.js'
import { AddonBody, AddonPath, AddonPreviewView, askedOf, namedAddons, presentAddonEffects } from './view.js'

export const previewAddon = query({
  name: 'billing.addon.preview',
  summary: 'Preview a change of add-ons',
  description:
    'A quantity is the new total of the account; 0 shows the removal. Limits that the usage exceeds are listed.',
  http: {
    method: 'post',
    path: '/billing/subscriptions/:id/addons/preview',
    aliases: ['/subscriptions/:id/addons/preview'],
  },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  snapshot: true,
  rateLimit: 'billing-preview',
  input: { path: AddonPath, body: AddonBody },
  output: AddonPreviewView,
  errors: [
    ...BILLING_ERRORS,
    'CHANGE_IN_PROGRESS',
    'CONFLICT',
    'MISSING_REQUIRED_FIELD',
    'NOT_FOUND',
    'PRICE_NOT_CONFIGURED',
    'SELF_SERVICE_DISABLED',
    'VALIDATION_ERROR',
  ],
  prepare: (context, { body }) => learnPrices(context, { addons: namedAddons(body) }),
  async run(context, { path: { id }, body }) {
    const { runtime, db } = context
    requireBilling(runtime)
    requireAddonsSoldHere(runtime)
    const rootOrgId = tenantId(context)
    const { nowMs } = await accountTime(db, rootOrgId, context.nowMs)
    const row = await requireLive(db, rootOrgId, id)
    const asked = askedOf(body, 'preview')
    const planned = planTheChange(runtime, row, asked, await readChangeFacts(runtime, db, row, { nowMs }))
    await requireAnswered(runtime, db, row, leftToDo(row, planned))
    return {
      ...presentAddonEffects(runtime, planned),
      previewToken: await previewTokenOf(db, rootOrgId, nowMs),
    }
  },
})
