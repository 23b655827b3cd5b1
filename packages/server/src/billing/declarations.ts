/** What this domain declares: permissions, settings, rate limits. */
import { type KeyRing, parseKeyRing } from '@plumbline/billing-core'
import { adminsAndMembers, adminsOnly, declare } from '../runtime/declare.js'
import { given, MS_MAX, optional } from '../runtime/setting/setting.js'
import {
  address,
  choice,
  flag,
  list,
  matching,
  SettingMistake,
  type SettingType,
  text,
  whole,
} from '../runtime/setting/types.js'

const keyRing: SettingType<KeyRing> = {
  describe: '`v<N>:<base64 of 32 bytes>`, several between commas',
  parse(text) {
    const parsed = parseKeyRing(text)
    if (parsed.ok) return parsed.value
    // The message names an entry by its position and never contains its text.
    throw new SettingMistake(parsed.refusal.message.replace('BILLING_DISCOUNT_KEYS ', 'is wrong: '))
  },
  print: ({ keys }) => [...keys.keys()].map((version) => `v${version}`).join(','),
}

export const billingDeclarations = declare({
  name: 'billing',
  sections: { billing: 'Billing' },
  permissions: {
    'billing:read': adminsAndMembers('read the subscription and invoices'),
    'billing:manage': adminsOnly('change the subscription'),
  },
  settings: {
    BILLING_PROVIDER: given(
      'billing',
      choice('stub', 'card_provider', 'marketplace'),
      'stub',
      'Payment provider; with `stub` nothing is charged: invoices are created and count as paid',
    ),
    BILLING_BUNDLES_ENABLED: given('billing', flag, false, 'Whether add-ons are offered'),
    BILLING_DISCOUNTS_ENABLED: given('billing', flag, true, 'Whether discounts can be made and redeemed'),
    BILLING_DISCOUNT_KEYS: optional(
      'billing',
      keyRing,
      'Keys of discount tokens: the server encrypts with the highest version and decrypts with every version; without one it issues no token',
      { secret: true },
    ),
    BILLING_DISCOUNT_MAX_PERCENT: given('billing', whole(1, 100), 100, 'The largest percent discount that can be made'),
    BILLING_DISCOUNT_MAX_CENTS: given(
      'billing',
      whole(1),
      10_000_000,
      'The largest dollar discount that can be made, in cents',
    ),
    BILLING_PROMOTIONS_ENABLED: given('billing', flag, true, 'Whether promotions grant credit; needs discounts'),
    BILLING_PROMOTION_BACKFILL_INTERVAL_MS: given(
      'billing',
      whole(1000, MS_MAX),
      3_600_000,
      'Time between two backfills of promotions',
    ),
    BILLING_PROMOTION_CLAWBACK_WINDOW_MS: given(
      'billing',
      whole(0),
      604_800_000,
      'How recent a promotion grant must be for a cancellation to take it back',
    ),
    BILLING_REFERRAL_REFEREE_AT: given(
      'billing',
      choice('subscription', 'first_payment'),
      'subscription',
      'When the referred account gets its credit',
    ),
    BILLING_TEST_CLOCKS: given(
      'billing',
      flag,
      false,
      'Whether an account can have a test clock before its first subscription, to try billing out',
    ),
    BILLING_ISSUER_NAME: optional('billing', text(200), 'Who issues invoices: the name on them'),
    BILLING_ISSUER_ADDRESS: optional('billing', text(500), 'The address on invoices, in one line'),
    BILLING_LIFECYCLE_CHECK_INTERVAL_MS: given(
      'billing',
      whole(1000, MS_MAX),
      3_600_000,
      'Time between two checks for periods that are over',
    ),
    PAYMENT_GRACE_PERIOD_DAYS: given(
      'billing',
      whole(0, 365),
      7,
      'Days after the first failed payment for which plan and add-ons still apply; nothing is deleted afterwards',
    ),
    RENEWAL_REMINDER_DAYS: given(
      'billing',
      whole(0, 365),
      7,
      'Days before a period ends on which people who manage billing are notified of the renewal, once per period; 0 is never',
    ),
    BILLING_DUNNING_DAYS: given(
      'billing',
      list(whole(0, 365)),
      [0, 3, 6],
      'Days after the first failed payment on which people who manage billing are notified, each once',
    ),
    CARD_PROVIDER_SECRET_KEY: optional(
      'billing',
      matching(/^(sk|rk)_(test|live)_[A-Za-z0-9_]{1,200}$/, 'a secret key, `sk_test_…` or `sk_live_…`'),
      'Secret key of the card provider; required with BILLING_PROVIDER=card_provider',
      { secret: true },
    ),
    CARD_PROVIDER_WEBHOOK_SECRET: optional(
      'billing',
      list(text(200)),
      'Secrets that sign its webhooks, separated by commas while one is replaced; without one deliveries are answered with 503',
      { secret: true },
    ),
    CARD_PROVIDER_PRICE_MAP: given(
      'billing',
      text(16_384),
      '{}',
      'Price ids of the card provider by plan or bundle and interval, as JSON: `{"pro_monthly":"price_…"}`',
    ),
    CARD_PROVIDER_ACCOUNT: optional(
      'billing',
      matching(/^acct_[A-Za-z0-9]{1,60}$/, 'an account id, `acct_…`'),
      'Account at the card provider, for an endpoint that also receives deliveries of connected accounts: the server ignores deliveries that name another account',
    ),
    CARD_PROVIDER_API_URL: optional(
      'billing',
      address('http', 'https'),
      'Where the card provider answers, such as the local one of `plumbline billing fake card`; its own address when not set',
    ),
    BILLING_METERING_ENABLED: given(
      'billing',
      flag,
      false,
      'Whether add-ons are metered at the marketplace; credit of marketplace accounts needs it',
    ),
    BILLING_METERING_INTERVAL_MS: given(
      'billing',
      whole(1000, MS_MAX),
      3_600_000,
      'Time between two reports; each hour is reported once, regardless of this setting',
    ),
    BILLING_METERING_MODE: given(
      'billing',
      choice('cycle', 'period'),
      'cycle',
      'What a unit is: `cycle` one add-on for one hour, `period` one add-on for one billing period',
    ),
    BILLING_METERING_DRAWDOWN_DRYRUN: given(
      'billing',
      flag,
      false,
      'Report in full and only log the units that credit would have withheld',
    ),
    MARKETPLACE_PRODUCT_CODE: optional(
      'billing',
      matching(/^[-a-zA-Z0-9/=:_.@]{1,255}$/, 'a product code'),
      'Product code of the listing; required with BILLING_PROVIDER=marketplace',
    ),
    MARKETPLACE_REGION: optional(
      'billing',
      matching(/^[a-z]{2}(-[a-z]+)+-[0-9]{1,2}$/, 'a region, such as `us-east-1`'),
      'Region of its metering and entitlements; `AWS_REGION`, else us-east-1, when not set',
    ),
    MARKETPLACE_SNS_TOPIC_ARN: optional(
      'billing',
      list(matching(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}$/, 'an ARN of an SNS topic')),
      'Topics whose notices are accepted, separated by commas; without one none is',
    ),
    MARKETPLACE_DIMENSION_MAP: optional(
      'billing',
      text(16_384),
      'Plan of each dimension of the listing, as JSON: `{"ProTier":"pro"}`; when not set, a dimension has the name of its plan',
    ),
    MARKETPLACE_BUNDLE_DIMENSION_MAP: optional(
      'billing',
      text(16_384),
      'Add-ons to its metered dimensions, as JSON, or `listing` for names such as SeatPack; when not set, a dimension has the name of its add-on',
    ),
    MARKETPLACE_DIMENSION_PRICE_MAP: given(
      'billing',
      text(16_384),
      '{}',
      'Cents per unit of its metered dimensions, as JSON, or `listing` for the monthly prices; credit withholds units at these prices',
    ),
    MARKETPLACE_API_URL: optional(
      'billing',
      address('http', 'https'),
      'Where the marketplace answers, such as the local one of `plumbline billing fake marketplace`; its own address when not set',
    ),
    BILLING_RECONCILE_INTERVAL_MS: given(
      'billing',
      whole(1000, MS_MAX),
      900_000,
      'Time between two comparisons of subscriptions with the provider (marketplace entitlements too), and of entitlements with the limits in force',
    ),
    BILLING_WEBHOOK_INPROGRESS_TTL_SECONDS: given(
      'billing',
      whole(1, 86_400),
      300,
      'How long a delivery counts as in progress before another process takes it',
    ),
  },
  buckets: {
    'billing-resolve': { per: 'ip', max: 20, windowMs: 60_000 },
    'billing-claim': { per: 'user', max: 10, windowMs: 60_000 },
    'billing-portal': { per: 'org', max: 10, windowMs: 60_000 },
    'billing-redeem': { per: 'org', max: 10, windowMs: 60_000 },
    'billing-export': { per: 'org', max: 20, windowMs: 3_600_000 },
    'billing-preview': { per: 'org', max: 60, windowMs: 60_000 },
  },
})
