/** E-mails and notifications of this domain. */
import Type from 'typebox'
import { defineTemplate } from '../runtime/mail/template.js'
import type { NotificationKinds } from '../runtime/records/notification.js'

export const domainLostMail = defineTemplate({
  name: 'sso.domain-lost',
  values: Type.Object({ domain: Type.String(), record: Type.String() }),
  subject: ({ domain }) => `The record that proves ${domain} is gone`,
  text: ({ domain, record }) =>
    `Hello,\n\nthe name servers of ${domain} answer without the TXT record ${record}.\n\n` +
    'Enter it again within 72 hours. After that nobody gets a new account through this domain; people who have signed in before  ' +
    'can still sign in.\n',
})

export const joinByMailMail = defineTemplate({
  name: 'sso.join',
  values: Type.Object({ link: Type.String(), provider: Type.String() }),
  subject: () => 'Join the organization that you signed in to',
  text: ({ link, provider }) =>
    `Hello,\n\nsomebody signed in with this address at ${provider}, and your account does not belong to that organization yet.\n\n` +
    `If that was you, open this link in the same browser within an hour:\n\n${link}\n\n` +
    'Members of the organization then see you among them. If it was not you, do nothing.\n',
})

/**
 * The administrators get the e-mails regardless of the organization's preferences, because the server sends them
 * separately from these notifications.
 */
export const SSO_NOTIFICATIONS: NotificationKinds = {
  'sso.domain-lost': {
    channels: ['webhook'],
    isImmediate: true,
    text: ({ domain, record }) => ({
      subject: `The record that proves ${domain} is gone`,
      content: `The name servers of ${domain} answer without the TXT record ${record}. Enter it again within 72 hours.`,
    }),
  },
}

export const SSO_TEMPLATES = [domainLostMail, joinByMailMail] as const
