/**
 * Every setting of billing as data. The reader, the reference page and the test of that page use this table. `<…>` in a
 * name is a placeholder for one of the values that the summary names.
 */
export interface SettingSpec {
  readonly name: string
  readonly kind: 'boolean' | 'whole' | 'cents' | 'text' | 'choice' | 'json' | 'keys'
  /** The default as it would be written; null when there is none. */
  readonly default: string | null
  readonly summary: string
  readonly secret?: true
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
}

const MAX_TIMER_MS = 2_147_483_647

export const scalarSettings = [
  {
    name: 'BILLING_ENABLED',
    kind: 'boolean',
    default: 'false',
    summary: 'Whether plans are served; off puts every account on tier `unlimited`',
  },
  {
    name: 'BILLING_PROVIDER',
    kind: 'choice',
    choices: ['stub', 'card_provider', 'marketplace'],
    default: 'stub',
    summary: 'Who charges',
  },
  {
    name: 'DEFAULT_QUOTA_TIER',
    kind: 'choice',
    choices: ['developer', 'pro', 'team', 'enterprise', 'unlimited'],
    default: 'developer',
    summary: 'Tier of a new account; `unlimited` only while billing is off',
  },
  { name: 'BILLING_BUNDLES_ENABLED', kind: 'boolean', default: 'false', summary: 'Whether add-ons are offered' },
  {
    name: 'BILLING_DISCOUNTS_ENABLED',
    kind: 'boolean',
    default: 'true',
    summary: 'Whether discounts can be made and redeemed',
  },
  {
    name: 'BILLING_PROMOTIONS_ENABLED',
    kind: 'boolean',
    default: 'true',
    summary: 'Whether promotions grant; needs discounts',
  },
  {
    name: 'BILLING_DISCOUNT_KEYS',
    kind: 'keys',
    default: null,
    secret: true,
    summary:
      'Keys of discount tokens, `v<N>:<base64 of 32 bytes>` separated by commas; the highest version seals, all open',
  },
  {
    name: 'BILLING_DISCOUNT_MAX_PERCENT',
    kind: 'whole',
    min: 1,
    max: 100,
    default: '100',
    summary: 'Largest percent discount that can be made',
  },
  {
    name: 'BILLING_DISCOUNT_MAX_CENTS',
    kind: 'cents',
    default: '10000000',
    summary: 'Largest dollar discount that can be made, in cents',
  },
  {
    name: 'BILLING_PROMOTION_BACKFILL_INTERVAL_MS',
    kind: 'whole',
    min: 1000,
    max: MAX_TIMER_MS,
    default: '3600000',
    summary: 'Time between two backfills of promotions',
  },
  {
    name: 'BILLING_PROMOTION_CLAWBACK_WINDOW_MS',
    kind: 'whole',
    min: 0,
    default: '604800000',
    summary: 'How young a promotion grant is clawed back on cancellation',
  },
  {
    name: 'BILLING_REFERRAL_REFEREE_AT',
    kind: 'choice',
    choices: ['subscription', 'first_payment'],
    default: 'subscription',
    summary: 'When the referee gets its credit',
  },
  {
    name: 'BILLING_METERING_ENABLED',
    kind: 'boolean',
    default: 'false',
    summary: 'Whether add-ons are metered at the marketplace; credits there need it',
  },
  {
    name: 'BILLING_METERING_INTERVAL_MS',
    kind: 'whole',
    min: 1000,
    max: MAX_TIMER_MS,
    default: '3600000',
    summary: 'Time between two metering cycles; an hour is reported once whatever this says',
  },
  {
    name: 'BILLING_METERING_DRAWDOWN_DRYRUN',
    kind: 'boolean',
    default: 'false',
    summary: 'Report in full and only log what credit would have withheld',
  },
  {
    name: 'MARKETPLACE_PRODUCT_CODE',
    kind: 'text',
    default: null,
    summary: 'Product code; required under the marketplace',
  },
  {
    name: 'MARKETPLACE_REGION',
    kind: 'text',
    default: 'us-east-1',
    summary: 'Region of metering and entitlements; `AWS_REGION` where that alone is set',
  },
  {
    name: 'MARKETPLACE_SNS_TOPIC_ARN',
    kind: 'text',
    default: null,
    summary: 'Topic whose notifications are accepted; none are without it',
  },
  {
    name: 'MARKETPLACE_DIMENSION_MAP',
    kind: 'json',
    default: null,
    summary: 'Tier dimension to plan, as a JSON object; identity when not set',
  },
  {
    name: 'MARKETPLACE_BUNDLE_DIMENSION_MAP',
    kind: 'json',
    default: null,
    summary: 'Bundle to metered dimension, as a JSON object or `listing`; identity when not set',
  },
  {
    name: 'MARKETPLACE_DIMENSION_PRICE_MAP',
    kind: 'json',
    default: '{}',
    summary: 'Metered dimension to cents per unit and cycle, as a JSON object or `listing`',
  },
  {
    name: 'CARD_PROVIDER_SECRET_KEY',
    kind: 'text',
    default: null,
    secret: true,
    summary: 'Secret key; required under the card provider',
  },
  {
    name: 'CARD_PROVIDER_WEBHOOK_SECRET',
    kind: 'text',
    default: null,
    secret: true,
    summary: 'Signing secret of webhooks; none are accepted without it',
  },
  {
    name: 'CARD_PROVIDER_PRICE_MAP',
    kind: 'json',
    default: '{}',
    summary: 'Price ids by `<plan or bundle>_<interval>`, as a JSON object',
  },
  {
    name: 'PAYMENT_GRACE_PERIOD_DAYS',
    kind: 'whole',
    min: 0,
    max: 365,
    default: '7',
    summary: 'Days after the first failed payment before the tier is taken',
  },
  {
    name: 'RENEWAL_REMINDER_DAYS',
    kind: 'whole',
    min: 0,
    max: 365,
    default: '7',
    summary: 'Days before the period ends at which a reminder is sent',
  },
  {
    name: 'BILLING_LIFECYCLE_CHECK_INTERVAL_MS',
    kind: 'whole',
    min: 1000,
    max: MAX_TIMER_MS,
    default: '3600000',
    summary: 'Time between two looks at grace periods and period ends',
  },
  {
    name: 'BILLING_ENTITLEMENT_DRIFT_MAX_PER_TICK',
    kind: 'whole',
    min: 1,
    max: 100000,
    default: '100',
    summary: 'Subscriptions compared with what is enforced, per look',
  },
  {
    name: 'BILLING_ENTITLEMENT_DRIFT_INTERVAL_MS',
    kind: 'whole',
    min: 1000,
    default: '86400000',
    summary: 'Shortest time between two comparisons of one subscription',
  },
  {
    name: 'BILLING_WEBHOOK_INPROGRESS_TTL_SECONDS',
    kind: 'whole',
    min: 1,
    max: 86400,
    default: '300',
    summary: 'How long one worker owns a webhook event',
  },
  {
    name: 'BILLING_USAGE_FALLBACK_DAYS',
    kind: 'whole',
    min: 1,
    max: 366,
    default: '30',
    summary: 'Window of usage shown to an account without a period',
  },
  {
    name: 'CACHE_TTL_BILLING_PLANS',
    kind: 'whole',
    min: 0,
    default: '14400',
    summary: 'Seconds for which the plan list may be cached',
  },
  { name: 'PLATFORM_FRONTEND_URL', kind: 'text', default: null, summary: 'Where the billing portal returns to' },
] as const satisfies readonly SettingSpec[]

