/** `GET /billing/invoices/next`: the invoice that the next roll draws, or the one that it would draw after a change. */

import { type Addon, findBundle, type Holding, nextInvoice, parseAddons, pruneForTier } from '@plumbline/billing-core'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { accountTime } from '../account/open.js'
import { setInOrder } from '../account/set-addons.js'
import { at, findLive, IntervalName, isSameHolding, PlanId, toCore } from '../account/subscription.js'
import { learnPrices } from '../charge/learn-prices.js'
import { providerOf } from '../charge/open.js'
import { sellsHere } from '../charge/self-service.js'
import { isFree } from '../provider/things.js'
import { invoiceAccount, pendingOf } from './account.js'
import { NextInvoiceView, presentNext } from './next-view.js'
import { sourcesOf } from './sources.js'

const WhatIf = Type.Object({
  planId: Type.Optional(PlanId),
  interval: Type.Optional(IntervalName),
  addons: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^(\\[.*\\]|([a-z_]{1,40}(:[1-9][0-9]{0,3})?(,[a-z_]{1,40}(:[1-9][0-9]{0,3})?){0,31})?)$',
      'x-says': 'must be bundles with quantities between commas, such as seat_pack:2,api_pack',
      description:
        'With these add-ons instead: `seat_pack:2,api_pack`, or JSON: `[{"bundleId":"seat_pack","quantity":2}]`',
    }),
  ),
  cancel: Type.Optional(Type.Boolean({ description: 'As if the subscription ended with the period' })),
})

export const getNextInvoice = query({
  name: 'billing.invoice.get-next',
  summary: 'Read the next invoice, as it is or after a change',
  description:
    'Null when there will be none: there is no subscription, it ends with the period, or the marketplace issues the invoices.',
  http: { method: 'get', path: '/billing/invoices/next' },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: 'only the operator can see discounts and promotions',
  input: { query: WhatIf },
  output: strictObject({ invoice: nullable(NextInvoiceView) }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'PRICE_NOT_CONFIGURED', 'VALIDATION_ERROR'],
  prepare: (context, { query: { addons: _, ...asked } }) => learnPrices(context, asked),
  async run(context, { query: asked }) {
    const { runtime, db } = context
    requireBilling(runtime)
    const { nowMs } = await accountTime(db, tenantId(context), context.nowMs)
    const { tiers } = runtime.settings
    const row = await findLive(db, tenantId(context))
    const addons = asked.addons === undefined ? undefined : checkAddons(tiers, readAddons(asked.addons))
    if (row === null || !sellsHere(runtime)) return { invoice: null }
    const own = invoiceAccount(row, await sourcesOf(runtime, db, row))
    const before: Holding = pendingOf(row) ?? toCore(row)
    const planId = asked.planId ?? before.planId
    const { kept } = pruneForTier(tiers, before.planId, planId, before.addons)
    const held: Holding = { planId, interval: asked.interval ?? before.interval, addons: kept }
    const pendingChange = addons === undefined ? held : withAddons(tiers, held, addons)
    if (isOther(asked) && !isFree(pendingChange)) providerOf(runtime).requireSellable(pendingChange)
    const next = nextInvoice(
      tiers,
      {
        ...own,
        subscription: { ...own.subscription, ...(asked.cancel === true ? { cancelAtPeriodEnd: true } : {}) },
        pendingChange,
        takesBack: isOther(asked) && !isSameHolding(before, pendingChange),
      },
      at(nowMs),
    )
    return { invoice: next === null ? null : presentNext(next) }
  },
})

/** Whether another holding is asked for than the one that renews. */
const isOther = ({ planId, interval, addons }: Static<typeof WhatIf>): boolean =>
  (planId ?? interval ?? addons) !== undefined

function readAddons(text: string): readonly unknown[] {
  if (text.startsWith('[')) {
    try {
      return JSON.parse(text) as readonly unknown[]
    } catch {
      throw invalidField('/query/addons', 'must be a JSON array of {bundleId, quantity}')
    }
  }
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [bundleId = '', quantity = '1'] = part.split(':')
      return { bundleId, quantity: Number(quantity) }
    })
}

/** @throws Refusal 400 that names the first add-on that the catalogue does not know or whose quantity is not allowed. */
function checkAddons(tiers: Parameters<typeof parseAddons>[0], addons: readonly unknown[]): readonly Addon[] {
  const parsed = parseAddons(tiers, addons)
  if (!parsed.ok) throw invalidField('/query/addons', parsed.refusal.message)
  return granted(parsed)
}

/**
 * The holding with these add-ons and no others, as a change would set them.
 *
 * @throws Refusal 400 for an add-on that the change would refuse: not sold on the tier, or without its requirement.
 */
function withAddons(tiers: Parameters<typeof parseAddons>[0], held: Holding, asked: readonly Addon[]): Holding {
  const wanted = asked.filter(({ quantity }) => quantity > 0)
  const dropped = held.addons.filter(({ bundleId }) => !wanted.some((each) => each.bundleId === bundleId))
  const requires = ({ bundleId }: Addon) => (findBundle(tiers, bundleId)?.requires ?? []).length > 0
  // A requirement that goes first would take along what is dropped after it.
  const gone = [...dropped.filter(requires), ...dropped.filter((each) => !requires(each))]
  const set = setInOrder(tiers, held, [...gone.map(({ bundleId }) => ({ bundleId, quantity: 0 })), ...wanted], true)
  // guard: what-if-is-refused-as-the-change-is
  if (!set.ok) throw invalidField('/query/addons', set.refusal.message)
  return { ...held, addons: set.addons }
}
