/**
 * What this domain declares: how notifications leave the server. The compliance domain declares the permissions to set
 * and read them.
 */
import { declare } from '../runtime/declare.js'
import { given, MS_MAX } from '../runtime/setting/setting.js'
import { address, list, whole } from '../runtime/setting/types.js'

export const notificationDeclarations = declare({
  name: 'notification',
  sections: { notification: 'Notifications' },
  permissions: {},
  settings: {
    DIGEST_SCHEDULER_INTERVAL_MS: given(
      'notification',
      whole(1000, MS_MAX),
      3_600_000,
      'Time between two checks for digests whose window is over',
    ),
    DIGEST_LOCK_TTL_MS: given('notification', whole(1000, MS_MAX), 300_000, 'Time limit of the check for due digests'),
    COMPLIANCE_NOTIFY_TIMEOUT_MS: given(
      'notification',
      whole(100, 60_000),
      5000,
      'Time limit of an attempt to deliver to a webhook, from the DNS lookup to the status of the answer',
    ),
    COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: given(
      'notification',
      list(address('http', 'https')),
      [],
      'Origins such as `https://hooks.internal:8443` that webhooks may use although their address is not public; every organization can then use them',
    ),
  },
  buckets: {
    'notification-test': { per: 'org', max: 10, windowMs: 60_000 },
    'notification-replay': { per: 'org', max: 60, windowMs: 60_000 },
  },
})
