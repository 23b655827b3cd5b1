/** Lines that keep what a card provider says from counting twice, for another, or for nobody. */
import { always, drop, type Guard, guard, never, value } from './guard.js'

const CARD = 'card/card'
const SETTINGS = 'card/settings'

export const CARD_GUARDS: readonly Guard[] = [
  guard('a-delivery-is-signed', never, CARD),
  guard('a-delivery-is-of-our-mode', never, CARD),
  guard('a-delivery-is-of-our-account', never, CARD),
  guard('an-old-delivery-is-not-taken', never, CARD),
  guard('a-delivery-is-known-by-its-id', always, CARD),
  guard('a-delivery-is-in-one-hand', drop, CARD),
  guard('the-effect-of-a-delivery-is-under-its-fence', never, CARD),
  guard('nothing-revives-what-ended', never, CARD),
  guard('an-older-state-is-not-applied', never, CARD),
  guard('the-same-second-is-read-again', always, CARD),
  guard('another-currency-is-not-booked', never, CARD),
  guard('a-balance-is-of-this-ledger', never, CARD),
  guard('what-was-refused-is-given-back', drop, 'card/credit'),
  guard('credit-of-an-announced-invoice-is-granted-at-once', always, 'card/credit'),
  guard('a-redemption-after-a-refusal-gives-credit', always, 'card/credit'),
  guard('credit-of-before-goes-to-the-provider', value('row'), 'card/credit'),
  guard('a-comparison-adjusts-by-the-balance-of-this-ledger', value('there'), 'card/credit'),
  guard('changes-of-an-account-take-turns', value('Promise.resolve().then(change)'), CARD),
  guard('a-refused-key-refuses-no-call', never, 'card/locked-out'),
  guard('one-open-call-a-subscription', never, CARD),
  guard('a-call-is-in-one-hand', drop, CARD),
  guard('an-answer-is-applied-by-who-asked', drop, CARD),
  guard('what-may-be-there-is-read-before-it-is-sent', never, CARD),
  guard('a-customer-that-may-be-there-is-looked-for', value('null as number | null'), CARD),
  guard('a-key-that-failed-is-not-used-again', value('call'), CARD),
  guard('a-call-after-a-refusal-has-its-own-key', value('key'), CARD),
  guard('refunds-stay-after-a-dispute', value('(_: unknown): _ is InvoiceRow => false'), CARD),
  guard('failures-are-counted-from-what-is-open', drop, CARD),
  guard('nothing-is-granted-before-the-provider-says-yes', always, CARD),
  guard('after-a-day-it-is-read-before-it-is-sent', never, 'card/credit'),
  guard('what-was-sent-is-not-taken-back', drop, CARD),
  guard('what-cannot-be-charged-is-not-changed', never, CARD),
  guard('a-change-is-prorated-within-its-period', value('(_row: SubscriptionRow, ms: number): number => ms'), CARD),
  guard('plain-http-leads-to-this-machine-alone', never, SETTINGS),
  guard('a-live-key-goes-to-its-own-provider', never, SETTINGS),
]
