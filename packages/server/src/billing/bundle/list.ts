/** `GET /billing/bundles`: the add-ons that the account can buy, and the combos of them. */

import {
  type Bundle,
  bundlesFor,
  combosFor,
  type LimitField,
  limitFields,
  type OfferedCombo,
} from '@plumbline/billing-core'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { findLive, MoneyCents, PlanId, toCore } from '../account/subscription.js'
import { sellsHere } from '../charge/self-service.js'

const Prices = strictObject({ monthly: MoneyCents, annual: MoneyCents })

const BundleView = strictObject({
  id: Type.String(),
  name: Type.String(),
  grants: Type.Record(Type.String(), Type.Integer(), { description: 'The amount that one adds to each limit' }),
  features: Type.Array(Type.String()),
  prices: Prices,
  tiers: Type.Array(PlanId, { description: 'Tiers that it is sold on' }),
  stackable: Type.Boolean(),
  max: Type.Integer({ minimum: 1, description: 'The largest quantity that an account can have' }),
  requires: Type.Array(Type.String()),
  sortOrder: Type.Integer(),
})

const ComboView = strictObject({
  id: Type.String(),
  name: Type.String(),
  bundleIds: Type.Array(Type.String()),
  minQuantities: Type.Record(Type.String(), Type.Integer({ minimum: 1 })),
  prices: Prices,
  savings: Prices,
})

export const listBundles = query({
  name: 'billing.bundle.list',
  summary: 'List the add-ons that the account can buy',
  description: 'Empty while BILLING_BUNDLES_ENABLED is `false`. Without a subscription all of them are listed.',
  http: { method: 'get', path: '/billing/bundles', aliases: ['/bundles'] },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: {},
  output: strictObject({
    bundles: Type.Array(BundleView),
    selfService: Type.Boolean(),
    comboDiscounts: Type.Array(ComboView),
  }),
  errors: BILLING_ERRORS,
  async run(context) {
    const { runtime, db } = context
    requireBilling(runtime)
    const { tiers, BILLING_BUNDLES_ENABLED } = runtime.settings
    if (!BILLING_BUNDLES_ENABLED) return { bundles: [], selfService: false, comboDiscounts: [] }
    const row = await findLive(db, tenantId(context))
    const tier = row === null ? null : toCore(row).planId
    return {
      bundles: bundlesFor(tiers, tier).map(presentBundle),
      selfService: sellsHere(runtime),
      comboDiscounts: combosFor(tiers, tier).map(presentOffer),
    }
  },
})

const presentBundle = (bundle: Bundle) => ({
  id: bundle.id,
  name: bundle.name,
  grants: Object.fromEntries(
    limitFields.flatMap((field): [LimitField, number][] => {
      const amount = bundle.grants[field]
      return amount === undefined ? [] : [[field, amount]]
    }),
  ),
  features: [...bundle.features],
  prices: { ...bundle.prices },
  tiers: [...bundle.tiers],
  stackable: bundle.stackable,
  max: bundle.max,
  requires: [...bundle.requires],
  sortOrder: bundle.sortOrder,
})

const presentOffer = ({ combo, savings }: OfferedCombo) => ({
  id: combo.id,
  name: combo.name,
  bundleIds: combo.members.map(({ bundleId }) => bundleId),
  minQuantities: Object.fromEntries(combo.members.map(({ bundleId, minQuantity }) => [bundleId, minQuantity])),
  prices: { ...combo.prices },
  savings: { ...savings },
})
