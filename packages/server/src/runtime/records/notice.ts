/**
 * A message from the system organization to the inbox of an organization, such as about a quota that is nearly used up.
 * It is queued in the transaction of the event; the worker of the message domain posts it. Source: spec platform 12.3,
 * 13.
 */
import type { OutboxMessage } from '../operation/context.js'

export const NOTICE_JOB = 'message.notice'

export interface Notice {
  readonly recipientOrgId: string
  /** The only member who receives it; null for all members who may read messages. */
  readonly recipientUserId: string | null
  readonly subject: string
  readonly content: string
  readonly priority: 'normal' | 'high' | 'urgent'
  /** Groups notices of one kind: `^[a-z0-9_-]{1,50}$`. */
  readonly channel: string
}

/** @param once A key. While a notice with this key waits, no second one is queued. */
export const noticeMessage = (notice: Notice, once?: string): OutboxMessage => ({
  kind: NOTICE_JOB,
  // The message belongs to the system organization. Row security would prevent a job of the recipient from writing it.
  orgId: null,
  payload: notice,
  ...(once === undefined ? {} : { uniqueKey: once }),
})
