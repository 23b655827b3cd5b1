import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const impersonatedMail = defineTemplate({
  name: 'identity.impersonated',
  values: Type.Object({ username: Type.String(), at: Type.String(), reason: Type.String() }),
  subject: () => 'A system administrator looked at your account',
  text: ({ username, at, reason }) =>
    `Hello ${username},\n\na system administrator acted as you from ${at}, for at most 15 minutes.\n\nReason: ${reason}\n\n` +
    'The audit trail shows what was done, under the name of the administrator.\n',
})

export const USER_TEMPLATES = [impersonatedMail] as const
