/**
 * Lines that keep the way out closed, compliance roles what they are, and each delivery told once. Each was taken out in a
 * copy, and its test failed there.
 */
import { cut, drop, type Guard, guard, KILLS, never, swap, value } from './guard.js'

const ADDRESSES = 'address'
const EGRESS = 'egress'
const NOTIFICATIONS = 'notification'
const WEBHOOKS = 'webhook'
const DIGESTS = 'digest'
const ROLES = 'role'

export const NOTIFICATION_GUARDS: readonly Guard[] = [
  guard(
    'a-notification-about-a-rule-with-alternatives-has-no-value-of-the-record',
    swap('messageWithoutValues(violation)', 'violation.message'),
    NOTIFICATIONS,
  ),
  guard('a-secret-of-a-webhook-is-a-key', never, 'notification/notification'),
  guard('every-address-of-a-name-is-vetted', swap('addresses', 'addresses.slice(0, 1)'), EGRESS),
  guard('an-address-in-the-place-of-a-name-is-vetted', drop, EGRESS),
  guard('an-attempt-ends-in-time', drop, EGRESS),
  guard('the-body-of-a-fetched-answer-is-bounded', never, EGRESS),
  guard('a-fetch-follows-no-redirect', never, EGRESS),
  guard('a-fetched-answer-is-not-packed', never, EGRESS),
  guard('a-fetched-body-is-bounded', never, EGRESS),
  guard('a-body-that-was-cut-off-is-not-complete', drop, EGRESS),
  guard('the-headers-of-an-answer-are-bounded', value('1 << 24'), EGRESS),
  guard('ipv6-is-closed-but-for-global-unicast', cut("?? 'not global unicast'"), ADDRESSES),
  guard('the-bits-of-the-last-byte-of-a-range', swap('=== 0', '!== 8'), ADDRESSES),
  guard('no-plain-http-but-where-the-operator-vouches', drop, ADDRESSES),
  guard('no-credentials-in-an-address', drop, ADDRESSES),
  guard('the-log-of-the-own-organization', swap('eq(t.orgId, orgId)', 'undefined'), NOTIFICATIONS),
  guard('only-a-delivery-that-is-over-is-replayed', cut(", inArray(t.state, ['sent', 'failed'])"), WEBHOOKS),
  guard(
    'the-secret-of-a-webhook-goes-with-its-host',
    swap('nextHost === hostOf(row.webhookUrl) ? row.sealedSecret : null', 'row.sealedSecret'),
    NOTIFICATIONS,
  ),
  guard('recipients-are-members', value('isMember === null'), NOTIFICATIONS),
  guard('e-mails-go-to-members-of-the-organization', drop, NOTIFICATIONS),
  guard('e-mails-go-to-confirmed-addresses', drop, NOTIFICATIONS),
  guard('an-attempt-that-was-cut-off-is-closed', drop, WEBHOOKS),
  guard('six-attempts-and-no-more', swap('attemptsMax', '2 * attemptsMax'), WEBHOOKS),
  guard('a-digest-waits-for-its-window', cut('|| !isDue(preference, nowMs)'), DIGESTS),
  guard('a-delivery-has-one-id-in-all-of-its-attempts', swap('deliveryId', 'deliveryId: attempt.id'), KILLS),
  guard('what-a-killed-process-left-open-is-closed', swap("'pending'", "'none'"), KILLS),
  guard(
    'what-is-in-a-digest-waits-for-no-other',
    swap("state: 'sent', updatedAtMs: nowMs", 'updatedAtMs: nowMs + 1'),
    KILLS,
  ),
  guard('who-administers-compliance', swap('=== true', '!== null'), ROLES),
  guard('an-editor-does-not-decide-about-exemptions', swap('!== true', '=== null'), ROLES),
  guard('a-compliance-role-is-for-active-members', drop, ROLES),
  guard('a-compliance-role-ends-with-the-membership', drop, ROLES),
]
