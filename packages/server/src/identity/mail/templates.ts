/** The e-mails of sign-in. Each says what happened, what to do, and what it means if the person did not request it. */

import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'
import { breakGlassMail, doorOpenedMail, lastAdministratorMail } from './sign-on.js'

const Link = Type.Object({ username: Type.String(), link: Type.String(), at: Type.String() })

export const verifyEmailMail = defineTemplate({
  name: 'identity.verify-email',
  values: Link,
  subject: () => 'Confirm your e-mail address',
  text: ({ username, link, at }) =>
    `The account "${username}" entered this address as its own at ${at}.\n\n` +
    `If the account is yours, open this link within 24 hours to confirm it:\n\n${link}\n\n` +
    'If it is not yours, do not open the link: it would confirm your address for the account of another person.\n',
})

/** For a listed bootstrap address: only the link counts, not the password of the person who registered. */
export const claimAddressMail = defineTemplate({
  name: 'identity.claim-address',
  values: Link,
  subject: () => 'Set a password to confirm your e-mail address',
  text: ({ username, link, at }) =>
    `The account "${username}" entered this address as its own at ${at}.\n\n` +
    `The operator of this server listed this address as that of a system administrator. Open this link within one hour to set a password;  ` +
    `it confirms the address and replaces the password of the registration:\n\n${link}\n\n` +
    'If you do not administer this server, do not open the link, and tell its operator.\n',
})

export const resetPasswordMail = defineTemplate({
  name: 'identity.reset-password',
  values: Link,
  subject: () => 'Set a new password',
  text: ({ username, link, at }) =>
    `Hello ${username},\n\na new password was requested at ${at}. Open this link within one hour to set it:\n\n${link}\n\n` +
    'If you did not request it, ignore this message: your password does not change.\n',
})

export const passwordChangedMail = defineTemplate({
  name: 'identity.password-changed',
  values: Type.Object({ username: Type.String() }),
  subject: () => 'Your password was changed',
  text: ({ username }) =>
    `Hello ${username},\n\nyour password was changed, and other devices were signed out.\n\n` +
    'Personal access tokens still work, except those that were bound to the password: review them.\n\n' +
    'If this was not you, request a new password at once and inform your administrator.\n',
})

const Change = Type.Object({ username: Type.String(), email: Type.String(), link: Type.String() })

const TAKE_BACK =
  'The link signs every device out, ends every personal access token and the current password, and sends a link to set a new one.'

export const emailChangeAskedMail = defineTemplate({
  name: 'identity.email-change-asked',
  values: Change,
  subject: () => 'Your e-mail address is about to change',
  text: ({ username, email, link }) =>
    `Hello ${username},\n\nyour account requested to change its e-mail address to ${email}.\n\n` +
    `If this was not you, open this link within 7 days to keep this address:\n\n${link}\n\n${TAKE_BACK}\n`,
})

export const emailChangedMail = defineTemplate({
  name: 'identity.email-changed',
  values: Change,
  subject: () => 'Your e-mail address was changed',
  text: ({ username, email, link }) =>
    `Hello ${username},\n\nthe e-mail address of your account is now ${email}. Links to set a new password are sent there.\n\n` +
    `If this was not you, open this link within 7 days to take your account back:\n\n${link}\n\n${TAKE_BACK}\n`,
})

export const emailChangedByOperatorMail = defineTemplate({
  name: 'identity.email-changed-by-operator',
  values: Type.Object({ username: Type.String(), email: Type.String() }),
  subject: () => 'Your e-mail address was changed',
  text: ({ username, email }) =>
    `Hello ${username},\n\na system administrator changed the e-mail address of your account to ${email}.\n\n` +
    'If you did not request it, inform the operator of the server.\n',
})

export const SIGN_IN_TEMPLATES = [
  breakGlassMail,
  doorOpenedMail,
  lastAdministratorMail,
  verifyEmailMail,
  claimAddressMail,
  resetPasswordMail,
  passwordChangedMail,
  emailChangeAskedMail,
  emailChangedMail,
  emailChangedByOperatorMail,
] as const
