/** A message as its readers see it. */
import { and, eq, inArray, isNull, ne, notExists, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../runtime/operation/schema.js'
import type { Db } from '../runtime/store/db.js'
import { type MessageRow, messageTables } from './tables.js'
import type { Viewer } from './visibility.js'

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
  'x-says': 'must hold more than spaces',
})
export const Content = Type.String({
  minLength: 1,
  maxLength: 32_768,
  pattern: '\\S',
  'x-says': 'must hold more than spaces',
})

export const Message = strictObject({
  id: Uuid,
  orgId: Type.String({ description: 'The organization of the sender' }),
  createdBy: Type.String(),
  senderName: Type.String(),
  senderOrgName: Type.String(),
  threadId: nullable(Type.String({ description: 'The message that opened the thread; null for that one itself' })),
  recipientOrgId: Type.String({ description: '`*` for everybody' }),
  recipientOrgName: Type.String(),
  recipientUserId: nullable(Type.String({ description: 'The one member who sees it there' })),
  messageType: oneOf(['announcement', 'conversation']),
  channel: nullable(Type.String()),
  subject: Type.String(),
  content: Type.String(),
  priority: oneOf(PRIORITIES),
  isRead: Type.Boolean({ description: 'By the caller, who has read what they wrote themselves' }),
  readAt: nullable(Instant),
  unreadCount: Type.Integer({ description: 'Of a thread, messages that the caller has not read; of a reply 0 or 1' }),
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

/** What the server sets: a client may send it back with an edit. */
export const SERVER_OWNED = Object.keys(Message.properties).filter((name) => name !== 'content')

/** The viewer's own marks on these messages. */
export async function presentMessages(db: Db, viewer: Viewer, rows: readonly MessageRow[]): Promise<MessageView[]> {
  if (rows.length === 0) return []
  const { messages: t, messageReads: r } = messageTables(db)
  const mine = and(eq(r.orgId, viewer.orgId), eq(r.userId, viewer.userId))
  const marks = await db
    .select({ id: r.messageId, readAtMs: r.readAtMs })
    .from(r)
    .where(
      and(
        mine,
        inArray(
          r.messageId,
          rows.map(({ id }) => id),
        ),
      ),
    )
  const readAt = new Map(marks.map(({ id, readAtMs }) => [id, readAtMs]))
  const roots = rows.filter(({ isRoot }) => isRoot).map(({ id }) => id)
  const unread =
    roots.length === 0
      ? []
      : await db
          .select({ rootId: t.rootId, count: sql<number | string>`count(*)` })
          .from(t)
          .where(
            and(
              inArray(t.rootId, roots),
              isNull(t.deletedAtMs),
              ne(t.createdBy, viewer.userId),
              notExists(
                db
                  .select({ one: sql`1` })
                  .from(r)
                  .where(and(mine, eq(r.messageId, t.id))),
              ),
            ),
          )
          .groupBy(t.rootId)
  const unreadOf = new Map(unread.map(({ rootId, count }) => [rootId, Number(count)]))
  return rows.map((row) => {
    const isOwn = row.createdBy === viewer.userId
    const at = readAt.get(row.id) ?? null
    const isRead = isOwn || at !== null
    return view(row, { isRead, readAtMs: at, unreadCount: row.isRoot ? (unreadOf.get(row.id) ?? 0) : isRead ? 0 : 1 })
  })
}

export async function presentMessage(db: Db, viewer: Viewer, row: MessageRow): Promise<MessageView> {
  const [shown] = await presentMessages(db, viewer, [row])
  return shown as MessageView
}

function view(row: MessageRow, marks: { isRead: boolean; readAtMs: number | null; unreadCount: number }): MessageView {
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
    unreadCount: marks.unreadCount,
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
