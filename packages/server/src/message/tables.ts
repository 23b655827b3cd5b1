/**
 * Messages between organizations, their read marks, their attachments, and the last day's events of the live stream.
 *
 * The thread decides who sees a message: the organization that opened it, the recipient organization, and the single
 * recipient if the thread went to one person. Each row has these three columns, so that one condition works for roots,
 * replies and events.
 */
import { softDeleteColumns } from '../runtime/records/soft-delete.js'
import { tableSet, tenant } from '../runtime/store/table-set.js'
import { messageSearchGuards } from './search-guards.js'

const searchStatements = messageSearchGuards('message_search')

export const messageTables = tableSet(
  'message',
  (k) => {
    const messages = k.table(
      'messages',
      {
        id: k.text('id').primaryKey(),
        /** The sender's organization. */
        orgId: k.text('org_id').notNull(),
        /** An organization, or `*` for an announcement. */
        recipientOrgId: k.text('recipient_org_id').notNull(),
        recipientUserId: k.text('recipient_user_id'),
        /** The message that opened the thread; its own id for a root. */
        rootId: k.text('root_id').notNull(),
        isRoot: k.bool('is_root').notNull(),
        threadOrgId: k.text('thread_org_id').notNull(),
        threadRecipientOrgId: k.text('thread_recipient_org_id').notNull(),
        threadRecipientUserId: k.text('thread_recipient_user_id'),
        /** For a conversation that answers an announcement: the id of the announcement. */
        announcementId: k.text('announcement_id'),
        createdBy: k.text('created_by').notNull(),
        /** Names at the time of sending. */
        senderName: k.text('sender_name').notNull(),
        senderOrgName: k.text('sender_org_name').notNull(),
        recipientOrgName: k.text('recipient_org_name').notNull(),
        /** announcement, conversation */
        messageType: k.text('message_type').notNull(),
        channel: k.text('channel'),
        subject: k.text('subject').notNull(),
        /** Sort key of the subject, case-insensitive. */
        subjectKey: k.text('subject_key').notNull(),
        content: k.text('content').notNull(),
        /** 0 normal, 1 high, 2 urgent: a number, so that lists can sort by it. */
        priority: k.count('priority').notNull(),
        /** For a root: the number of live replies, and the time of the latest activity. */
        replyCount: k.count('reply_count').notNull(),
        activityAtMs: k.epochMs('activity_at_ms').notNull(),
        attachmentCount: k.count('attachment_count').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        editedAtMs: k.epochMs('edited_at_ms'),
        ...softDeleteColumns(k),
        /** Shared by messages that were deleted together, which are restored together. */
        deletionId: k.text('deletion_id'),
      },
      (t) => [
        k.index('messages_sent').on(t.threadOrgId, t.isRoot, t.activityAtMs),
        k.index('messages_received').on(t.threadRecipientOrgId, t.isRoot, t.activityAtMs),
        k.index('messages_thread').on(t.rootId, t.createdAtMs),
        k.index('messages_org').on(t.orgId, t.id),
        k.index('messages_recipient').on(t.recipientOrgId, t.id),
        k.index('messages_announcement').on(t.orgId, t.announcementId),
        k.index('messages_author').on(t.createdBy, t.orgId),
        k.index('messages_purge').on(t.purgeAfterMs),
      ],
    )
    /** The search text of a live message; its scope contains both sides of the thread (`search/`). */
    const messageSearch = k.table(
      'message_search',
      {
        position: k.position('position'),
        /** Organization of the sender and of the recipient, for row security. */
        orgId: k.text('org_id').notNull(),
        recipientOrgId: k.text('recipient_org_id').notNull(),
        threadOrgId: k.text('thread_org_id').notNull(),
        threadRecipientOrgId: k.text('thread_recipient_org_id').notNull(),
        /** The message, and the root of its thread, which a search returns. */
        entityId: k.text('entity_id').notNull(),
        rootId: k.text('root_id').notNull(),
        scope: k.text('scope').notNull(),
        title: k.text('title').notNull(),
        body: k.text('body').notNull(),
      },
      (t) => [
        k.uniqueIndex('message_search_entity').on(t.entityId),
        k.index('message_search_root').on(t.rootId),
        k.index('message_search_org').on(t.orgId),
        k.index('message_search_sent').on(t.threadOrgId, t.position),
        k.index('message_search_received').on(t.threadRecipientOrgId, t.position),
      ],
    )
    /** Read marks of a person, for each organization in which they read. */
    const messageReads = k.table(
      'message_reads',
      {
        orgId: k.text('org_id').notNull(),
        userId: k.text('user_id').notNull(),
        messageId: k.text('message_id').notNull(),
        readAtMs: k.epochMs('read_at_ms').notNull(),
      },
      (t) => [
        k.primaryKey({ columns: [t.orgId, t.userId, t.messageId] }),
        k.index('message_reads_message').on(t.messageId),
        k.index('message_reads_user').on(t.userId),
      ],
    )
    const messageAttachments = k.table(
      'message_attachments',
      {
        id: k.text('id').primaryKey(),
        /** The uploader's organization. */
        orgId: k.text('org_id').notNull(),
        uploadedBy: k.text('uploaded_by').notNull(),
        /** Null until a message uses the file. */
        messageId: k.text('message_id'),
        /** Copied from the message, so that row security lets its recipient read the file. */
        recipientOrgId: k.text('recipient_org_id'),
        position: k.count('position').notNull(),
        filename: k.text('filename').notNull(),
        contentType: k.text('content_type').notNull(),
        sizeBytes: k.large('size_bytes').notNull(),
        sha256: k.text('sha256').notNull(),
        blobKey: k.text('blob_key').notNull(),
        thumbnailKey: k.text('thumbnail_key'),
        thumbnailType: k.text('thumbnail_type'),
        thumbnailBytes: k.large('thumbnail_bytes').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.index('message_attachments_message').on(t.messageId, t.position),
        k.index('message_attachments_org').on(t.orgId, t.createdAtMs, t.id),
        k.index('message_attachments_uploader').on(t.uploadedBy),
        k.index('message_attachments_pending').on(t.createdAtMs),
      ],
    )
    /** Events of the live stream, kept for 25 hours; the position is the id of the event. */
    const messageEvents = k.table(
      'message_events',
      {
        position: k.position('position'),
        /** new, edited, deleted, read */
        kind: k.text('kind').notNull(),
        messageId: k.text('message_id').notNull(),
        rootId: k.text('root_id').notNull(),
        /** Sender and recipient of the thread; for a read mark, both are the reader's organization. */
        orgId: k.text('org_id').notNull(),
        recipientOrgId: k.text('recipient_org_id').notNull(),
        recipientUserId: k.text('recipient_user_id'),
        /** For a read mark, the only person whom it concerns. */
        userId: k.text('user_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.index('message_events_sent').on(t.orgId, t.position),
        k.index('message_events_received').on(t.recipientOrgId, t.position),
        k.index('message_events_age').on(t.createdAtMs),
        k.index('message_events_user').on(t.userId),
      ],
    )
    return { messages, messageSearch, messageReads, messageAttachments, messageEvents }
  },
  {
    messages: tenant('org_id', {
      alsoReadableBy: 'recipient_org_id',
      sharedWhen: "recipient_org_id = '*'",
      readableBySystem: true,
    }),
    // Restoring a thread also inserts the search text of the other side's replies.
    messageSearch: tenant('org_id', {
      alsoReadableBy: 'recipient_org_id',
      insertedByEither: true,
      sharedWhen: "recipient_org_id = '*'",
      readableBySystem: true,
    }),
    messageReads: tenant(),
    messageAttachments: tenant('org_id', {
      alsoReadableBy: 'recipient_org_id',
      sharedWhen: "recipient_org_id = '*'",
      readableBySystem: true,
    }),
    // Row of the thread, whichever side writes in it.
    messageEvents: tenant('org_id', {
      alsoReadableBy: 'recipient_org_id',
      insertedByEither: true,
      sharedWhen: "recipient_org_id = '*'",
    }),
  },
  {
    sqlite: searchStatements.sqlite,
    pgOwners: searchStatements.pgOwners,
    // PostgreSQL assigns positions at insert and not at commit, so the transaction id decides which events can be sent
    // (`event/place.ts`).
    pg: [
      ...searchStatements.pg,
      'ALTER TABLE message_events ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();',
      'CREATE INDEX message_events_sent_xid ON message_events (org_id, xid, position);',
      'CREATE INDEX message_events_received_xid ON message_events (recipient_org_id, xid, position);',
    ],
  },
)

export type MessageRow = ReturnType<typeof messageTables>['messages']['$inferSelect']
export type AttachmentRow = ReturnType<typeof messageTables>['messageAttachments']['$inferSelect']
