/**
 * Notifications of an organization. A domain queues an announcement in the transaction of the event. The domain
 * `notification` decides whether, how and to whom it is sent. Each domain provides the texts of its own events.
 */
import Type, { type Static } from 'typebox'
import type { OutboxMessage } from '../operation/context.js'
import { strictObject } from '../operation/schema.js'
import { port } from '../port.js'
import type { Db } from '../store/db.js'

/** The names that receivers see. The first part is the domain that announces the event. */
export const EVENTS = [
  'compliance.block',
  'compliance.warning',
  'compliance.scan',
  'compliance.rule-change',
  'compliance.digest',
  'quota.threshold',
  'billing.notice',
  'sso.domain-lost',
  'notification.test',
] as const
export type NotificationEvent = (typeof EVENTS)[number]

/** Waiting jobs have this name stored. It is older than the domain `notification`, so it is kept. */
export const NOTIFY_JOB = 'compliance.notify'

export const Announcement = strictObject({
  event: Type.Enum([...EVENTS]),
  /** An organization is notified once of the same key. */
  onceKey: Type.String({ minLength: 1 }),
  priority: Type.Enum(['normal', 'high']),
  relatedCheckId: Type.Union([Type.String(), Type.Null()]),
  occurredAtMs: Type.Integer(),
  /** The fields of the payload besides `id`, `event`, `orgId`, `occurredAt`. */
  fields: Type.Record(Type.String(), Type.Unknown()),
})
export type Announcement = Readonly<Static<typeof Announcement>>

/** Returns the job that queues the notification. Queue it in the transaction of the event. */
export const announce = (orgId: string, announcement: Announcement): OutboxMessage => ({
  kind: NOTIFY_JOB,
  orgId,
  payload: announcement,
})

/**
 * The text of a notification: the message in the inbox, and the e-mail. Names are typed by people, so the text is
 * plain.
 */
export interface NotificationText {
  readonly subject: string
  readonly content: string
}

export type Payload = Readonly<Record<string, unknown>>

/** How the notifications of one event are sent. */
export interface NotificationKind {
  text(payload: Payload): NotificationText
  /** True when organizations are notified only if they ask for warnings. By default they are always notified. */
  readonly isWarning?: (announcement: Pick<Announcement, 'priority'>) => boolean
  /** The channels; by default all. The inbox always gets it. */
  readonly channels?: readonly ('email' | 'webhook')[]
  /** Sent at once in every digest mode. */
  readonly isImmediate?: boolean
}

export type NotificationKinds = Readonly<Partial<Record<NotificationEvent, NotificationKind>>>

/** The kinds of one domain. */
export const notificationsOf = (domain: string) => port<NotificationKinds>(`notifications of ${domain}`)

export interface NotificationPort {
  /** Whether the organization asks for warnings. One read, so that a check with a warning queues nothing in vain. */
  wantsWarnings(db: Db, orgId: string): Promise<boolean>
}

export const notificationPort = port<NotificationPort>('notification')
