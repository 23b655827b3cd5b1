/**
 * Notifies the people who manage an account's billing: a notification of the organization, and an e-mail to each of
 * them, queued in the transaction of the event.
 */
import { mailRecipients, permissionHolders } from '../../identity/index.js'
import { type MailContext, sendMail } from '../../runtime/mail/send.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { announce, type NotificationKinds } from '../../runtime/records/notification.js'
import { isSandbox } from '../account/open.js'
import type { BillingBase, Root } from '../account/writing.js'
import { billingNoticeMail } from './mail.js'
import type { NoticeText } from './text.js'

/**
 * The e-mails go to the people who manage billing, whatever the organization's preferences are, so they are sent here.
 */
export const BILLING_NOTIFICATIONS: NotificationKinds = {
  'billing.notice': {
    channels: ['webhook'],
    isImmediate: true,
    text: ({ subject, content, link, sandbox }) => ({
      subject: sandbox === true ? `Sandbox: ${subject}` : `${subject}`,
      content: `${content}\n\n${link}`,
    }),
  },
}

/** What notifying an account needs. The notification and its e-mails are queued in the transaction of the event. */
export type Telling = Pick<BillingBase, 'tx' | 'runtime' | 'nowMs'> & MailContext

/** @param paymentUrl Where the provider takes the payment. Only the e-mails contain it. */
export async function tellAccount(
  context: Telling,
  root: Root,
  { subject, content, isUrgent }: NoticeText,
  paymentUrl: string | null = null,
): Promise<void> {
  const { tx, runtime, nowMs } = context
  const sandbox = await isSandbox(tx, root.id)
  await context.enqueue(
    announce(root.id, {
      event: 'billing.notice',
      onceKey: `billing:${runtime.ids.next()}`,
      priority: isUrgent ? 'high' : 'normal',
      relatedCheckId: null,
      occurredAtMs: nowMs,
      fields: { subject, content, link: billingPage(runtime), sandbox },
    }),
  )
  const holders = await permissionHolders(tx, root.id, 'billing:manage')
  const link = paymentUrl ?? billingPage(runtime)
  const values = { organization: root.name, subject, content, link, sandbox }
  for (const to of await mailRecipients(tx, root.id, holders)) await sendMail(context, to, billingNoticeMail, values)
}

/** The page of the dashboard, for everything else. */
export function billingPage({ settings, listensAt }: Pick<Runtime, 'settings' | 'listensAt'>): string {
  const { APP_URL, PUBLIC_URL } = settings
  return `${APP_URL ?? PUBLIC_URL ?? listensAt?.() ?? 'http://localhost'}/dashboard/billing`
}
