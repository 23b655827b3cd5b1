/** What other parts of the server may use of the notification domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { notificationPort, notificationsOf } from '../runtime/records/notification.js'
import { notificationDeclarations } from './declarations.js'
import { notificationMail } from './delivery/mail.js'
import { notifyJob } from './delivery/notify.js'
import { pruneNotificationsJob, pruneNotificationsSchedule } from './delivery/prune.js'
import { OWN_NOTIFICATIONS } from './delivery/text.js'
import { webhookJob } from './delivery/webhook.js'
import { digestJob, digestsJob, digestsSchedule } from './digest/digest.js'
import { NOTIFICATION_OPERATIONS } from './operations.js'
import { wantsWarnings } from './preference/record.js'
import { notificationRegistration } from './registration.js'
import { notificationTables } from './tables.js'

export const notification = defineDomain({
  ...notificationDeclarations,
  operations: NOTIFICATION_OPERATIONS,
  jobs: (settings) => [notifyJob, webhookJob, digestJob, digestsJob(settings), pruneNotificationsJob],
  schedules: (settings) => [pruneNotificationsSchedule, digestsSchedule(settings)],
  mails: [notificationMail],
  tables: [notificationTables],
  registration: notificationRegistration,
  provides: [
    provide(notificationPort, () => ({ wantsWarnings })),
    provide(notificationsOf('notification'), () => OWN_NOTIFICATIONS),
  ],
})
