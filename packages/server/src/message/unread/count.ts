/** Unread messages of a person. A person's own messages count as read. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { messageTables } from '../tables.js'
import { inInbox, READER, readers, type Viewer, type Viewers, viewerOf } from '../visibility.js'

/** True for a thread with a live message that the viewer has not read. */
export const unreadIn = (_db: Db, viewer: Viewers, rootId: SQLiteColumn): SQL =>
  sql`EXISTS (SELECT 1 FROM messages AS each_message WHERE each_message.root_id = ${rootId}
    AND ${unreadBy(viewer, sql`each_message`)})`

/**
 * True for a live message that the viewer has neither written nor read. The statement names the message table with this
 * alias.
 */
export const unreadBy = ({ orgId, userId }: Viewers, message: SQL): SQL =>
  sql`${message}.deleted_at_ms IS NULL AND ${message}.created_by <> ${userId}
    AND NOT EXISTS (SELECT 1 FROM message_reads AS mark WHERE mark.org_id = ${orgId}
      AND mark.user_id = ${userId} AND mark.message_id = ${message}.id)`

/** Counts the threads in the viewer's inbox with an unread message. */
export async function unreadTotal(db: Db, viewer: Viewer): Promise<number> {
  const { messages: t } = messageTables(db)
  return db.$count(t, and(inInbox(db, viewer), eq(t.isRoot, true), unreadIn(db, viewer, t.id)))
}

/** The same count for several people in one query; people without unread threads are left out. */
export async function countUnreadOf(db: Db, orgId: string, userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map()
  const { messages: t } = messageTables(db)
  const each = { orgId, userId: READER }
  const where = and(inInbox(db, each), eq(t.isRoot, true), unreadIn(db, each, t.id))
  const rows = await db.rows<{ user_id: string; count: number | string }>(
    sql`${readers(userIds)} SELECT ${READER} AS user_id, count(*) AS count FROM reader CROSS JOIN ${t} WHERE ${where} GROUP BY ${READER}`,
  )
  return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
}

export const countUnread = query({
  name: 'message.unread.count',
  summary: 'Count the threads with a message that you have not read',
  http: { method: 'get', path: '/messages/unread/count' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ count: Type.Integer() }),
  errors: [],
  run: async (context) => ({ count: await unreadTotal(context.db, viewerOf(context)) }),
})
