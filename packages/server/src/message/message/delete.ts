/**
 * Deleting and restoring. Who deletes the message that opened a thread deletes the thread; restoring it brings back what went
 * with it, and not what had been deleted before. Until `purgeAfter` there is a way back.
 */
import { and, eq, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { insufficient, notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { recordEvent } from '../event/record.js'
import { findForChange } from '../find-visible.js'
import { dropMessageTexts } from '../search/search.js'
import { type MessageRow, messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'
import { ACROSS, recount } from './tombstone.js'

export const deleteMessage = command({
  name: 'message.message.delete',
  summary: 'Delete a message that you wrote; with the one that opened it goes the whole thread',
  http: { method: 'delete', path: '/messages/:id' },
  access: permission('messages:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  audit: ['message.delete'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ id: Uuid, deletedAt: Instant, purgeAfter: Instant }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, nowMs, runtime, authority } = context
    const viewer = viewerOf(context)
    const row = await findForChange(tx, viewer, authority, id)
    checkAuthor(context, row)
    context.checkRevision(row.revision)
    const purgeAfterMs = nowMs + runtime.settings.SOFT_DELETE_RETENTION_DAYS * DAY_MS
    const { messages: t } = messageTables(tx)
    const gone = {
      deletedAtMs: nowMs,
      deletedBy: viewer.userId,
      deletionId: runtime.ids.next(),
      purgeAfterMs,
      updatedAtMs: nowMs,
      revision: sql`${t.revision} + 1`,
    }
    // The root first: anyone who answers meanwhile waits for its row, and then finds it deleted.
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
    return changed({ id, deletedAt: toIso(nowMs), purgeAfter: toIso(purgeAfterMs) })
  },
})

/** @throws Refusal 403 for anybody but the author and system administrators. */
function checkAuthor({ authority, principal }: WriteContext<'message.delete'>, { createdBy }: MessageRow): void {
  const isAuthor = principal.kind === 'user' && principal.userId === createdBy
  // guard: the-author-of-what-is-deleted
  if (!isAuthor && !authority.isSuperAdmin) throw insufficient('permission', 'only its author deletes a message')
}
