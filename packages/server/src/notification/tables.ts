/**
 * What an organization is notified of, by which channels, and each attempt.
 *
 * INVARIANT: a notification has one delivery per channel, whose id is the same in every attempt; an attempt has one
 * row.
 */
import { tableSet, tenant } from '../runtime/store/table-set.js'

export const notificationTables = tableSet(
  'notification',
  (k) => {
    const preferences = k.table('notification_preferences', {
      orgId: k.text('org_id').primaryKey(),
      notifyOnWarning: k.bool('notify_on_warning').notNull(),
      emailEnabled: k.bool('email_enabled').notNull(),
      /** immediate, daily, weekly */
      digestMode: k.text('digest_mode').notNull(),
      /** When `digestMode` last changed. */
      modeSinceMs: k.epochMs('mode_since_ms').notNull(),
      lastDigestAtMs: k.epochMs('last_digest_at_ms'),
      /** Null for the administrators. */
      targetUsers: k.json<readonly string[]>('target_users'),
      webhookUrl: k.text('webhook_url'),
      /** Encrypted by the secret box, bound to the organization. */
      sealedSecret: k.text('sealed_secret'),
      revision: k.count('revision').notNull(),
      updatedBy: k.text('updated_by'),
      createdAtMs: k.epochMs('created_at_ms').notNull(),
      updatedAtMs: k.epochMs('updated_at_ms').notNull(),
    })
    const notifications = k.table(
      'notifications',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Identifies the occasion, so that it is notified once. */
        onceKey: k.text('once_key').notNull(),
        event: k.text('event').notNull(),
        /** normal, high */
        priority: k.text('priority').notNull(),
        /** The body that receivers get. */
        payload: k.json<Readonly<Record<string, unknown>>>('payload').notNull(),
        /** The entry of the check log that the notification is about. */
        relatedCheckId: k.text('related_check_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('notifications_once').on(t.orgId, t.onceKey),
        k.index('notifications_check').on(t.orgId, t.relatedCheckId),
        k.index('notifications_age').on(t.createdAtMs),
      ],
    )
    const deliveries = k.table(
      'notification_deliveries',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        notificationId: k.text('notification_id').notNull(),
        /** in-app, email, webhook; digest while it waits for its window */
        channel: k.text('channel').notNull(),
        /** pending, retrying, sent, failed */
        state: k.text('state').notNull(),
        /** The number of attempts that were started. */
        attempts: k.count('attempts').notNull(),
        /** The number of attempts before the last replay. */
        attemptsBefore: k.count('attempts_before').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('notification_deliveries_channel').on(t.notificationId, t.channel),
        k.index('notification_deliveries_state').on(t.orgId, t.channel, t.state, t.id),
        k.index('notification_deliveries_parked').on(t.channel, t.state, t.orgId),
        k.index('notification_deliveries_age').on(t.updatedAtMs),
      ],
    )
    const attempts = k.table(
      'notification_log',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        notificationId: k.text('notification_id').notNull(),
        deliveryId: k.text('delivery_id').notNull(),
        event: k.text('event').notNull(),
        channel: k.text('channel').notNull(),
        /** pending, sent, retrying, failed */
        status: k.text('status').notNull(),
        /** The number of the attempt, starting at 1. */
        attempt: k.count('attempt').notNull(),
        /** The HTTP status of the receiver's answer. */
        responseCode: k.count('response_code'),
        error: k.text('error'),
        nextRetryAtMs: k.epochMs('next_retry_at_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('notification_log_attempt').on(t.deliveryId, t.attempt),
        k.index('notification_log_created').on(t.orgId, t.createdAtMs, t.id),
      ],
    )
    return { preferences, notifications, deliveries, attempts }
  },
  { preferences: tenant(), notifications: tenant(), deliveries: tenant(), attempts: tenant() },
)

type Tables = ReturnType<typeof notificationTables>
export type PreferenceRow = Tables['preferences']['$inferSelect']
export type NotificationRow = Tables['notifications']['$inferSelect']
export type DeliveryRow = Tables['deliveries']['$inferSelect']
export type AttemptRow = Tables['attempts']['$inferSelect']
