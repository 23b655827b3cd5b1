/** Restore a deleted message, with the replies that were deleted together with it. */

import { and, eq, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { recordEvent } from '../event/record.js'
import { Message, presentMessage } from '../record.js'
import { putMessageText } from '../search/search.js'
import { type MessageRow, messageTables } from '../tables.js'
import { viewerOf } from '../visibility.js'
import { reread } from './insert.js'
import { ACROSS, findDeleted, recount } from './tombstone.js'

export const restoreMessage = command({
  name: 'message.message.restore',
  summary: 'Restore a deleted message, with the answers that were deleted with it',
  http: { method: 'post', path: '/messages/:id/restore' },
  access: withStepUp(permission('messages:write')),
  tenant: fromHeader,
  acrossOrganizations: `${ACROSS}; the bytes of its files are counted over the teams of the account`,
  audit: ['message.restore'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ message: Message }),
  errors: ['CONFLICT', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
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
    // guard: the-files-of-a-restored-message-take-room-again
    await takeRoom(context, row)
    const back = await tx
      .update(t)
      .set({
        ...NOT_DELETED,
        deletionId: null,
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

/** The files of deleted messages do not count: those that come back take their bytes again, each of its organization. */
async function takeRoom({ tx, runtime }: WriteContext, { rootId, deletionId }: MessageRow): Promise<void> {
  const { messages: t, messageAttachments: a } = messageTables(tx)
  const rooms = await tx
    .select({ orgId: a.orgId, bytes: sql<number>`sum(${a.sizeBytes} + ${a.thumbnailBytes})` })
    .from(a)
    .innerJoin(t, eq(t.id, a.messageId))
    .where(and(eq(t.rootId, rootId), eq(t.deletionId, deletionId ?? '')))
    .groupBy(a.orgId)
    .orderBy(a.orgId)
  for (const { orgId, bytes } of rooms) await capacityOf(runtime).take(tx, orgId, 'storageBytes', Number(bytes))
}
