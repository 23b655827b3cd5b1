/** The e-mail of a notice about billing. */
import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const billingNoticeMail = defineTemplate({
  name: 'billing.notice',
  values: Type.Object({
    organization: Type.String(),
    subject: Type.String(),
    content: Type.String(),
    link: Type.String(),
    sandbox: Type.Boolean(),
  }),
  subject: ({ subject, sandbox }) => (sandbox ? `Sandbox: ${subject}` : subject),
  text: ({ organization, content, link, sandbox }) =>
    `${content}\n\n${link}\n\n` +
    (sandbox ? 'The organization uses a test clock: nothing is charged.\n\n' : '') +
    `You get this because you manage the billing of the organization ${organization}.\n`,
})
