/** The operations of the notification domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { getNotificationLog } from './notification-log/get.js'
import { listNotificationLog } from './notification-log/list.js'
import { replayDelivery } from './notification-log/replay.js'
import { getPreference } from './preference/get.js'
import { updatePreference } from './preference/update.js'
import { testWebhook } from './webhook/test.js'

export const NOTIFICATION_OPERATIONS: readonly Operation[] = [
  getPreference,
  updatePreference,
  testWebhook,
  listNotificationLog,
  getNotificationLog,
  replayDelivery,
]
