/** The files of messages. */
import { asc, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { findVisible } from '../find-visible.js'
import { type AttachmentRow, messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'
import { Attachment, presentAttachment } from './record.js'

/** The attachments of messages that the caller has already found to be visible. */
export async function attachmentsOf(db: Db, messageIds: readonly string[]): Promise<AttachmentRow[]> {
  if (messageIds.length === 0) return []
  const { messageAttachments: t } = messageTables(db)
  return db
    .select()
    .from(t)
    .where(inArray(t.messageId, [...messageIds]))
    .orderBy(asc(t.messageId), asc(t.position))
}

export const listAttachments = query({
  name: 'message.attachment.list',
  summary: 'List the attachments of a message',
  http: { method: 'get', path: '/messages/:id/attachments' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ attachments: Type.Array(Attachment) }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path: { id } }) {
    const message = await findVisible(db, viewerOf(context), id)
    return { attachments: (await attachmentsOf(db, [message.id])).map(presentAttachment) }
  },
})
