/**
 * `POST /messages`: sends a message to another organization of the account or to support, or an announcement to every
 * organization.
 */
import Type from 'typebox'
import { findOrganization, isActiveMember, usernameOf } from '../../identity/index.js'
import { type FieldIssue, insufficient, invalid } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { either, permission, scope } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Tx } from '../../runtime/store/db.js'
import { AttachmentIds } from '../attachment/record.js'
import { CHANNEL, Content, Message, oneOf, PRIORITIES, presentMessage, Subject } from '../record.js'
import { EVERYBODY } from '../visibility.js'
import { insertMessage, type Recipient, type Sender } from './insert.js'

export const sendMessage = command({
  name: 'message.message.send',
  summary: 'Send a message to an organization, one of its members, or everybody',
  description:
    'Recipients are your own organization, the other organizations of its account, and the system organization (`system`, `support`, `help`). Only system administrators can write to any organization, and to everybody (`*`, an announcement).',
  http: { method: 'post', path: '/messages', status: 201 },
  access: either(permission('messages:write'), scope('messages:notify')),
  tenant: fromHeader,
  acrossOrganizations: 'the recipient is another organization, whose name and members are looked up',
  audit: ['message.announcement.create'],
  silentWhen: 'it is a message of a conversation',
  idempotent: true,
  rateLimit: 'message-send',
  input: {
    body: strictObject({
      recipientOrgId: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^(\\*|[A-Za-z0-9_-]+)$',
        'x-says': 'must be the id of an organization, `*`, or a name of support',
        description: 'An id, `*` for everybody, or a name of support',
        examples: ['support'],
      }),
      recipientUserId: Type.Optional(
        Type.Unsafe<string>({
          ...Uuid,
          description:
            'An active member of that organization, the only one there who can see it. In the sending organization all members can see it. Not for an announcement',
        }),
      ),
      messageType: Type.Optional(
        oneOf(['announcement', 'conversation'], { description: 'Follows from the recipient' }),
      ),
      subject: Subject,
      content: Content,
      priority: Type.Optional(oneOf(PRIORITIES, { default: 'normal' })),
      channel: Type.Optional(
        Type.String({
          pattern: CHANNEL,
          'x-says': 'must be 1 to 50 lower-case letters, digits, underscores and hyphens',
          description: 'Groups messages of one kind',
        }),
      ),
      attachmentIds: AttachmentIds,
    }),
  },
  output: strictObject({ message: Message }),
  errors: [],
  async run(context, { body }) {
    const { tx, runtime, authority } = context
    const to = orgIdNamed(body.recipientOrgId, runtime.settings.SUPPORT_ALIASES)
    const issues = mismatches(body, to === EVERYBODY)
    if (issues.length > 0) throw invalid(issues)
    if (to === EVERYBODY && !authority.isSuperAdmin) {
      throw insufficient('system-admin', 'announcements are for system administrators')
    }
    const sender = await senderOf(context, to)
    const recipient = await recipientOf(context, to, body.recipientUserId ?? null)
    const row = await insertMessage(tx, runtime, {
      sender,
      recipient,
      subject: body.subject,
      content: body.content,
      priority: body.priority ?? 'normal',
      channel: body.channel ?? null,
      attachmentIds: body.attachmentIds ?? [],
    })
    if (row.messageType === 'announcement') {
      await context.audit('message.announcement.create', {
        targetType: 'message',
        targetId: row.id,
        details: { subject: row.subject, priority: body.priority ?? 'normal' },
      })
    }
    return changed({ message: await presentMessage(tx, { orgId: sender.orgId, userId: sender.id }, row) })
  },
})

const orgIdNamed = (named: string, aliases: readonly string[]): string => {
  const name = named.toLowerCase()
  return name === 'system' || aliases.includes(name) ? SYSTEM_ORG_ID : name
}

function mismatches(
  body: { readonly messageType?: string; readonly recipientUserId?: string },
  isToAll: boolean,
): FieldIssue[] {
  const issues: FieldIssue[] = []
  if (body.messageType === 'announcement' && !isToAll) {
    issues.push({ path: '/body/messageType', message: 'an announcement goes to `*`', code: 'message_type' })
  }
  if (body.messageType === 'conversation' && isToAll) {
    issues.push({ path: '/body/messageType', message: 'a conversation goes to one organization', code: 'message_type' })
  }
  if (isToAll && body.recipientUserId !== undefined) {
    issues.push({ path: '/body/recipientUserId', message: 'is not allowed in an announcement', code: 'recipient' })
  }
  return issues
}

/** Announcements and messages of a service are sent by the system organization, all others by the tenant. */
export async function senderOf(context: WriteContext<never> | WriteContext, to: string): Promise<Sender> {
  const { tx, principal, actor, authority } = context
  const { org } = authority
  if (org === null) throw new Error('a message has a sender')
  if (principal.kind === 'user') {
    const name = await usernameOf(tx, principal.userId)
    const own = { id: principal.userId, name: name ?? actor.id }
    return to === EVERYBODY
      ? { ...own, orgId: SYSTEM_ORG_ID, orgName: await systemName(tx) }
      : { ...own, orgId: org.id, orgName: org.name }
  }
  return { id: actor.id, name: actor.id, orgId: SYSTEM_ORG_ID, orgName: await systemName(tx) }
}

export const systemName = async (tx: Tx): Promise<string> =>
  (await findOrganization(tx, SYSTEM_ORG_ID))?.name ?? 'System'

/**
 * @throws Refusal 403 for an organization that the caller cannot write to, whether it exists or not; 400 for a
 * recipient who is not a member.
 */
async function recipientOf(
  { tx, principal, authority }: WriteContext,
  to: string,
  userId: string | null,
): Promise<Recipient> {
  if (to === EVERYBODY) return { orgId: EVERYBODY, orgName: 'Everybody', userId: null }
  const own = authority.org
  const found = await findOrganization(tx, to)
  const isLive = found !== null && found.deletedAtMs === null
  const isFamily = found?.rootOrgId === own?.rootOrgId || to === SYSTEM_ORG_ID
  // A service of the system can write only to the organization that it acts for.
  const mayReach = principal.kind === 'service' ? to === own?.id : isFamily || authority.isSuperAdmin
  // guard: the-recipients-within-reach
  if (!isLive || !mayReach) {
    throw insufficient('permission', 'you can write to your own organization, those of its account, and support')
  }
  if (userId !== null && !(await isActiveMember(tx, to, userId))) {
    throw invalid([
      { path: '/body/recipientUserId', message: 'is not an active member of that organization', code: 'recipient' },
    ])
  }
  return { orgId: to, orgName: found.name, userId }
}
