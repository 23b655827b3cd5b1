/**
 * A message from the system organization to an organization's inbox, such as a quota that is nearly used up. It is queued
 * in the transaction of what it tells; the message domain's worker posts it. Source: spec platform 12.3, 13.
 */
import type { OutboxMessage } from '../operation/context.js'

export const NOTICE_JOB = 'message.notice'

export interface Notice {
  readonly recipientOrgId: string
  /** One member alone; null for everybody of the organization who may read messages. */
  readonly recipientUserId: string | null
  readonly subject: string
  readonly content: string
  readonly priority: 'normal' | 'high' | 'urgent'
  /** Groups notices of one kind: `^[a-z0-9_-]{1,50}$`. */
  readonly channel: string
}

/** @param once a key under which the notice is queued once while it waits. */
export const noticeMessage = (notice: Notice, once?: string): OutboxMessage => ({
  kind: NOTICE_JOB,
  // The message is the system organization's: a job of the recipient's could not write it (row security).
  orgId: null,
  payload: notice,
  ...(once === undefined ? {} : { uniqueKey: once }),
})
