/** Maps a provider's status of a subscription to ours. An unknown status entitles to nothing. */
import type { SubscriptionStatus } from '../entitlements/entitlement.js'

const STATUSES: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['active', 'active'],
  ['trialing', 'trialing'],
  ['past_due', 'past_due'],
  ['canceled', 'canceled'],
  ['unpaid', 'canceled'],
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'incomplete'],
])

export function statusFromProvider(status: unknown): SubscriptionStatus {
  return (typeof status === 'string' ? STATUSES.get(status) : undefined) ?? 'incomplete'
}
