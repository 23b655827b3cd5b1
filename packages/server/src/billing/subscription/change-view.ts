/** What a change would do, in the API. Plans and add-ons have the same form. */
import {
  type AppliedCombo,
  type EffectiveLimits,
  type Holding,
  type LimitField,
  limitFields,
  type Overage,
  type QuoteLine,
  quote,
} from '@plumbline/billing-core'
import Type from 'typebox'
import type { Runtime } from '../../runtime/operation/context.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { Addon, IntervalName, MoneyCents } from '../account/subscription.js'
import type { PlannedChange } from '../change/plan-change.js'
import { addonReason, DrawnInvoiceView, presentDrawn } from '../invoice/line.js'
import { NextInvoiceView, presentNext } from '../invoice/next-view.js'

export const Combo = strictObject({
  comboId: Type.String(),
  name: Type.String(),
  creditCents: MoneyCents,
})

const LimitsView = strictObject(
  Object.fromEntries(limitFields.map((field) => [field, Type.Integer({ minimum: -1 })])) as Record<
    LimitField,
    ReturnType<typeof Type.Integer>
  >,
)

export const BreakdownView = strictObject(
  {
    interval: IntervalName,
    items: Type.Array(
      strictObject({
        label: Type.String(),
        quantity: Type.Integer({ minimum: 1 }),
        cents: Type.Integer({ description: 'US cents, below 0 for a saving' }),
        reason: Type.String({ description: 'How the amount is calculated' }),
      }),
    ),
    totalCents: MoneyCents,
  },
  { description: 'Price of one period, with a line for each combo: its saving becomes credit at the renewal' },
)

export const OverageView = strictObject({
  quotaType: Type.String(),
  currentUsage: Type.Integer(),
  targetCap: Type.Integer(),
  overage: Type.Integer(),
})

/** The common part of both previews and of changes of add-ons. */
export const effectsOf = {
  addons: Type.Array(Addon),
  overages: Type.Array(OverageView, { description: 'Limits that the usage exceeds: the change would be refused' }),
  effectiveLimits: LimitsView,
  features: Type.Array(Type.String()),
  priceBreakdown: BreakdownView,
  lostCombos: Type.Array(Combo),
  gainedCombos: Type.Array(Combo),
  invoiceNow: nullable(DrawnInvoiceView),
  nextInvoice: nullable(NextInvoiceView),
}

export const presentCombo = ({ comboId, name, savingCents }: AppliedCombo) => ({
  comboId,
  name,
  creditCents: savingCents,
})

export interface Effects extends Pick<PlannedChange, 'lostCombos' | 'gainedCombos' | 'invoiceNow' | 'nextInvoice'> {
  readonly after: Holding
  readonly overages: readonly Overage[]
  readonly effective: EffectiveLimits
}

export function presentEffects({ settings }: Pick<Runtime, 'settings'>, planned: Effects) {
  const { after, effective, invoiceNow, nextInvoice } = planned
  return {
    addons: [...after.addons],
    overages: [...planned.overages],
    effectiveLimits: { ...effective.limits },
    features: [...effective.features],
    priceBreakdown: breakdownOf(settings.tiers, after),
    lostCombos: planned.lostCombos.map(presentCombo),
    gainedCombos: planned.gainedCombos.map(presentCombo),
    invoiceNow: invoiceNow === null ? null : presentDrawn(invoiceNow),
    nextInvoice: nextInvoice === null ? null : presentNext(nextInvoice),
  }
}

export function breakdownOf(tiers: Parameters<typeof quote>[0], holding: Holding) {
  const { interval, lines, totalCents } = quote(tiers, holding)
  return {
    interval,
    items: lines.map((line) => ({
      label: line.label,
      quantity: line.quantity,
      cents: line.cents,
      reason: reasonOf(line),
    })),
    totalCents,
  }
}

function reasonOf(line: QuoteLine): string {
  switch (line.kind) {
    case 'plan':
      return 'the plan for one period'
    case 'addon':
      return addonReason(line)
    case 'combo':
      return 'held together: the saving comes as credit with each period'
    case 'credit':
      return 'of the credit'
  }
}
