/** What must not compile: lines that would mix money with plain numbers, or signed with unsigned amounts. */

import { defaultCatalogue } from '../catalogue/create.js'
import type { Tier } from '../catalogue/vocabulary.js'
import type { Discount } from '../discounts/types.js'
import {
  addonBreakdown,
  type Cents,
  cents,
  percent,
  percentOf,
  quote,
  type SignedCents,
  signedCents,
} from '../index.js'
import type { LedgerState } from '../ledger/book.js'
import { grant } from '../ledger/grant.js'
import { type Instant, instant } from '../period/instant.js'
import type { RefusalCode } from '../refusal/codes.js'
import { add, subtract, sum } from './arithmetic.js'

const price: Cents = cents(4_900)
const delta: SignedCents = signedCents(-100)

// A checked amount may stand where a signed one is wanted.
export const widened: SignedCents = price

// @ts-expect-error a plain number is not money
export const plain: Cents = 4_900
// @ts-expect-error a signed amount is not an unsigned one
export const narrowed: Cents = delta
// @ts-expect-error `+` gives a number, not money
export const added: Cents = price + price
// @ts-expect-error percent points are not cents
export const points: Cents = percent(20)
// @ts-expect-error a plain number is not a percentage
percentOf(price, 20)
// @ts-expect-error price and percent in the wrong order
percentOf(percent(20), price)
// @ts-expect-error a signed sum is not an unsigned amount
export const mixed: Cents = add(price, delta)
// @ts-expect-error a difference below zero has no unsigned type to go into
subtract(price, delta)
// @ts-expect-error sums take money
sum([1, 2, 3])

// @ts-expect-error the unlimited tier is never sold
quote(defaultCatalogue(), { planId: 'unlimited', interval: 'monthly', addons: [] })
// @ts-expect-error there is no weekly interval
quote(defaultCatalogue(), { planId: 'pro', interval: 'weekly', addons: [] })
// @ts-expect-error a plain object is not a catalogue: it has not been checked
quote({ tiers: {}, plans: [], bundles: [], combos: [] }, { planId: 'pro', interval: 'monthly', addons: [] })

// @ts-expect-error a text is not an instant before it was parsed
export const when: Instant = '2026-01-31T00:00:00.000Z'

// @ts-expect-error a percent value in a dollar discount
export const wrongUnit: Pick<Discount & { unit: 'dollar' }, 'unit' | 'value'> = { unit: 'dollar', value: percent(20) }

// @ts-expect-error a ledger state is made by openLedger alone
export const forged: LedgerState = { entries: [] }

declare const state: LedgerState
grant(state, {
  id: 'cr_1',
  orgId: 'o',
  subscriptionId: 's',
  sourceId: 'disc_1',
  // @ts-expect-error credit cannot be negative
  cents: delta,
  dedupeKey: 'disc:disc_1',
  at: instant('2026-01-31T00:00:00.000Z'),
})

// @ts-expect-error a breakdown's lines cannot be changed
addonBreakdown(quote(defaultCatalogue(), { planId: 'pro', interval: 'monthly', addons: [] })).items.push()

/** Exhaustive: a new tier or a code that goes unhandled stops the build. */
export function exhaustiveTier(tier: Exclude<Tier, 'unlimited'>): number {
  switch (tier) {
    case 'developer':
      return 0
    case 'pro':
      return 1
    case 'team':
      return 2
    case 'enterprise':
      return 3
    default:
      return tier satisfies never
  }
}
// @ts-expect-error not a code of the catalogue
export const code: RefusalCode = 'DISCOUNT_NOT_THERE'
