/** The inbox, and its two halves. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, type Operation, query } from '../../runtime/operation/operation.js'
import { narrowed } from '../../runtime/store/index-table-filters.js'
import { CHANNEL, Message, oneOf, PRIORITIES, type Priority, presentMessages, rankOf } from '../record.js'
import { matchMessages } from '../search/search.js'
import { type MessageRow, messageTables } from '../tables.js'
import { unreadIn } from '../unread/count.js'
import { inInbox, type Viewer, viewerOf, visible } from '../visibility.js'

const filters = {
  priority: Type.Optional(oneOf(PRIORITIES)),
  channel: Type.Optional(
    Type.String({ pattern: CHANNEL, 'x-says': 'must be 1 to 50 lower-case letters, digits, underscores and hyphens' }),
  ),
  isRead: Type.Optional(Type.Boolean({ description: '`false`: threads with a message that you have not read' })),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the subject, the content or an answer, ignoring case',
    }),
  ),
  recipientUserId: Type.Optional(oneOf(['me'], { description: 'To you alone' })),
  scope: Type.Optional(
    oneOf(['own', 'all'], {
      default: 'own',
      description: '`all`, in the system organization: every conversation that it can see, not only its own',
    }),
  ),
}
const shape = { key: 'messages', item: Message, sortBy: ['lastReplyAt', 'createdAt', 'subject', 'priority'] } as const
const halfList = listOf({ ...shape, filters })
const inboxList = listOf({
  ...shape,
  filters: { messageType: Type.Optional(oneOf(['announcement', 'conversation'])), ...filters },
})

interface Asked extends PageQuery {
  readonly messageType?: string
  readonly priority?: Priority
  readonly channel?: string
  readonly isRead?: boolean
  readonly search?: string
  readonly recipientUserId?: 'me'
  readonly scope?: 'own' | 'all'
}

export const listInbox = query({
  name: 'message.inbox.list',
  summary: 'List the messages that opened a thread, the newest activity first',
  http: { method: 'get', path: '/messages' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: { query: inboxList.query },
  output: inboxList.output,
  errors: [],
  run: (context, { query: asked }) => page(context, asked),
})

interface Half {
  readonly name: Operation['name']
  readonly type: 'announcement' | 'conversation'
}

export const halfOfInbox = ({ name, type }: Half) =>
  query({
    name,
    summary: `List the ${type}s, like the inbox`,
    http: { method: 'get', path: `/messages/${type}s` },
    access: permission('messages:read'),
    tenant: fromHeader,
    input: { query: halfList.query },
    output: halfList.output,
    errors: [],
    run: (context, { query: asked }) => page(context, { ...asked, messageType: type }),
  })

async function page(context: ReadContext, asked: Asked) {
  const { db } = context
  const viewer = viewerOf(context)
  const { messages: t } = messageTables(db)
  const isEverything = asked.scope === 'all' && viewer.orgId === SYSTEM_ORG_ID
  const found =
    asked.search === undefined
      ? []
      : [await matchMessages(db, t.id, { orgId: viewer.orgId, isEverything, text: asked.search })]
  const listed = await halfList.page(db, {
    table: t,
    where: narrowed(db, where(db, viewer, asked), found),
    columns: { lastReplyAt: t.activityAtMs, createdAt: t.createdAtMs, subject: t.subjectKey, priority: t.priority },
    id: t.id,
    query: asked,
    present: (row: MessageRow) => row,
  })
  return { ...listed, messages: await presentMessages(db, viewer, listed.messages) }
}

function where(db: ReadContext['db'], viewer: Viewer, asked: Asked): SQL | undefined {
  const { messages: t } = messageTables(db)
  const unread = unreadIn(db, viewer, t.id)
  return and(
    // guard: whose-threads-a-short-search-finds
    asked.scope === 'all' ? visible(db, viewer) : inInbox(db, viewer),
    eq(t.isRoot, true),
    equals(t.messageType, asked.messageType),
    asked.priority === undefined ? undefined : eq(t.priority, rankOf(asked.priority)),
    equals(t.channel, asked.channel),
    asked.recipientUserId === undefined ? undefined : eq(t.recipientUserId, viewer.userId),
    asked.isRead === undefined ? undefined : asked.isRead ? sql`NOT ${unread}` : unread,
  )
}
