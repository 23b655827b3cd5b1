/**
 * Lines that keep credit to what was allowed. Each was taken out in a copy, and its test failed there.
 */
import { always, cut, drop, type Guard, guard, never, swap, value } from './guard.js'

export const BILLING_GUARDS: readonly Guard[] = [
  guard('token-matches-its-record', cut('&& matchesDiscount(opened.value, toDiscount(row))'), 'discount/discount'),
  guard(
    'redemptions-are-counted-conditionally',
    swap('lt(t.timesRedeemed, t.maxRedemptions)', "eq(t.id, value('id'))"),
    'discount/discount',
  ),
  guard('budget-is-reserved-conditionally', cut('gte(t.budgetCents, spent),'), 'promotion/promotion'),
  guard('a-list-of-an-account-has-its-rows-alone', drop, 'summary/reads'),
  guard('what-waits-is-kept-when-add-ons-wait-too', value('null'), 'addon/addon'),
  guard(
    'what-was-granted-is-not-counted-again',
    swap('inArray(t.dedupeKey, keys)', "eq(t.dedupeKey, '')"),
    'lifecycle/lifecycle',
  ),
  guard('an-add-on-extends-retention', drop, 'addon/addon'),
  guard('an-end-by-an-operator-settles-the-credit', value('row'), 'subscription/override'),
  guard('nobody-refers-themself', never, 'promotion/promotion'),
  guard('an-alert-is-its-account-s', cut(', eq(t.orgId, rootOrgId)'), 'alert/alert'),
  guard('a-trial-is-for-the-first-subscription', never, 'lifecycle/lifecycle'),
  guard('a-removed-account-gets-no-second-trial', never, 'account/trial'),
  guard('a-removed-account-keeps-its-trial', always, 'account/trial'),
  guard('a-customer-in-use-is-not-deleted', never, 'clock/charged'),
  guard('a-deleted-customer-is-not-asked-for-again', value('orgId'), 'clock/charged'),
  guard('what-waits-at-the-provider-is-not-prorated', always, 'card/card'),
  guard('what-is-held-is-refused-before-it-is-asked', never, 'subscription/preview-law'),
  guard('a-preview-knows-that-the-period-is-held', value('false'), 'subscription/preview-law'),
  guard('a-preview-says-that-the-provider-is-asked', never, 'subscription/preview-law'),
  guard('a-preview-of-a-beginning-waits-for-the-one-before', never, 'subscription/preview-law'),
  guard('what-begins-at-the-provider-begins-now', always, 'card/card'),
  guard(
    'what-a-preview-showed-is-what-the-provider-charges',
    swap("planned.when === 'now' && atMs < nowMs", 'false'),
    'card/card',
  ),
  guard('what-a-preview-did-not-count-makes-it-stale', drop, 'card/credit'),
  guard('what-if-is-refused-as-the-change-is', never, 'billing/subscription/subscription'),
  guard('no-grace-ends-unasked', cut('await compareAccount(settling, link)'), 'card/card'),
  guard('a-sandbox-refers-no-account-that-pays', value('false'), 'clock/clock'),
  guard('clocks-are-for-accounts-that-never-paid', never, 'clock/clock'),
  guard('invoices-outlive-their-organization', never, 'kept-invoice/kept-invoice'),
  guard('a-ledger-is-sealed-once', cut(', gt(t.lastSeq, t.sealedSeq)'), 'ledger/ledger'),
  guard('texts-of-an-invoice-are-escaped', value('(text: string): string => text'), 'summary/reads'),
  guard('what-a-provider-charges-is-not-overridden', never, 'subscription/override'),
  guard(
    'what-cannot-be-charged-is-not-granted',
    swap('...addons', '...addons.filter(({ bundleId }) => bundlePrice(prices, bundleId, interval).ok)'),
    'card/unpriced',
  ),
  guard('what-is-charged-is-what-is-shown', always, 'card/unpriced'),
  guard('what-is-granted-and-not-charged-is-named', value('[] as string[]'), 'card/unpriced'),
  guard('what-is-charged-is-not-purged', never, 'subscription/leave-provider'),
  guard('what-is-charged-is-not-forgotten', always, 'kept-invoice/kept-invoice'),
]
