/**
 * Whether credit has an effect for accounts of this process. At a marketplace credit is withheld usage, so it requires
 * metering.
 */
import { creditSupport } from '@plumbline/billing-core'
import type { Runtime } from '../../runtime/operation/context.js'

export function supportsCredit({ settings }: Pick<Runtime, 'settings'>): boolean {
  const kind = creditSupport(settings.BILLING_PROVIDER, {
    discountsEnabled: settings.BILLING_DISCOUNTS_ENABLED,
    meteringEnabled: settings.BILLING_METERING_ENABLED,
    hasPriceMap: settings.MARKETPLACE_DIMENSION_PRICE_MAP !== '{}',
  })
  return kind !== 'none'
}
