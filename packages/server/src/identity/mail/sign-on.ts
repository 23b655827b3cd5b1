import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const breakGlassMail = defineTemplate({
  name: 'identity.break-glass',
  values: Type.Object({ username: Type.String(), organization: Type.String() }),
  subject: ({ organization }) => `${organization}: a sign-in without single sign-on`,
  text: ({ username, organization }) =>
    `Hello,\n\nthe owner ${username} signed in to ${organization} with password and second factor, without the identity provider  ` +
    'that the organization requires.\n\nThis is the way to sign in while the provider is broken. If it is not broken, or if it was not  ' +
    'the owner, end the sessions of the account and change its password.\n',
})

export const doorOpenedMail = defineTemplate({
  name: 'identity.sso-disabled',
  values: Type.Object({ organization: Type.String(), by: Type.String() }),
  subject: ({ organization }) => `${organization} no longer enforces single sign-on`,
  text: ({ organization, by }) =>
    `Hello,\n\n${by} stopped enforcing the identity provider of ${organization}: members can sign in with their passwords again.\n\n` +
    'Enforce it again once the provider works.\n',
})

export const lastAdministratorMail = defineTemplate({
  name: 'identity.last-administrator',
  values: Type.Object({ username: Type.String(), organization: Type.String() }),
  subject: ({ organization }) => `${organization} keeps its last administrator`,
  text: ({ username, organization }) =>
    `Hello,\n\nthe identity provider reports that ${username} is no longer in a group that gives Admin in ${organization}.  ` +
    'Nobody else has that Role, so the person keeps it.\n\nGive Admin to another member; the Role is then removed at the next sign-in.\n',
})