export type ScalarSettingName = (typeof scalarSettings)[number]['name']

/** Overrides of the catalogue. `loadCatalogue` reads them. */
export const catalogueSettings: readonly SettingSpec[] = [
  {
    name: 'QUOTA_TIER_<TIER>_<LIMIT>',
    kind: 'whole',
    min: -1,
    default: null,
    summary:
      'Baseline of a limit, −1 for unlimited. `<TIER>`: DEVELOPER, PRO, TEAM, ENTERPRISE; `<LIMIT>`: the limit in capitals with underscores',
  },
  { name: 'BILLING_PLAN_<TIER>_MONTHLY', kind: 'cents', default: null, summary: 'Monthly price of a plan in cents' },
  {
    name: 'BILLING_PLAN_<TIER>_ANNUAL',
    kind: 'cents',
    default: null,
    summary: 'Annual price; ten times an overridden monthly one when not set',
  },
  { name: 'BILLING_PLAN_<TIER>_NAME', kind: 'text', default: null, summary: 'Name of a plan, at most 120 characters' },
  { name: 'BILLING_PLAN_<TIER>_DESCRIPTION', kind: 'text', default: null, summary: 'Description of a plan' },
  {
    name: 'BILLING_PLAN_<TIER>_TRIAL_DAYS',
    kind: 'whole',
    min: 0,
    max: 365,
    default: '0',
    summary: 'Days for which the first subscription of an account costs nothing, once for ever; paid plans only',
  },
  {
    name: 'BILLING_PLAN_<TIER>_FEATURES',
    kind: 'json',
    default: null,
    summary: 'What the plan list shows, as a JSON array of texts',
  },
  {
    name: 'BILLING_BUNDLE_<ID>_MONTHLY',
    kind: 'cents',
    default: null,
    summary: 'Monthly price of a bundle in cents. `<ID>`: the bundle id in capitals',
  },
  {
    name: 'BILLING_BUNDLE_<ID>_ANNUAL',
    kind: 'cents',
    default: null,
    summary: 'Annual price; ten times an overridden monthly one when not set',
  },
  {
    name: 'BILLING_BUNDLE_<ID>_GRANT',
    kind: 'whole',
    min: 0,
    default: null,
    summary: 'What one unit grants, for bundles that grant exactly one limit; bytes for storage',
  },
  {
    name: 'BILLING_BUNDLE_<ID>_TIERS',
    kind: 'json',
    default: null,
    summary: 'Tiers that can buy it, as a non-empty JSON array',
  },
  {
    name: 'BILLING_COMBO_<ID>_MONTHLY',
    kind: 'cents',
    default: null,
    summary: 'Price of all members together. `<ID>`: ANALYTICS_SUITE, TEAM_GROWTH, COMPLIANCE_SUITE',
  },
  {
    name: 'BILLING_COMBO_<ID>_ANNUAL',
    kind: 'cents',
    default: null,
    summary: 'The same for a year; an overridden monthly price does not change it',
  },
]
