/** Gives uploaded files to the message that is being sent. */
import { and, eq, isNull } from 'drizzle-orm'
import { type FieldIssue, invalid } from '../../runtime/errors.js'
import type { Tx } from '../../runtime/store/db.js'
import { type MessageRow, messageTables } from '../tables.js'

/**
 * Each once: the first message that links a file has it.
 * @throws Refusal 400 that names each id which is unknown, another's or used; the message is not sent then.
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
          // Those of an announcement are uploaded in the system organization, which sends it.
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
        message: 'is not an upload of yours that waits',
        code: 'attachment',
      })
    }
  }
  if (issues.length > 0) throw invalid(issues)
}
