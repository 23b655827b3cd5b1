/** Reads that several parts of billing share. */
import { type components, useRead } from '../../data/api.js'
import { useFormat } from '../../ui/format.js'
import { useLabel, useWords } from '../../ui/words.js'
import { billingWords, words } from './words.js'

export type Plan = components['schemas']['Plan']
export type Subscription = components['schemas']['BillingSubscription']
export type PlanId = Plan['id']
export type Interval = Subscription['interval']

export const usePlans = () => useRead(['billing', 'plans'], (api) => api.GET('/billing/plans'))
export const useSubscription = () => useRead(['billing', 'subscription'], (api) => api.GET('/billing/subscription'))
export const useBundles = () => useRead(['billing', 'bundles'], (api) => api.GET('/billing/bundles'))

/** Formats a quantity of a kind: bytes in units, -1 as unlimited. */
export function useQuantity(): (kind: string, value: number) => string {
  const t = useWords(words)
  const format = useFormat()
  return (kind, value) => {
    if (value < 0) return t('unlimited')
    return kind === 'storageBytes' ? format.bytes(value) : format.number(value)
  }
}

export const useBillingLabel = () => useLabel(billingWords)
