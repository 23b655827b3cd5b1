/** Get the thread of a message: its root first, then the replies in order. */
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { countRows } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Pagination, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { attachmentsOf } from '../attachment/list.js'
import { Attachment, presentAttachment } from '../attachment/record.js'
import { findVisible } from '../find-visible.js'
import { Message, presentMessages } from '../record.js'
import { messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'

const THREAD_MAX = 200

const ThreadMessage = strictObject({ ...Message.properties, attachments: Type.Array(Attachment) })

export const getThread = query({
  name: 'message.thread.get',
  summary: 'Get the thread of a message: the first message, then the answers in order',
  http: { method: 'get', path: '/messages/:id/thread' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: THREAD_MAX,
          'x-clamp': true,
          default: THREAD_MAX,
          description: 'Messages a page',
        }),
      ),
      offset: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          'x-clamp': true,
          description: 'Messages to skip',
        }),
      ),
      sortBy: Type.Optional(Type.Enum(['createdAt'])),
      sortOrder: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' })),
    }),
  },
  output: strictObject({ messages: Type.Array(ThreadMessage), pagination: Pagination }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, query: { limit = THREAD_MAX, offset = 0, sortOrder } }) {
    const { db } = context
    const viewer = viewerOf(context)
    const { rootId } = await findVisible(db, viewer, id)
    const { messages: t } = messageTables(db)
    // A viewer who may see one message of a thread may see all of them.
    const where = and(eq(t.rootId, rootId), isNull(t.deletedAtMs))
    const total = await countRows(db, t, where, Number.MAX_SAFE_INTEGER)
    const towards = sortOrder === 'desc' ? desc : asc
    const rows = await db
      .select()
      .from(t)
      .where(where)
      .orderBy(towards(t.createdAtMs), towards(t.id))
      .limit(limit)
      .offset(offset)
    const attachments = await attachmentsOf(
      db,
      rows.map((row) => row.id),
    )
    const views = await presentMessages(db, viewer, rows)
    return {
      messages: views.map((view) => ({
        ...view,
        attachments: attachments.filter(({ messageId }) => messageId === view.id).map(presentAttachment),
      })),
      pagination: { total, limit, offset, hasMore: offset + rows.length < total },
    }
  },
})
