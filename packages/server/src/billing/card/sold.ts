/** What is sold here with its price, and how a price of the card provider differs from it. */
import {
  bundlesFor,
  type Catalogue,
  type Interval,
  intervals,
  type PricedThing,
  pricedPlans,
} from '@plumbline/billing-core'
import type Stripe from 'stripe'
import type { Settings } from '../../runtime/settings/load.js'

/** What is sold, with its price here. */
export interface Sold extends PricedThing {
  readonly key: string
  readonly name: string
  readonly cents: number
  readonly isPlan: boolean
}

export function soldThings({
  tiers,
  BILLING_BUNDLES_ENABLED,
}: Pick<Settings, 'tiers' | 'BILLING_BUNDLES_ENABLED'>): Sold[] {
  return soldIn(tiers).filter(({ isPlan }) => isPlan || BILLING_BUNDLES_ENABLED)
}

/** Every plan and bundle of the catalogue that has a price, also while bundles are not sold. */
export function soldIn(tiers: Catalogue): Sold[] {
  const plans = tiers.plans.filter(({ id }) => pricedPlans.some((each) => each === id))
  const all = [
    ...plans.map((each) => ({ ...each, isPlan: true })),
    ...bundlesFor(tiers, null).map((each) => ({ ...each, isPlan: false })),
  ]
  return all.flatMap(({ id, name, prices, isPlan }) =>
    intervals.map((interval) => ({ id, interval, key: `${id}_${interval}`, name, cents: prices[interval], isPlan })),
  )
}

export const PROVIDER_INTERVALS = { monthly: 'month', annual: 'year' } as const satisfies Record<Interval, string>

/** How another amount would be charged than the one that is shown. The provider never changes these of a price. */
export function differencesOfCharge(
  { currency, unit_amount, recurring }: Pick<Stripe.Price, 'currency' | 'unit_amount' | 'recurring'>,
  sold: Pick<Sold, 'cents' | 'interval'>,
): string[] {
  const interval = PROVIDER_INTERVALS[sold.interval]
  return [
    currency === 'usd' ? '' : `is in ${currency}, not usd`,
    unit_amount === sold.cents ? '' : `is ${unit_amount} cents there and ${sold.cents} here`,
    recurring?.interval === interval && recurring.interval_count === 1 ? '' : `is not charged once a ${interval}`,
  ].filter((text) => text !== '')
}
