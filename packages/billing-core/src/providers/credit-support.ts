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
 * Returns how the provider realises credit. A provider with a customer balance: `balance`. The marketplace: `metered`
 * when discounts and metering are on and prices are set, otherwise `none`.
 */
export function creditSupport(provider: ProviderKind, settings: CreditSettings): CreditSupport {
  if (provider !== 'marketplace') return 'balance'
  return settings.discountsEnabled && settings.meteringEnabled && settings.hasPriceMap ? 'metered' : 'none'
}
