/** Writes a message with its event and links its attachments, in the transaction of the caller. */

import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import type { Tx } from '../../runtime/store/db.js'
import { linkAttachments } from '../attachment/link.js'
import { recordEvent } from '../event/record.js'
import type { Priority } from '../record.js'
import { rankOf } from '../record.js'
import { putMessageText } from '../search/search.js'
import { type MessageRow, messageTables } from '../tables.js'

/** The sender, and the organization for which they write. */
export interface Sender {
  readonly orgId: string
  readonly orgName: string
  /** A user id, `service:<name>` or `system`. */
  readonly id: string
  readonly name: string
}

export interface Recipient {
  readonly orgId: string
  readonly orgName: string
  readonly userId: string | null
}

export interface Draft {
  readonly sender: Sender
  readonly recipient: Recipient
  readonly subject: string
  readonly content: string
  readonly priority: Priority
  readonly channel: string | null
  readonly announcementId?: string
  /** The message that opened the thread; absent for a message that opens one. */
  readonly root?: MessageRow
  readonly attachmentIds: readonly string[]
}

/** @throws Refusal 400 for an attachment that cannot be linked; nothing is sent then. */
export async function insertMessage(tx: Tx, runtime: Runtime, draft: Draft): Promise<MessageRow> {
  const { sender, recipient, root, subject, content } = draft
  const { messages: t } = messageTables(tx)
  const id = runtime.ids.next()
  const nowMs = runtime.clock.now()
  const row: MessageRow = {
    id,
    orgId: sender.orgId,
    recipientOrgId: recipient.orgId,
    recipientUserId: recipient.userId,
    rootId: root?.id ?? id,
    isRoot: root === undefined,
    threadOrgId: root?.threadOrgId ?? sender.orgId,
    threadRecipientOrgId: root?.threadRecipientOrgId ?? recipient.orgId,
    threadRecipientUserId: root === undefined ? recipient.userId : root.threadRecipientUserId,
    announcementId: draft.announcementId ?? null,
    createdBy: sender.id,
    senderName: sender.name,
    senderOrgName: sender.orgName,
    recipientOrgName: recipient.orgName,
    messageType: recipient.orgId === '*' ? 'announcement' : 'conversation',
    channel: draft.channel,
    subject,
    subjectKey: nameKey(subject),
    content,
    priority: rankOf(draft.priority),
    replyCount: 0,
    activityAtMs: nowMs,
    attachmentCount: draft.attachmentIds.length,
    revision: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    editedAtMs: null,
    ...NOT_DELETED,
    deletionId: null,
  }
  await tx.insert(t).values(row)
  await putMessageText(tx, row)
  await linkAttachments(tx, row, draft.attachmentIds)
  await recordEvent(tx, runtime, 'new', row)
  return row
}

/** Reads the row again in the transaction that changed it. */
export async function reread(tx: Tx, id: string): Promise<MessageRow> {
  const { messages: t } = messageTables(tx)
  const [row] = await tx.select().from(t).where(eq(t.id, id))
  if (row === undefined) throw new Error('a message that was changed is not there')
  return row
}
