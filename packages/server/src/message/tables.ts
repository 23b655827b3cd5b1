/**
 * Messages between organizations, who has read them, their attachments, and the last day's events of the live stream.
 *
 * Who sees a message is decided by its thread: the organization that opened it, the one it went to, and the one person there
 * when it went to one alone. Each row carries these three, so that one condition answers for roots, replies and events.
 */
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
        /** The sender's. */
        orgId: k.text('org_id').notNull(),
        /** An organization, or `*` for everybody. */
        recipientOrgId: k.text('recipient_org_id').notNull(),
        recipientUserId: k.text('recipient_user_id'),
        /** The message that opened the thread; its own id for a root. */
        rootId: k.text('root_id').notNull(),
        isRoot: k.bool('is_root').notNull(),
        threadOrgId: k.text('thread_org_id').notNull(),
        threadRecipientOrgId: k.text('thread_recipient_org_id').notNull(),
        threadRecipientUserId: k.text('thread_recipient_user_id'),
        /** Of a conversation that answers an announcement: the announcement. */
        announcementId: k.text('announcement_id'),
        createdBy: k.text('created_by').notNull(),
        /** Names as they were when it was sent. */
        senderName: k.text('sender_name').notNull(),
        senderOrgName: k.text('sender_org_name').notNull(),
        recipientOrgName: k.text('recipient_org_name').notNull(),
        /** announcement, conversation */
        messageType: k.text('message_type').notNull(),
        channel: k.text('channel'),
        subject: k.text('subject').notNull(),
        /** The subject as lists are in order by it: capitals and small letters alike. */
        subjectKey: k.text('subject_key').notNull(),
        content: k.text('content').notNull(),
        /** 0 normal, 1 high, 2 urgent: it is sorted by. */
        priority: k.count('priority').notNull(),
        /** Of a root: live replies, and when the thread last grew. */
        replyCount: k.count('reply_count').notNull(),
        activityAtMs: k.epochMs('activity_at_ms').notNull(),
        attachmentCount: k.count('attachment_count').notNull(),
        revision: k.count('revision').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
        editedAtMs: k.epochMs('edited_at_ms'),
        deletedAtMs: k.epochMs('deleted_at_ms'),
        deletedBy: k.text('deleted_by'),
        /** What was deleted together is restored together. */
        deletionId: k.text('deletion_id'),
        purgeAfterMs: k.epochMs('purge_after_ms'),
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
    /** The words of a live message, for search; its scope holds both sides of the thread (`search/`). */
    const messageSearch = k.table(
      'message_search',
      {
        position: k.position('position'),
        /** The sender's, and whom it went to: row security reads them. */
        orgId: k.text('org_id').notNull(),
        recipientOrgId: k.text('recipient_org_id').notNull(),
        threadOrgId: k.text('thread_org_id').notNull(),
        threadRecipientOrgId: k.text('thread_recipient_org_id').notNull(),
        /** The message, and the one that opened its thread, which is what a search finds. */
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
    /** A person's read marks, in each organization that they read in. */
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
        /** The uploader's. */
        orgId: k.text('org_id').notNull(),
        uploadedBy: k.text('uploaded_by').notNull(),
        /** Null until a message takes it. */
        messageId: k.text('message_id'),
        /** That of the message, so that row security lets its recipient read. */
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
    /** What the live stream tells, for 24 hours; the position is the event's id. */
    const messageEvents = k.table(
      'message_events',
      {
        position: k.position('position'),
        /** new, edited, deleted, read */
        kind: k.text('kind').notNull(),
        messageId: k.text('message_id').notNull(),
        rootId: k.text('root_id').notNull(),
        /** Of the thread; of a read mark the reader's, twice. */
        orgId: k.text('org_id').notNull(),
        recipientOrgId: k.text('recipient_org_id').notNull(),
        recipientUserId: k.text('recipient_user_id'),
        /** Of a read mark: whom alone it concerns. */
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
    // Anyone who restores a thread puts the words of the other side's answers back too.
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
    // Of the thread, whichever side writes in it.
    messageEvents: tenant('org_id', {
      alsoReadableBy: 'recipient_org_id',
      insertedByEither: true,
      sharedWhen: "recipient_org_id = '*'",
    }),
  },
  {
    sqlite: searchStatements.sqlite,
    pgOwners: searchStatements.pgOwners,
    // Positions are handed out at insert and not at commit: which transactions are over says what may be told (`event/place.ts`).
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
