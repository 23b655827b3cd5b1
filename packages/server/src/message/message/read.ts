/** Mark a message as read by you. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findVisible } from '../find-visible.js'
import { AUDIT, mark } from '../read/mark.js'
import { Message, presentMessage } from '../record.js'
import { messageTables } from '../tables.js'
import { viewerOf, visible } from '../visibility.js'

export const readMessage = command({
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
