/** E-mails of this domain. */
import Type from 'typebox'
import { defineTemplate } from '../runtime/mail/template.js'

export const domainLostMail = defineTemplate({
  name: 'sso.domain-lost',
  values: Type.Object({ domain: Type.String(), record: Type.String() }),
  subject: ({ domain }) => `The record that proves ${domain} is gone`,
  text: ({ domain, record }) =>
    `Hello,\n\nthe name servers of ${domain} answer without the TXT record ${record}.\n\n` +
    'Enter it again within 72 hours. After that nobody gets a new account by this domain; people who have signed in before ' +
    'go on as they did.\n',
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

export const SSO_TEMPLATES = [domainLostMail, joinByMailMail] as const
