/** Shared by deleting, restoring and purging messages. */
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { notFound } from '../../runtime/errors.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { type MessageRow, messageTables } from '../tables.js'
import { isAuthor, viewerOf } from '../visibility.js'

export const ACROSS = 'messages of any organization, and announcements of the system organization'

/**
 * A deleted message can be found only by its author and by system administrators; for any other caller it does not
 * exist.
 */
export async function findDeleted(context: WriteContext<never>, id: string): Promise<MessageRow> {
  const { tx, nowMs, authority } = context
  const viewer = viewerOf(context)
  const { messages: t } = messageTables(tx)
  // guard: the-time-in-which-what-is-deleted-comes-back
  const [found] = await tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), isNotNull(t.deletedAtMs), gt(t.purgeAfterMs, nowMs)))
  // guard: who-brings-back-and-purges-what-is-deleted
  if (found === undefined || !(isAuthor(found, viewer) || authority.isSuperAdmin)) throw notFound('Message')
  return found
}

/** Counts the live replies of a root again, and updates its latest activity. */
export async function recount(tx: WriteContext['tx'], rootId: string): Promise<void> {
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
