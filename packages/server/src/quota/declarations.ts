/** What this domain declares about limits and usage: permissions, settings, rate limits. */
import { soldTiers } from '@plumbline/billing-core'
import { adminsAndMembers, declare } from '../runtime/declare.js'
import { given, optional } from '../runtime/setting/setting.js'
import { choice, flag, quotaPeriod } from '../runtime/setting/types.js'

function resetPeriods<S>(make: (tier: (typeof soldTiers)[number]) => S) {
  return Object.fromEntries(soldTiers.map((tier) => [`QUOTA_TIER_${tier.toUpperCase()}_RESET_PERIOD`, make(tier)])) as {
    readonly [T in (typeof soldTiers)[number] as `QUOTA_TIER_${Uppercase<T>}_RESET_PERIOD`]: S
  }
}

export const quotaDeclarations = declare({
  name: 'quota',
  sections: { quota: 'Tiers' },
  permissions: {
    'quotas:read': adminsAndMembers('read limits and usage'),
  },
  settings: {
    BILLING_ENABLED: given(
      'quota',
      flag,
      false,
      'Whether tier limits are enforced; while it is `false` every organization has tier `unlimited`',
    ),
    DEFAULT_QUOTA_TIER: given(
      'quota',
      choice(...soldTiers),
      'developer',
      'Tier of a new organization while BILLING_ENABLED is `true`',
    ),
    QUOTA_PERIOD: given(
      'quota',
      quotaPeriod,
      'monthly',
      'Period in which API and AI calls are counted: a calendar month in UTC, or a number of days',
    ),
    ...resetPeriods((tier) =>
      optional('quota', quotaPeriod, `The same for accounts of tier ${tier}; QUOTA_PERIOD when not set`),
    ),
  },
  buckets: {},
})
