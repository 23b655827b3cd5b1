/** Attaches uploaded files to the message that is being sent. */
import { and, eq, isNull } from 'drizzle-orm'
import { type FieldIssue, invalid } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { type MessageRow, messageTables } from '../tables.js'

/**
 * A file can be attached once: to the first message that names it.
 * @throws Refusal 400 that names each id that is unknown, used, or uploaded by another person; the message is not sent
 * then.
 */
export async function linkAttachments(tx: Tx, message: MessageRow, ids: readonly string[]): Promise<void> {
  const { messageAttachments: t } = messageTables(tx)
  const issues: FieldIssue[] = []
  for (const [position, id] of ids.entries()) {
    const linked = await tx
      .update(t)
      .set({ messageId: message.id, recipientOrgId: message.recipientOrgId, position })
      .where(
        and(
          eq(t.id, id),
          // Files of an announcement are uploaded in the system organization, which sends it.
          eq(t.orgId, message.orgId),
          // guard: whose-upload-is-linked
          eq(t.uploadedBy, message.createdBy),
          isNull(t.messageId),
        ),
      )
      .returning({ id: t.id })
    if (linked.length === 0) {
      issues.push({
        path: `/body/attachmentIds/${position}`,
        message: 'is not one of your pending uploads',
        code: 'attachment',
      })
    }
  }
  if (issues.length > 0) throw invalid(issues)
}
