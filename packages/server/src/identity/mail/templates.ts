/** The e-mails of sign-in. Each names what happened, what to do, and what it means if the person did not ask for it. */
import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

const Link = Type.Object({ username: Type.String(), link: Type.String() })

export const verifyEmailMail = defineTemplate({
  name: 'identity.verify-email',
  values: Link,
  subject: () => 'Confirm your e-mail address',
  text: ({ username, link }) =>
    `Hello ${username},\n\nopen this link within 24 hours to confirm that this address is yours:\n\n${link}\n\n` +
    'If you did not ask for it, ignore this message: nothing changes.\n',
})

export const resetPasswordMail = defineTemplate({
  name: 'identity.reset-password',
  values: Link,
  subject: () => 'Set a new password',
  text: ({ username, link }) =>
    `Hello ${username},\n\nopen this link within one hour to set a new password:\n\n${link}\n\n` +
    'If you did not ask for it, ignore this message: your password stays as it is.\n',
})

export const passwordChangedMail = defineTemplate({
  name: 'identity.password-changed',
  values: Type.Object({ username: Type.String() }),
  subject: () => 'Your password was changed',
  text: ({ username }) =>
    `Hello ${username},\n\nyour password was changed, and other devices were signed out.\n\n` +
    'If this was not you, ask for a new password at once and tell your administrator.\n',
})

export const SIGN_IN_TEMPLATES = [verifyEmailMail, resetPasswordMail, passwordChangedMail] as const
