import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const invitationMail = defineTemplate({
  name: 'identity.invitation',
  values: Type.Object({
    organization: Type.String(),
    role: Type.String(),
    link: Type.String(),
    expiresAt: Type.String(),
    message: Type.String(),
  }),
  subject: ({ organization }) => `Invitation to ${organization}`,
  text: ({ organization, role, link, expiresAt, message }) =>
    `You are invited to join ${organization} as ${role}.\n\n${message === '' ? '' : `${message}\n\n`}` +
    `Open this link to accept or decline, until ${expiresAt}:\n\n${link}\n\n` +
    'If you do not know the organization, ignore this message: nothing happens.\n',
})

export const INVITATION_TEMPLATES = [invitationMail] as const
