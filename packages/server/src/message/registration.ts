/** What the message domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, asc, eq, gt, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { countLive } from '../runtime/records/capacity.js'
import { exportOf, type Keyed, ownRowsAlong } from '../runtime/records/export.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { presentAttachment } from './attachment/record.js'
import { MESSAGE_CHANGES } from './changes.js'
import { PRIORITIES } from './record.js'
import { removeMessages } from './sweep/sweep.js'
import { type MessageRow, messageTables } from './tables.js'

const PAGE = 500
/** The name shown in place of an erased person. */
const NOBODY = 'Deleted user'

export const messageRegistration: DomainRegistration = {
  name: 'message',
  changes: [MESSAGE_CHANGES],
  ...exportOf(
    { messages: exportMessages, messageAttachments: exportAttachments },
    { messages: 'messages:read', messageAttachments: 'messages:read' },
  ),
  purge,
  async erase(tx, userId) {
    const { messages: t, messageReads: r, messageAttachments: a, messageEvents: e } = messageTables(tx)
    await tx.update(t).set({ senderName: NOBODY }).where(eq(t.createdBy, userId))
    await tx.delete(r).where(eq(r.userId, userId))
    await tx.delete(e).where(eq(e.userId, userId))
    await tx.delete(a).where(and(eq(a.uploadedBy, userId), isNull(a.messageId)))
  },
  usage: {
    storageBytes: countLive((db) => {
      const { messageAttachments: t, messages: m } = messageTables(db)
      return {
        table: t,
        orgId: t.orgId,
        // Attachments of deleted messages do not count towards storage, as with deleted plugins.
        where: sql`NOT EXISTS (SELECT 1 FROM ${m} AS gone WHERE gone.id = ${t.messageId} AND gone.deleted_at_ms IS NOT NULL)`,
        amount: sql`${t.sizeBytes} + ${t.thumbnailBytes}`,
      }
    }),
  },
  async *blobs(db, orgId) {
    const { messageAttachments: t } = messageTables(db)
    for (let after = ''; ; ) {
      const rows = await db
        .select({ id: t.id, blobKey: t.blobKey, thumbnailKey: t.thumbnailKey })
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.id, after)))
        .orderBy(asc(t.id))
        .limit(PAGE)
      for (const { blobKey, thumbnailKey } of rows) {
        yield blobKey
        if (thumbnailKey !== null) yield thumbnailKey
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) return
      after = last.id
    }
  },
}

/**
 * Messages that the organization wrote, and those to the organization as a whole. Messages to a single member belong to
 * that person and are left out.
 */
async function exportMessages(db: Db, orgId: string, after: string): Promise<Keyed[]> {
  const { messages: t } = messageTables(db)
  // Two queries, each with its own index: a combined query would make the database scan the messages of all
  // organizations by id.
  const page = (whose: SQL | undefined) =>
    db
      .select()
      .from(t)
      .where(and(whose, gt(t.id, after)))
      .orderBy(asc(t.id))
      .limit(PAGE)
  const sent = await page(eq(t.orgId, orgId))
  // guard: an-export-has-no-message-to-one-member
  const received = await page(and(eq(t.recipientOrgId, orgId), isNull(t.threadRecipientUserId), ne(t.orgId, orgId)))
  const both = [...sent, ...received].sort((a, b) => (a.id < b.id ? -1 : 1))
  return both.slice(0, PAGE).map((row) => ({ key: row.id, row: exported(row) }))
}

const exported = (row: MessageRow) => ({
  id: row.id,
  orgId: row.orgId,
  createdBy: row.createdBy,
  senderName: row.senderName,
  threadId: row.isRoot ? null : row.rootId,
  recipientOrgId: row.recipientOrgId,
  recipientUserId: row.recipientUserId,
  messageType: row.messageType,
  channel: row.channel,
  subject: row.subject,
  content: row.content,
  priority: PRIORITIES[row.priority] ?? 'normal',
  editedAt: toIsoOrNull(row.editedAtMs),
  deletedAt: toIsoOrNull(row.deletedAtMs),
  createdAt: toIso(row.createdAtMs),
})

async function exportAttachments(db: Db, orgId: string, after: string): Promise<Keyed[]> {
  const { messageAttachments: t } = messageTables(db)
  const rows = await ownRowsAlong(db, t, [t.createdAtMs, t.id], { orgId, after })
  return rows.map(({ key, row }) => ({ key, row: { messageId: row.messageId, ...presentAttachment(row) } }))
}

/**
 * Threads that the organization opened are deleted as a whole; in threads of others only its own replies are deleted.
 */
async function purge(tx: Tx, orgId: string, rowsMax: number): Promise<number> {
  const { messages: t, messageAttachments: a, messageEvents: e } = messageTables(tx)
  const due = await tx
    .select({ id: t.id, rootId: t.rootId, isRoot: t.isRoot })
    .from(t)
    .where(or(eq(t.orgId, orgId), eq(t.threadOrgId, orgId)))
    .limit(rowsMax)
  if (due.length > 0) {
    const gone = await removeMessages(
      tx,
      due.map(({ id }) => id),
    )
    const left = [...new Set(due.filter(({ isRoot }) => !isRoot).map(({ rootId }) => rootId))]
    if (left.length > 0) await recountAnswers(tx, left, orgId)
    return gone
  }
  const files = tx.select({ id: a.id }).from(a).where(eq(a.orgId, orgId)).limit(rowsMax)
  const pending = await tx.delete(a).where(inArray(a.id, files)).returning({ id: a.id })
  if (pending.length > 0) return pending.length
  const events = tx
    .select({ position: e.position })
    .from(e)
    .where(or(eq(e.orgId, orgId), eq(e.recipientOrgId, orgId)))
    .limit(rowsMax)
  const told = await tx.delete(e).where(inArray(e.position, events)).returning({ position: e.position })
  if (told.length > 0) return told.length
  const marks = await tx.rows(
    sql`DELETE FROM message_reads WHERE org_id = ${orgId} AND (org_id, user_id, message_id) IN (SELECT org_id, user_id, message_id FROM message_reads WHERE org_id = ${orgId} LIMIT ${rowsMax}) RETURNING message_id`,
  )
  return marks.length
}

async function recountAnswers(tx: Tx, rootIds: string[], orgId: string): Promise<void> {
  const { messages: t } = messageTables(tx)
  await tx
    .update(t)
    .set({
      replyCount: sql`(SELECT count(*) FROM messages AS answer WHERE answer.root_id = ${t.id} AND answer.id <> ${t.id} AND answer.deleted_at_ms IS NULL)`,
    })
    .where(and(inArray(t.id, rootIds), ne(t.threadOrgId, orgId)))
}
