/** What a person has not read yet. A message that they wrote themselves is read. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { messageTables } from '../tables.js'
import { inInbox, type Viewer, viewerOf } from '../visibility.js'

/** True for a thread with a live message that the viewer has not read. */
export const unreadIn = (_db: Db, viewer: Viewer, rootId: SQLiteColumn): SQL =>
  sql`EXISTS (SELECT 1 FROM messages AS each_message WHERE each_message.root_id = ${rootId}
    AND each_message.deleted_at_ms IS NULL AND each_message.created_by <> ${viewer.userId}
    AND NOT EXISTS (SELECT 1 FROM message_reads AS mark WHERE mark.org_id = ${viewer.orgId}
      AND mark.user_id = ${viewer.userId} AND mark.message_id = each_message.id))`

/** Threads of the viewer's inbox with something unread. */
export async function countUnread(db: Db, viewer: Viewer): Promise<number> {
  const { messages: t } = messageTables(db)
  return db.$count(t, and(inInbox(db, viewer), eq(t.isRoot, true), unreadIn(db, viewer, t.id)))
}

export const unreadCount = query({
  name: 'message.unread.count',
  summary: 'Count the threads with a message that you have not read',
  http: { method: 'get', path: '/messages/unread/count' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ count: Type.Integer() }),
  errors: [],
  run: async (context) => ({ count: await countUnread(context.db, viewerOf(context)) }),
})
