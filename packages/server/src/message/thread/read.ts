/** Mark every message of a thread as read by you. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { findVisible } from '../find-visible.js'
import { AUDIT, Marked, mark } from '../read/mark.js'
import { messageTables } from '../tables.js'
import { viewerOf, visible } from '../visibility.js'

export const readThread = command({
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
