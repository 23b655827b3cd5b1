/** Finds a message by its id, for a viewer who may see it. */
import { and, eq, isNull } from 'drizzle-orm'
import { notFound } from '../runtime/errors.js'
import type { Authority } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { type MessageRow, messageTables } from './tables.js'
import { type Viewer, visible } from './visibility.js'

/** @throws Refusal 404, also for a message that the viewer may not see. */
export async function findVisible(db: Db, viewer: Viewer, id: string): Promise<MessageRow> {
  const { messages: t } = messageTables(db)
  // guard: a-message-by-id
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), visible(db, viewer)))
  if (row === undefined) throw notFound('Message')
  return row
}

/** Like `findVisible`; a system administrator finds any live message, no matter who sent it to whom. */
export async function findForChange(
  db: Db,
  viewer: Viewer,
  { isSuperAdmin }: Authority,
  id: string,
): Promise<MessageRow> {
  if (!isSuperAdmin) return findVisible(db, viewer, id)
  const { messages: t } = messageTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isNull(t.deletedAtMs)))
  if (row === undefined) throw notFound('Message')
  return row
}
