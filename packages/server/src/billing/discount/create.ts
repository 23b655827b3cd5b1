/** `POST /billing/admin/discounts`: an operator makes a discount. */
import { cents, checkCeilings, parseAlias, parseDiscount, soldTiers } from '@plumbline/billing-core'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { choice, Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { requireRoot } from '../account/find.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { toMs } from '../account/subscription.js'
import { creditTables, type DiscountRow } from '../credit-tables.js'
import { recordEvent } from '../event/record.js'
import { DiscountView, factsOf, presentDiscount, requireDiscounts } from './record.js'

export const Redemptions = Type.Integer({ minimum: 1, maximum: 1_000_000 })
export const Tiers = Type.Array(choice(soldTiers), { minItems: 1, maxItems: 10, uniqueItems: true })

export const Campaign = Type.String({
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  'x-says': 'must be 1 to 64 letters, digits, `-` or `_`',
  description: 'A label to find the discount by',
})

const Body = strictObject({
  code: Type.String({
    maxLength: 200,
    description: '`value:unit:kind[:campaign]`, such as `20:percent:recurring:launch`',
  }),
  targetOrgId: Type.Optional(Uuid),
  alias: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[A-Za-z0-9_-]{3,40}$',
      'x-says': 'must be 3 to 40 letters, digits, `-` or `_`',
      description: 'What people type to redeem it',
    }),
  ),
  maxRedemptions: Type.Optional(Redemptions),
  redeemBy: Type.Optional(Instant),
  appliesToTiers: Type.Optional(Tiers),
  campaign: Type.Optional(Campaign),
  sandbox: Type.Optional(Type.Boolean({ description: 'For accounts with a test clock only' })),
})

export const createDiscount = command({
  name: 'billing.discount.create',
  summary: 'Make a discount',
  description: 'Every kind becomes credit. Only this answer shows the alias; keep it as safe as money.',
  http: { method: 'post', path: '/billing/admin/discounts', status: 201 },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.discount.generate'],
  input: { body: Body },
  output: strictObject({ discount: DiscountView, alias: nullable(Type.String()) }),
  secretOutput: true,
  errors: [...BILLING_ERRORS, 'DISCOUNT_CEILING_EXCEEDED', 'DUPLICATE_ENTRY', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, actor } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    const { BILLING_DISCOUNT_MAX_PERCENT: maxPercent, BILLING_DISCOUNT_MAX_CENTS } = runtime.settings
    const terms = granted(parseDiscount(body.code))
    granted(checkCeilings(terms, { maxPercent, maxCents: cents(BILLING_DISCOUNT_MAX_CENTS) }))
    const alias = body.alias === undefined ? null : granted(parseAlias(body.alias))
    const redeemByMs = body.redeemBy === undefined ? null : toMs(body.redeemBy)
    if (redeemByMs !== null && redeemByMs <= nowMs) throw invalidField('/body/redeemBy', 'must be in the future')
    const target = body.targetOrgId === undefined ? null : await requireRoot(tx, body.targetOrgId, '/body/targetOrgId')
    const { billingDiscounts: t } = creditTables(tx)
    const row: DiscountRow = {
      id: runtime.ids.next(),
      value: terms.value,
      unit: terms.unit,
      kind: terms.kind,
      campaign: body.campaign ?? terms.campaign ?? null,
      alias,
      targetOrgId: target?.id ?? null,
      maxRedemptions: body.maxRedemptions ?? null,
      timesRedeemed: 0,
      redeemByMs,
      appliesToTiers: body.appliesToTiers ?? null,
      isActive: true,
      sandbox: body.sandbox ?? false,
      createdBy: actor.id,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    if (!(await insertNew(tx, t, row))) {
      throw new Refusal('DUPLICATE_ENTRY', 'the alias is taken; choose another', { details: { field: 'alias' } })
    }
    await recordForTarget(context, row, 'discount_generated')
    await context.audit('billing.discount.generate', {
      targetType: 'discount',
      targetId: row.id,
      ...(row.targetOrgId === null ? {} : { affectedOrgId: row.targetOrgId }),
      details: factsOf(row),
    })
    return changed({ discount: presentDiscount(row), alias })
  },
})

/** For a discount of one account: the account's events show what operators do with it. */
export async function recordForTarget(
  context: Parameters<typeof recordEvent>[0],
  row: DiscountRow,
  type: 'discount_generated' | 'discount_issued' | 'discount_revoked',
): Promise<void> {
  if (row.targetOrgId === null) return
  await recordEvent(context, { orgId: row.targetOrgId, subscriptionId: null, type, details: factsOf(row) })
}
