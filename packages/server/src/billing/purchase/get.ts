/** `GET /billing/marketplace/entitlements`: what the marketplace says now that the account is entitled to. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS } from '../account/gate.js'
import { at, findLive, PlanId, toCore } from '../account/subscription.js'
import { buyerOf, findPurchaseOfAccount, ToldView } from '../buyer/record.js'
import { marketplaceOf } from '../marketplace/client.js'
import type { PurchaseRow, ToldEntitlement } from '../marketplace-tables.js'
import { presentTold } from './follow.js'
import { requireMarketplace, unavailable } from './resolve.js'

interface Told {
  readonly purchase: PurchaseRow
  readonly told: readonly ToldEntitlement[]
}

export const getPurchase = query({
  name: 'billing.purchase.get',
  summary: 'Read the entitlements of the account at the marketplace',
  description:
    'The server asks the marketplace; nothing changes. Entitlements are applied by notices and every 15 minutes.',
  http: { method: 'get', path: '/billing/marketplace/entitlements' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: {},
  output: strictObject({
    customerIdentifier: nullable(Type.String({ description: 'Of an older listing' })),
    licenseArn: nullable(Type.String({ description: 'Of a newer listing' })),
    entitlements: Type.Array(ToldView),
    currentPlanId: nullable(PlanId),
  }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND', 'PROVIDER_UNAVAILABLE'],
  async prepare(context): Promise<Told> {
    const { runtime, read } = context
    requireMarketplace(runtime)
    const purchase = await read((db) => findPurchaseOfAccount(db, tenantId(context)))
    if (purchase === null) throw notFound('Purchase')
    return { purchase, told: await marketplaceOf(runtime).entitlements(buyerOf(runtime, purchase)).catch(unavailable) }
  },
  async run(context, _input, { purchase, told }) {
    const { runtime, db, nowMs } = context
    const row = await findLive(db, tenantId(context))
    return {
      customerIdentifier: purchase.customerIdentifier,
      licenseArn: purchase.licenseArn,
      entitlements: presentTold(runtime, told, at(nowMs)),
      currentPlanId: row === null ? null : toCore(row).planId,
    }
  },
})
