/** Lines that keep what a card provider says from counting twice, for another, or for nobody. */
import { always, drop, type Guard, guard, never } from './guard.js'

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
  guard('one-open-call-a-subscription', never, CARD),
  guard('a-call-is-in-one-hand', drop, CARD),
  guard('an-answer-is-applied-by-who-asked', drop, CARD),
  guard('what-may-be-there-is-read-before-it-is-sent', never, CARD),
  guard('what-was-sent-is-not-taken-back', drop, CARD),
  guard('plain-http-leads-to-this-machine-alone', never, SETTINGS),
  guard('a-live-key-goes-to-its-own-provider', never, SETTINGS),
]
