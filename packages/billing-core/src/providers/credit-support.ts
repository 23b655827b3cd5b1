/** Which providers can realise credit, and how: against a customer balance, by withheld usage, or not at all. */
export const providerKinds = ['stub', 'card_provider', 'marketplace'] as const
export type ProviderKind = (typeof providerKinds)[number]
export type CreditSupport = 'balance' | 'metered' | 'none'

export interface CreditSettings {
  readonly discountsEnabled: boolean
  readonly meteringEnabled: boolean
  readonly hasPriceMap: boolean
}

/**
 * `balance` where the provider keeps a customer balance; the marketplace is `metered` when discounts, metering and
 * prices are there, else `none`.
 */
export function creditSupport(provider: ProviderKind, settings: CreditSettings): CreditSupport {
  if (provider !== 'marketplace') return 'balance'
  return settings.discountsEnabled && settings.meteringEnabled && settings.hasPriceMap ? 'metered' : 'none'
}
