/** Read marks: one message, one thread, everything in the inbox. A mark is the reader's own, and setting it again changes nothing. */
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { recordRead } from '../event/record.js'
import { findVisible } from '../message/find.js'
import { Message, presentMessage } from '../record.js'
import { messageTables } from '../tables.js'
import { inInbox, type Viewer, viewerOf, visible } from '../visibility.js'

const AUDIT = none('read marks')
const Marked = strictObject({ marked: Type.Integer({ description: 'Messages that were unread before' }) })

export const markRead = command({
  name: 'message.message.read',
  summary: 'Mark a message as read by you',
  http: { method: 'put', path: '/messages/:id/read' },
  access: permission('messages:read'),
  tenant: fromHeader,
  audit: AUDIT,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ message: Message }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const viewer = viewerOf(context)
    const row = await findVisible(tx, viewer, id)
    context.checkRevision(row.revision)
    const { messages: t } = messageTables(tx)
    const marked = await mark(context, viewer, and(eq(t.id, id), visible(tx, viewer)))
    const message = await presentMessage(tx, viewer, row)
    return marked > 0 ? changed({ message }) : unchanged({ message })
  },
})

export const markThreadRead = command({
  name: 'message.thread.read',
  summary: 'Mark every message of a thread as read by you',
  http: { method: 'put', path: '/messages/:id/thread/read' },
  access: permission('messages:read'),
  tenant: fromHeader,
  audit: AUDIT,
  input: { path: Type.Object({ id: Uuid }) },
  output: Marked,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const viewer = viewerOf(context)
    const row = await findVisible(tx, viewer, id)
    context.checkRevision(row.revision)
    const { messages: t } = messageTables(tx)
    const marked = await mark(context, viewer, and(eq(t.rootId, row.rootId), visible(tx, viewer)))
    return marked > 0 ? changed({ marked }) : unchanged({ marked })
  },
})

export const markAllRead = command({
  name: 'message.inbox.read',
  summary: 'Mark every message of your inbox as read by you',
  http: { method: 'put', path: '/messages/read-all' },
  access: permission('messages:read'),
  tenant: fromHeader,
  audit: AUDIT,
  input: {},
  output: Marked,
  errors: [],
  async run(context) {
    const viewer = viewerOf(context)
    const marked = await mark(context, viewer, inInbox(context.tx, viewer))
    return marked > 0 ? changed({ marked }) : unchanged({ marked })
  },
})

/** One statement for however many. @returns how many were unread. */
async function mark(
  { tx, runtime, nowMs }: WriteContext<never>,
  viewer: Viewer,
  which: SQL | undefined,
): Promise<number> {
  const { messages: t, messageReads: r } = messageTables(tx)
  const { orgId, userId } = viewer
  const marked = await tx.rows(sql`INSERT INTO ${r} (org_id, user_id, message_id, read_at_ms)
    SELECT CAST(${orgId} AS text), CAST(${userId} AS text), ${t.id}, CAST(${nowMs} AS bigint) FROM ${t}
    WHERE ${and(which, ne(t.createdBy, userId))}
    AND NOT EXISTS (SELECT 1 FROM message_reads AS mark WHERE mark.org_id = ${orgId} AND mark.user_id = ${userId} AND mark.message_id = ${t.id})
    ON CONFLICT DO NOTHING RETURNING message_id`)
  if (marked.length > 0) await recordRead(tx, runtime, viewer)
  return marked.length
}
