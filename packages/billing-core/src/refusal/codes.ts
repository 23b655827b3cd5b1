/**
 * The catalogue of refusals: every code of billing, its HTTP status, and whether the request can be retried.
 *
 * Source: the error table of the billing specification, the redemption table and the add-on gates. INVARIANT: the
 * compiler refuses a code that is not listed here, and a `switch` over `RefusalCode` is exhaustive.
 */
interface RefusalEntry {
  /** HTTP statuses of the code; the first is the usual one. */
  readonly statuses: readonly [number, ...number[]]
  readonly title: string
  /** True when the same request may succeed later. */
  readonly retryable: boolean
}

export const refusalCodes = {
  VALIDATION_ERROR: { statuses: [400], title: 'a value is malformed', retryable: false },
  MISSING_REQUIRED_FIELD: { statuses: [400], title: 'a required field is missing', retryable: false },
  DISCOUNT_CEILING_EXCEEDED: { statuses: [400], title: 'the discount is over the ceiling', retryable: false },
  DISCOUNT_TIER_MISMATCH: { statuses: [400], title: 'the discount is not for this tier', retryable: false },
  PRICE_NOT_CONFIGURED: {
    statuses: [400],
    title: 'the plan or the add-on has no price at the provider',
    retryable: false,
  },
  PAYMENT_METHOD_REQUIRED: { statuses: [402], title: 'a payment method is required', retryable: false },
  DISCOUNT_NOT_FOR_ORG: { statuses: [403], title: 'the discount is for another account', retryable: false },
  INSUFFICIENT_PERMISSIONS: { statuses: [403], title: 'a feature or permission is missing', retryable: false },
  SELF_SERVICE_DISABLED: { statuses: [403], title: 'add-ons are bought at the marketplace', retryable: false },
  INVALID_SIGNATURE: { statuses: [400, 403], title: 'the signature does not match', retryable: false },
  DISCOUNT_NOT_FOUND: { statuses: [404], title: 'no such discount', retryable: false },
  NOT_FOUND: { statuses: [404], title: 'no such thing', retryable: false },
  ADDON_OVER_CAP: { statuses: [409], title: 'usage is over the limits after the change', retryable: false },
  PLAN_OVER_CAP: { statuses: [409], title: 'usage is over the limits of the plan', retryable: false },
  ALREADY_REDEEMED: { statuses: [409], title: 'the account has redeemed this discount', retryable: false },
  CONFLICT: { statuses: [409], title: 'the record changed meanwhile', retryable: true },
  DISCOUNTS_UNSUPPORTED: { statuses: [409], title: 'the provider cannot realise credits', retryable: false },
  DISCOUNT_EXHAUSTED: { statuses: [409], title: 'the discount is used up', retryable: false },
  DISCOUNT_EXPIRED: { statuses: [409], title: 'the discount has expired', retryable: false },
  DISCOUNT_INACTIVE: { statuses: [409], title: 'the discount is not active', retryable: false },
  DISCOUNT_ZERO_VALUE: { statuses: [409], title: 'the discount is worth nothing here', retryable: false },
  DUPLICATE_ENTRY: { statuses: [409], title: 'the thing exists already', retryable: false },
  MANAGED_BY_MARKETPLACE: { statuses: [409], title: 'the marketplace manages this subscription', retryable: false },
  PROMOTION_INACTIVE: { statuses: [409], title: 'the promotion is not active', retryable: false },
  PROMOTION_NOT_ACTIVATABLE: { statuses: [409], title: 'the promotion cannot be activated', retryable: false },
  RECURRING_ALREADY_PRESENT: { statuses: [409], title: 'a recurring discount stands already', retryable: false },
  SUBSCRIPTION_NOT_REDEEMABLE: { statuses: [409], title: 'the subscription cannot redeem', retryable: false },
  RATE_LIMIT_EXCEEDED: { statuses: [429], title: 'too many attempts', retryable: true },
  SIGNING_NOT_CONFIGURED: { statuses: [501], title: 'no signing key is configured', retryable: false },
  NOT_SUPPORTED: { statuses: [501], title: 'the provider does not support this', retryable: false },
  SERVICE_UNAVAILABLE: { statuses: [503], title: 'billing is not available', retryable: true },
} as const satisfies Record<string, RefusalEntry>

export type RefusalCode = keyof typeof refusalCodes

/** The usual HTTP status of a code. */
export function statusOf(code: RefusalCode): number {
  return refusalCodes[code].statuses[0]
}
