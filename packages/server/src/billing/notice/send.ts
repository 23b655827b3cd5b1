/** Tells those who manage an account's billing: a message in the inbox, and an e-mail to each, queued with what it tells of. */
import { mailRecipients, permissionHolders } from '../../identity/index.js'
import { type MailContext, sendMail } from '../../runtime/mail/send.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { isSandbox } from '../account/open.js'
import type { BillingBase, Root } from '../account/writing.js'
import { billingNoticeMail } from './mail.js'
import type { NoticeText } from './text.js'

/** What telling an account needs: the notice and its e-mails are queued with what they tell of. */
export type Telling = Pick<BillingBase, 'tx' | 'runtime' | 'nowMs'> & MailContext

/** @param paymentUrl where the provider takes the payment; it stands in the e-mails alone. */
export async function tellAccount(
  context: Telling,
  root: Root,
  { subject, content, isUrgent }: NoticeText,
  paymentUrl: string | null = null,
): Promise<void> {
  const { tx, runtime } = context
  const sandbox = await isSandbox(tx, root.id)
  await context.enqueue(
    noticeMessage({
      recipientOrgId: root.id,
      recipientUserId: null,
      subject: sandbox ? `Sandbox: ${subject}` : subject,
      content: `${content}\n\n${billingPage(runtime)}`,
      priority: isUrgent ? 'high' : 'normal',
      channel: 'billing',
    }),
  )
  const holders = await permissionHolders(tx, root.id, 'billing:manage')
  const link = paymentUrl ?? billingPage(runtime)
  const values = { organization: root.name, subject, content, link, sandbox }
  for (const to of await mailRecipients(tx, root.id, holders)) await sendMail(context, to, billingNoticeMail, values)
}

/** The page of the dashboard, where everything else can be done. */
export function billingPage({ settings, listensAt }: Pick<Runtime, 'settings' | 'listensAt'>): string {
  const { APP_URL, PUBLIC_URL } = settings
  return `${APP_URL ?? PUBLIC_URL ?? listensAt?.() ?? 'http://localhost'}/dashboard/billing`
}
