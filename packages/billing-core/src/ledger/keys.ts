/**
 * Dedupe keys: the name of the one thing that a row records. A key is unique in an account for ever, also after a
 * reversal and on another subscription. So cancelling and subscribing again cannot earn the same credit twice.
 *
 * INVARIANT: different things have different keys, whatever characters their ids contain: `:` and `%` in an id are
 * percent-encoded.
 */
export const ledgerKey = {
  /** A one-time discount, or one period of a recurring discount. */
  discount: (discountId: string, period?: string): string => join('disc', discountId, period),
  combo: (comboId: string, period: string): string => join('combo', comboId, period),
  /** A promotion, or one period of a recurring promotion. The credit of a referee has the same key. */
  promotion: (promotionId: string, orgId: string, period?: string): string => join('promo', promotionId, orgId, period),
  referrer: (promotionId: string, referrerOrgId: string, refereeOrgId: string): string =>
    join('promo', promotionId, referrerOrgId, 'ref', refereeOrgId),
  invoice: (invoiceId: string): string => join('inv', invoiceId),
  invoiceAdjustment: (invoiceId: string): string => join('inv', invoiceId, 'adjust'),
  metering: (hourKey: string): string => join('meter', hourKey),
  /** The credit of a key, granted once more after it was taken back. `times` is how often it was granted before. */
  again: (key: string, times: number): string => `${key}${AGAIN}${times}`,
  clawback: (key: string): string => CLAWBACK + key,
  /** The row that reverses a grant which the provider refused. */
  refusedPush: (key: string): string => REFUSED + key,
  forfeit: (subscriptionId: string, seq: number): string => join('forfeit', subscriptionId, String(seq)),
} as const

const AGAIN = ':again:'
const CLAWBACK = 'clawback:'
const REFUSED = 'refused:'

/** True for the key of credit that was granted once more. */
export const isGrantedAgain = (dedupeKey: string): boolean => dedupeKey.includes(AGAIN)

/** Returns the key of the grant that a reversing row reverses; null for every other row. */
export function reversalTarget(dedupeKey: string): string | null {
  if (dedupeKey.startsWith(CLAWBACK)) return dedupeKey.slice(CLAWBACK.length)
  if (dedupeKey.startsWith(REFUSED)) return dedupeKey.slice(REFUSED.length)
  return null
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/[%:]/g, encodeURIComponent))
    .join(':')
}
