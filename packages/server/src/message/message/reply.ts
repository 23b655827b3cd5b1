/**
 * `POST /messages/:id/reply`: adds a reply to a thread. A reply to an announcement goes to a private conversation
 * between the replying organization and the system organization: the first reply opens it, and later ones continue it.
 */
import { and, eq, isNull, sql } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, invalidField, notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { AttachmentIds } from '../attachment/record.js'
import { findVisible } from '../find-visible.js'
import { Content, Message, PRIORITIES, presentMessage } from '../record.js'
import { type MessageRow, messageTables } from '../tables.js'
import { EVERYBODY, type Viewer, viewerOf } from '../visibility.js'
import { type Draft, insertMessage, type Recipient } from './insert.js'
import { senderOf } from './send.js'

const SUBJECT_MAX = 500

export const replyMessage = command({
  name: 'message.message.reply',
  summary: 'Answer the message that opened a thread',
  description:
    'It goes to the other side. An answer to an announcement is private: a conversation between your organization and the system organization.',
  http: { method: 'post', path: '/messages/:id/reply', status: 201 },
  access: permission('messages:write'),
  tenant: fromHeader,
  audit: none('messages of a conversation are the record themselves'),
  idempotent: true,
  rateLimit: 'message-send',
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject({ content: Content, attachmentIds: AttachmentIds }),
  },
  output: strictObject({ message: Message }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime } = context
    const viewer = viewerOf(context)
    const answered = await findVisible(tx, viewer, id)
    if (!answered.isRoot) {
      throw invalidField('/path/id', 'is itself an answer: answer the first message of its thread', 'reply')
    }
    const isAnnouncement = answered.recipientOrgId === EVERYBODY
    const root = isAnnouncement ? await conversationAbout(context, viewer, answered) : answered
    const row = await insertMessage(tx, runtime, {
      ...(await draftOf(context, viewer, answered, root)),
      content: body.content,
      attachmentIds: body.attachmentIds ?? [],
    })
    if (root !== null) await grow(context, root)
    return changed({ message: await presentMessage(tx, viewer, row) })
  },
})

async function draftOf(
  context: WriteContext<never>,
  viewer: Viewer,
  answered: MessageRow,
  root: MessageRow | null,
): Promise<Omit<Draft, 'content' | 'attachmentIds'>> {
  const sender = await senderOf(context, SYSTEM_ORG_ID)
  const { channel } = answered
  const priority = PRIORITIES[answered.priority] ?? 'normal'
  if (root !== null)
    return { sender, recipient: otherSide(root, viewer), subject: root.subject, channel, priority, root }
  return {
    sender,
    recipient: { orgId: SYSTEM_ORG_ID, orgName: answered.senderOrgName, userId: null },
    subject: `Re: ${answered.subject}`.slice(0, SUBJECT_MAX),
    channel,
    priority: 'normal',
    announcementId: answered.id,
  }
}

/** @throws Refusal 403 for the system organization in a conversation that it sees but is not a side of. */
function otherSide(root: MessageRow, { orgId }: Viewer): Recipient {
  if (orgId === root.threadOrgId) {
    return { orgId: root.recipientOrgId, orgName: root.recipientOrgName, userId: root.recipientUserId }
  }
  // guard: the-sides-of-a-conversation
  if (orgId !== root.threadRecipientOrgId) {
    throw insufficient('permission', 'only the two sides of a conversation can answer in it')
  }
  return { orgId: root.threadOrgId, orgName: root.senderOrgName, userId: null }
}

/**
 * The organization's conversation about the announcement, if there is one. The organization's row is locked, so that
 * concurrent replies open only one.
 */
async function conversationAbout({ tx }: WriteContext<never>, { orgId }: Viewer, { id }: MessageRow) {
  await lockRow(tx, 'organizations', orgId)
  const { messages: t } = messageTables(tx)
  const [row] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.announcementId, id), isNull(t.deletedAtMs)))
  return row ?? null
}

/** Updates the root after the reply was inserted. A thread that was deleted meanwhile accepts no reply. */
async function grow({ tx, nowMs }: WriteContext<never>, { id }: MessageRow): Promise<void> {
  const { messages: t } = messageTables(tx)
  const grown = await tx
    .update(t)
    .set({ replyCount: sql`${t.replyCount} + 1`, activityAtMs: nowMs })
    .where(and(eq(t.id, id), isNull(t.deletedAtMs)))
    .returning({ id: t.id })
  if (grown.length === 0) throw notFound('Message')
}
