/** The text of the notification that a quota is nearly or fully used. */

import type { QuotaType } from '@plumbline/billing-core'
import type { NotificationKinds, NotificationText, Payload } from '../../runtime/records/notification.js'
import { KINDS } from '../limit/kinds.js'

export const QUOTA_NOTIFICATIONS: NotificationKinds = {
  'quota.threshold': { isImmediate: true, text: thresholdText },
}

function thresholdText(payload: Payload): NotificationText {
  const {
    quotaType: type,
    threshold,
    used,
    limit,
  } = payload as {
    quotaType: QuotaType
    threshold: number
    used: number
    limit: number
  }
  const isFull = threshold >= 100
  const then = isFull
    ? KINDS[type] === 'capacity'
      ? 'No more can be created until some are deleted or the plan is upgraded.'
      : 'Further use is refused until the period ends or the plan is upgraded.'
    : 'At 100 percent further use is refused.'
  return {
    subject: isFull ? `Quota used up: ${type}` : `Quota at ${threshold} percent: ${type}`,
    content: `${used} of ${limit} ${type} are used. ${then}`,
  }
}
