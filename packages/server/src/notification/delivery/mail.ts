/** The e-mail of a notification. */
import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const notificationMail = defineTemplate({
  name: 'compliance.notification',
  values: Type.Object({ organization: Type.String(), subject: Type.String(), content: Type.String() }),
  subject: ({ subject }) => subject,
  text: ({ organization, content }) =>
    `${content}\n\nYou get this for the organization ${organization}. Its notification preferences list the recipients.\n`,
})
