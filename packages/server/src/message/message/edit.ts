/** `PATCH /messages/:id`: an author can change their message within a day. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { recordEvent } from '../event/record.js'
import { findVisible } from '../find-visible.js'
import { Content, Message, presentMessage, SERVER_OWNED } from '../record.js'
import { putMessageText } from '../search/search.js'
import { messageTables } from '../tables.js'
import { isAuthor, viewerOf } from '../visibility.js'
import { reread } from './insert.js'

const EDITABLE_MS = 24 * 3_600_000

export const editMessage = command({
  name: 'message.message.edit',
  summary: 'Change a message that you wrote within the last 24 hours',
  http: { method: 'patch', path: '/messages/:id' },
  access: permission('messages:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: 'an announcement belongs to the system organization, wherever its author works from',
  audit: none('messages of a conversation are the record themselves'),
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Uuid }), body: strictObject({ content: Content }) },
  output: strictObject({ message: Message }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  async run(context, { path: { id }, body: { content } }) {
    const { tx, nowMs, runtime, authority } = context
    const viewer = viewerOf(context)
    const row = await findVisible(tx, viewer, id)
    const isOwn = isAuthor(row, viewer) || (authority.isSuperAdmin && row.createdBy === viewer.userId)
    // guard: the-author-of-what-is-changed
    if (!isOwn) throw insufficient('permission', 'only its author can change a message')
    context.checkRevision(row.revision)
    context.checkServerOwned(await presentMessage(tx, viewer, row))
    if (content === row.content) return unchanged({ message: await presentMessage(tx, viewer, row) })
    if (nowMs - row.createdAtMs > EDITABLE_MS) {
      throw new Refusal('CONFLICT', 'a message can be changed only within 24 hours: send another one')
    }
    const { messages: t } = messageTables(tx)
    const edited = await tx
      .update(t)
      .set({
        content,
        editedAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: row.revision + 1,
      })
      .where(and(eq(t.id, id), eq(t.revision, row.revision)))
      .returning({ id: t.id })
    if (edited.length === 0) throw new Refusal('CONFLICT', 'the message was changed in the meantime: read it again')
    const now = await reread(tx, id)
    await putMessageText(tx, now)
    await recordEvent(tx, runtime, 'edited', row)
    return changed({ message: await presentMessage(tx, viewer, now) })
  },
})
