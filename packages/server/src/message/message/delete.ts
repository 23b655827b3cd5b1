/**
 * Deletes a message. Deleting the message that opened a thread deletes the whole thread. Restoring it restores the
 * messages that were deleted with it, and none that was deleted before. A message can be restored until `purgeAfter`.
 */

import { and, eq, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Deleted, deletedNow, deletedView } from '../../runtime/records/soft-delete.js'
import { recordEvent } from '../event/record.js'
import { findForChange } from '../find-visible.js'
import { dropMessageTexts } from '../search/search.js'
import { messageTables } from '../tables.js'
import { isAuthor, viewerOf } from '../visibility.js'
import { ACROSS, recount } from './tombstone.js'

export const deleteMessage = command({
  name: 'message.message.delete',
  summary: 'Delete a message that you wrote; deleting the first message of a thread deletes the whole thread',
  http: { method: 'delete', path: '/messages/:id' },
  access: permission('messages:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  audit: ['message.delete'],
  input: { path: Type.Object({ id: Uuid }) },
  output: Deleted,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs, runtime, authority } = context
    const viewer = viewerOf(context)
    const row = await findForChange(tx, viewer, authority, id)
    // guard: the-author-of-what-is-deleted
    if (!isAuthor(row, viewer) && !authority.isSuperAdmin)
      throw insufficient('permission', 'only its author can delete a message')
    context.checkRevision(row.revision)
    const tombstone = deletedNow(context)
    const { messages: t } = messageTables(tx)
    const gone = {
      ...tombstone,
      deletionId: runtime.ids.next(),
      updatedAtMs: nowMs,
      revision: sql`${t.revision} + 1`,
    }
    // The root is updated first: a concurrent reply waits for its row lock, and then finds it deleted.
    const own = await tx
      .update(t)
      .set(gone)
      .where(and(eq(t.id, id), isNull(t.deletedAtMs)))
      .returning({ id: t.id })
    if (own.length === 0) throw notFound('Message')
    const answers = row.isRoot
      ? await tx
          .update(t)
          .set(gone)
          .where(and(eq(t.rootId, id), isNull(t.deletedAtMs)))
          .returning({ id: t.id })
      : []
    await dropMessageTexts(
      tx,
      [...own, ...answers].map((each) => each.id),
    )
    if (!row.isRoot) await recount(tx, row.rootId)
    await recordEvent(tx, runtime, 'deleted', row)
    await context.audit('message.delete', {
      targetType: 'message',
      targetId: id,
      affectedOrgId: row.orgId,
      details: { messages: 1 + answers.length },
    })
    return changed(deletedView(id, row.isRoot ? 'the conversation' : 'the message', tombstone))
  },
})
