import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** Quotes the inviter's message line by line, so that nobody takes it for our text. */
const quoted = (message: string): string =>
  message
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${oneLine(line)}`)
    .join('\n')

export const invitationMail = defineTemplate({
  name: 'identity.invitation',
  values: Type.Object({
    organization: Type.String(),
    /** The e-mail address of the inviter. */
    inviter: Type.String(),
    role: Type.String(),
    link: Type.String(),
    expiresAt: Type.String(),
    message: Type.String(),
  }),
  subject: ({ organization }) => `Invitation to ${organization}`,
  text: ({ organization, inviter, role, link, expiresAt, message }) =>
    `${oneLine(inviter)} invites you to join the organization "${oneLine(organization)}" as ${role}.\n\n` +
    (message === '' ? '' : `Their message:\n\n${quoted(message)}\n\n`) +
    `Open this link to accept or decline, until ${expiresAt}:\n\n${link}\n\n` +
    'If you do not know this person, ignore this message: nothing changes.\n',
})

export const INVITATION_TEMPLATES = [invitationMail] as const
