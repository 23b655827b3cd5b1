/**
 * What an organization is told of, by which way, and each try to tell it.
 *
 * INVARIANT: a notification has one delivery a channel, whose id is the same in every attempt; an attempt has one row.
 */
import { tableSet, tenant } from '../../runtime/store/table-set.js'

export const notificationTables = tableSet(
  'notification',
  (k) => {
    const preferences = k.table('notification_preferences', {
      orgId: k.text('org_id').primaryKey(),
      notifyOnWarning: k.bool('notify_on_warning').notNull(),
      emailEnabled: k.bool('email_enabled').notNull(),
      /** immediate, daily, weekly */
      digestMode: k.text('digest_mode').notNull(),
      /** When `digestMode` was last set to another. */
      modeSinceMs: k.epochMs('mode_since_ms').notNull(),
      lastDigestAtMs: k.epochMs('last_digest_at_ms'),
      /** Null for the administrators. */
      targetUsers: k.json<readonly string[]>('target_users'),
      webhookUrl: k.text('webhook_url'),
      /** As the secret box writes it, bound to the organization. */
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
        /** What it is about, so that the same is told once. */
        onceKey: k.text('once_key').notNull(),
        event: k.text('event').notNull(),
        /** normal, high */
        priority: k.text('priority').notNull(),
        /** The body as receivers get it. */
        payload: k.json<Readonly<Record<string, unknown>>>('payload').notNull(),
        /** The entry of the check log. */
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
        /** in-app, email, webhook; digest for one that waits for its window */
        channel: k.text('channel').notNull(),
        /** pending, retrying, sent, failed */
        state: k.text('state').notNull(),
        /** How many attempts were begun. */
        attempts: k.count('attempts').notNull(),
        /** How many of them were before the last replay. */
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
        /** 1 for the first. */
        attempt: k.count('attempt').notNull(),
        /** The status of the receiver's answer. */
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
