/**
 * Deleting and restoring. Who deletes the message that opened a thread deletes the thread; restoring it brings back what went
 * with it, and not what had been deleted before. Until `purgeAfter` there is a way back.
 */
import { and, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { insufficient, notFound, Refusal } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { recordEvent } from '../event/record.js'
import { Message, presentMessage } from '../record.js'
import { dropMessageTexts, putMessageText } from '../search/search.js'
import { removeMessages } from '../sweep/sweep.js'
import { type MessageRow, messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'
import { findForChange } from './find.js'
import { reread } from './insert.js'

const DAY_MS = 86_400_000
const ACROSS = 'messages of any organization, and announcements of the system organization'

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
    // The root first: whoever answers meanwhile waits for its row, and then finds it deleted.
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

export const restoreMessage = command({
  name: 'message.message.restore',
  summary: 'Bring back a message that was deleted, with the answers that went with it',
  http: { method: 'post', path: '/messages/:id/restore' },
  access: withStepUp(permission('messages:write')),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  audit: ['message.restore'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ message: Message }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  async run(context, { path: { id } }) {
    const { tx, runtime, nowMs } = context
    const viewer = viewerOf(context)
    const row = await findDeleted(context, id)
    context.checkRevision(row.revision)
    const { messages: t } = messageTables(tx)
    if (!row.isRoot) {
      const [root] = await tx
        .select({ id: t.id })
        .from(t)
        .where(and(eq(t.id, row.rootId), isNull(t.deletedAtMs)))
      if (root === undefined) throw new Refusal('CONFLICT', 'its thread is deleted: restore that first')
    }
    const back = await tx
      .update(t)
      .set({
        deletedAtMs: null,
        deletedBy: null,
        deletionId: null,
        purgeAfterMs: null,
        updatedAtMs: nowMs,
        revision: sql`${t.revision} + 1`,
      })
      .where(and(eq(t.rootId, row.rootId), eq(t.deletionId, row.deletionId ?? '')))
      .returning()
    if (back.length === 0) throw notFound('Message')
    for (const each of back) await putMessageText(tx, each)
    if (!row.isRoot) await recount(tx, row.rootId)
    const restored = await reread(tx, id)
    await recordEvent(tx, runtime, 'new', restored)
    await context.audit('message.restore', {
      targetType: 'message',
      targetId: id,
      affectedOrgId: row.orgId,
      details: { messages: back.length },
    })
    return changed({ message: await presentMessage(tx, viewer, restored) })
  },
})

export const purgeMessage = command({
  name: 'message.message.purge',
  summary: 'Remove a deleted message for good; with the one that opened it goes the whole thread',
  http: { method: 'post', path: '/messages/:id/purge' },
  access: withStepUp(permission('messages:write')),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  audit: ['message.delete'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ id: Uuid, purged: Type.Literal(true) }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const row = await findDeleted(context, id)
    context.checkRevision(row.revision)
    const { messages: t } = messageTables(tx)
    const due = row.isRoot ? await tx.select({ id: t.id }).from(t).where(eq(t.rootId, id)) : [{ id }]
    const gone = await removeMessages(
      tx,
      due.map((each) => each.id),
    )
    if (gone === 0) throw notFound('Message')
    await context.audit('message.delete', {
      targetType: 'message',
      targetId: id,
      affectedOrgId: row.orgId,
      details: { messages: gone, reason: 'purged' },
    })
    return changed({ id, purged: true as const })
  },
})

/** What is gone is there for its author and for system administrators; for anybody else it is not. */
async function findDeleted(context: WriteContext<never>, id: string): Promise<MessageRow> {
  const { tx, nowMs, authority } = context
  const { orgId, userId } = viewerOf(context)
  const { messages: t } = messageTables(tx)
  const [found] = await tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), isNotNull(t.deletedAtMs), gt(t.purgeAfterMs, nowMs)))
  const isOwn = found?.createdBy === userId && found.orgId === orgId
  if (found === undefined || !(isOwn || authority.isSuperAdmin)) throw notFound('Message')
  return found
}

/** @throws Refusal 403 for anybody but the author and system administrators. */
function checkAuthor({ authority, principal }: WriteContext<'message.delete'>, { createdBy }: MessageRow): void {
  const isAuthor = principal.kind === 'user' && principal.userId === createdBy
  if (!isAuthor && !authority.isSuperAdmin) throw insufficient('permission', 'only its author deletes a message')
}

/** The root's live answers and its newest activity, counted anew. */
async function recount(tx: WriteContext['tx'], rootId: string): Promise<void> {
  const { messages: t } = messageTables(tx)
  const live = sql`FROM messages AS answer WHERE answer.root_id = ${rootId} AND answer.deleted_at_ms IS NULL`
  await tx
    .update(t)
    .set({
      replyCount: sql`(SELECT count(*) ${live} AND NOT answer.is_root)`,
      activityAtMs: sql`(SELECT coalesce(max(answer.created_at_ms), ${t.activityAtMs}) ${live})`,
    })
    .where(eq(t.id, rootId))
}
