/** Lines that keep purchases, notices and reports of usage of a marketplace from counting twice, for another, or for nobody. */
import { always, cut, type Guard, guard, never, swap, value } from './guard.js'

const PURCHASE = 'purchase/purchase'
const SETTINGS = 'marketplace/settings'
const SNS = 'sns/sns'
const NOTICES = 'notification/marketplace-notice'
const METERING = 'metering/metering'
const OTHER = 'subscription/other-provider'

export const MARKETPLACE_GUARDS: readonly Guard[] = [
  guard('a-purchase-is-of-our-product', never, PURCHASE),
  guard('what-the-marketplace-charges-is-not-purged', never, PURCHASE),
  guard('what-the-marketplace-charges-is-not-forgotten', never, PURCHASE),
  guard('a-deleted-organization-is-not-metered', value('untilMs'), PURCHASE),
  guard('a-buyer-names-no-organization', never, PURCHASE),
  guard('a-claimed-purchase-gives-no-claim', never, PURCHASE),
  guard('an-expired-claim-gives-nothing', swap('purchase.claimExpiresAtMs <= nowMs', 'false'), PURCHASE),
  guard('a-purchase-moves-to-an-organization-of-ones-own', never, PURCHASE),
  guard('the-marketplace-says-what-the-subscription-is', swap('sellsHere(runtime)', 'true'), PURCHASE),
  guard('add-ons-are-not-bought-past-the-marketplace', swap('sellsHere(runtime)', 'true'), PURCHASE),
  guard('an-entitled-purchase-is-not-ended-by-a-notice', swap('!isEntitled && ', ''), NOTICES),
  guard('an-older-notice-only-reads-again', value('false'), NOTICES),
  guard('a-notice-is-of-our-product', never, NOTICES),
  guard('a-notice-is-signed-in-a-known-way', never, SNS),
  guard('a-notice-is-of-our-topic', never, SNS),
  guard('an-old-notice-is-not-taken', never, SNS),
  guard('a-certificate-comes-from-the-service-of-topics', never, SNS),
  guard('a-certificate-is-good-now', never, SNS),
  guard('a-notice-is-signed', never, SNS),
  guard('a-record-names-a-licence-or-a-customer', never, METERING),
  guard('what-the-marketplace-sold-is-not-overridden', never, METERING),
  guard('what-is-not-metered-is-not-given', always, METERING),
  guard('what-another-provider-sold-can-only-be-ended', always, OTHER),
  guard('what-another-provider-charges-is-not-changed', always, OTHER),
  guard('a-purchase-is-taken-over-once', swap('? row : null', '? row : row'), PURCHASE),
  guard('a-claim-is-used-once', cut(', eq(t.claimHash, hash)'), PURCHASE),
  guard('a-purchase-begins-beside-no-other', swap('(await findLive(tx, root.id)) !== null', 'false'), PURCHASE),
  guard('an-older-read-is-not-followed', value('false'), PURCHASE),
  guard('a-notice-follows-the-newest-read', never, NOTICES),
  guard('refused-credentials-refuse-no-usage', never, METERING),
  guard('an-hour-is-settled-once', swap(" || hour.status !== 'open'", ''), METERING),
  guard('plain-http-to-a-marketplace-leads-to-this-machine-alone', never, SETTINGS),
  guard('monthly-prices-are-not-billed-by-the-hour', never, SETTINGS),
]
