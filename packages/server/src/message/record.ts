/** A message as its readers see it. */
import { and, eq, inArray, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../runtime/operation/schema.js'
import type { Db } from '../runtime/store/db.js'
import { type MessageRow, messageTables } from './tables.js'
import { unreadBy } from './unread/count.js'
import { READER, readers, type Viewer } from './visibility.js'

export const PRIORITIES = ['normal', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]
export const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority)

export const oneOf = <S extends string>(values: readonly S[], options: object = {}) =>
  Type.Unsafe<S>({ type: 'string', enum: [...values], ...options })

export const CHANNEL = '^[a-z0-9_-]{1,50}$'
export const Subject = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  'x-says': 'must have more than spaces',
})
export const Content = Type.String({
  minLength: 1,
  maxLength: 32_768,
  pattern: '\\S',
  'x-says': 'must have more than spaces',
})

export const Message = strictObject({
  id: Uuid,
  orgId: Type.String({ description: 'The organization of the sender' }),
  createdBy: Type.String(),
  senderName: Type.String(),
  senderOrgName: Type.String(),
  threadId: nullable(Type.String({ description: 'The first message of the thread; null for that message itself' })),
  recipientOrgId: Type.String({ description: '`*` for everybody' }),
  recipientOrgName: Type.String(),
  recipientUserId: nullable(Type.String({ description: 'The only member there who can see it' })),
  messageType: oneOf(['announcement', 'conversation']),
  channel: nullable(Type.String()),
  subject: Type.String(),
  content: Type.String(),
  priority: oneOf(PRIORITIES),
  isRead: Type.Boolean({ description: 'By the caller; your own messages count as read' }),
  readAt: nullable(Instant),
  countUnread: Type.Integer({ description: 'For a thread, messages that the caller has not read; for a reply 0 or 1' }),
  replyCount: Type.Integer(),
  lastReplyAt: nullable(Instant),
  attachmentCount: Type.Integer(),
  editedAt: nullable(Instant),
  deletedAt: nullable(Instant),
  revision: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type MessageView = Static<typeof Message>

/** Fields that the server sets: a client may send them back with an edit. */
export const SERVER_OWNED = Object.keys(Message.properties).filter((name) => name !== 'content')

/** Messages with the viewer's own read marks. */
export async function presentMessages(db: Db, viewer: Viewer, rows: readonly MessageRow[]): Promise<MessageView[]> {
  const present = await presentFor(db, viewer.orgId, [viewer.userId], rows)
  return rows.map((row) => present(row, viewer.userId))
}

/**
 * Reads the read marks of several people of an organization on these messages in one query, and returns a function that
 * presents a message with the marks of one of them.
 */
export async function presentFor(
  db: Db,
  orgId: string,
  userIds: readonly string[],
  rows: readonly MessageRow[],
): Promise<(row: MessageRow, userId: string) => MessageView> {
  const marks = new Map<string, number>()
  const unread = new Map<string, number>()
  const keyOf = (userId: string, messageId: string) => `${userId} ${messageId}`
  if (rows.length > 0 && userIds.length > 0) {
    const { messages: t, messageReads: r } = messageTables(db)
    const ids = rows.map(({ id }) => id)
    const found = await db
      .select({ userId: r.userId, id: r.messageId, readAtMs: r.readAtMs })
      .from(r)
      .where(and(eq(r.orgId, orgId), inArray(r.userId, [...userIds]), inArray(r.messageId, ids)))
    for (const { userId, id, readAtMs } of found) marks.set(keyOf(userId, id), readAtMs)
    const roots = rows.filter(({ isRoot }) => isRoot).map(({ id }) => id)
    const open = and(inArray(t.rootId, roots), unreadBy({ orgId, userId: READER }, sql`messages`))
    const counts =
      roots.length === 0
        ? []
        : await db.rows<{ user_id: string; root_id: string; count: number | string }>(
            sql`${readers(userIds)} SELECT ${READER} AS user_id, ${t.rootId} AS root_id, count(*) AS count
              FROM reader CROSS JOIN ${t} WHERE ${open} GROUP BY ${READER}, ${t.rootId}`,
          )
    for (const { user_id, root_id, count } of counts) unread.set(keyOf(user_id, root_id), Number(count))
  }
  return (row, userId) => {
    const isOwn = row.createdBy === userId
    const at = marks.get(keyOf(userId, row.id)) ?? null
    const isRead = isOwn || at !== null
    const countUnread = row.isRoot ? (unread.get(keyOf(userId, row.id)) ?? 0) : isRead ? 0 : 1
    return view(row, { isRead, readAtMs: at, countUnread })
  }
}

export async function presentMessage(db: Db, viewer: Viewer, row: MessageRow): Promise<MessageView> {
  const [shown] = await presentMessages(db, viewer, [row])
  return shown as MessageView
}

function view(row: MessageRow, marks: { isRead: boolean; readAtMs: number | null; countUnread: number }): MessageView {
  return {
    id: row.id,
    orgId: row.orgId,
    createdBy: row.createdBy,
    senderName: row.senderName,
    senderOrgName: row.senderOrgName,
    threadId: row.isRoot ? null : row.rootId,
    recipientOrgId: row.recipientOrgId,
    recipientOrgName: row.recipientOrgName,
    recipientUserId: row.recipientUserId,
    messageType: row.messageType as MessageView['messageType'],
    channel: row.channel,
    subject: row.subject,
    content: row.content,
    priority: PRIORITIES[row.priority] ?? 'normal',
    isRead: marks.isRead,
    readAt: toIsoOrNull(marks.readAtMs),
    countUnread: marks.countUnread,
    replyCount: row.replyCount,
    lastReplyAt: row.isRoot && row.replyCount > 0 ? toIso(row.activityAtMs) : null,
    attachmentCount: row.attachmentCount,
    editedAt: toIsoOrNull(row.editedAtMs),
    deletedAt: toIsoOrNull(row.deletedAtMs),
    revision: row.revision,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
  }
}
