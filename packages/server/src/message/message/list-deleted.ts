/**
 * `GET /messages/deleted`: messages that the caller can restore, the latest deletion first. Source: spec platform 22.
 */
import { and, eq, gt, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { Message, presentMessages } from '../record.js'
import { messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'

const list = listOf({
  key: 'messages',
  item: strictObject({ ...Message.properties, purgeAfter: Instant }),
  sortBy: ['updatedAt', 'createdAt'],
})

export const listDeletedMessages = query({
  name: 'message.message.list-deleted',
  summary: 'List the deleted messages that you wrote; a system administrator sees all that the organization wrote',
  description: 'An answer that was deleted with its thread is restored with it, and is not listed separately.',
  http: { method: 'get', path: '/messages/deleted' },
  access: permission('messages:write'),
  tenant: fromHeader,
  input: { query: list.query },
  output: list.output,
  errors: [],
  async run(context, { query: asked }) {
    const { db, nowMs, authority } = context
    const viewer = viewerOf(context)
    const { messages: t } = messageTables(db)
    const page = await list.page(db, {
      table: t,
      where: and(
        eq(t.orgId, viewer.orgId),
        // guard: whose-deleted-messages-are-listed
        authority.isSuperAdmin ? undefined : eq(t.createdBy, viewer.userId),
        isNotNull(t.deletedAtMs),
        gt(t.purgeAfterMs, nowMs),
        or(eq(t.isRoot, true), wentAlone(t.rootId, t.deletionId)),
      ),
      columns: { updatedAt: t.updatedAtMs, createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: (row) => row,
    })
    const views = await presentMessages(db, viewer, page.messages)
    const purgeAfter = new Map(page.messages.map((row) => [row.id, toIso(row.purgeAfterMs ?? 0)]))
    return { ...page, messages: views.map((view) => ({ ...view, purgeAfter: purgeAfter.get(view.id) as string })) }
  },
})

/** Excludes messages that were deleted together with the root of their thread. */
const wentAlone = (rootId: unknown, deletionId: unknown): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM messages AS opened WHERE opened.id = ${rootId} AND opened.deletion_id = ${deletionId})`
