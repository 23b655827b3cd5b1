import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const breakGlassMail = defineTemplate({
  name: 'identity.break-glass',
  values: Type.Object({ username: Type.String(), organization: Type.String() }),
  subject: ({ organization }) => `${organization} was entered past its sign-on`,
  text: ({ username, organization }) =>
    `Hello,\n\nthe owner ${username} signed in to ${organization} by password and second factor, past the identity provider ` +
    'that the organization asks for.\n\nThat is the way in while the provider is broken. If it is not broken, or it was not ' +
    'the owner, end the sessions of the account and change its password.\n',
})

export const doorOpenedMail = defineTemplate({
  name: 'identity.sso-disabled',
  values: Type.Object({ organization: Type.String(), by: Type.String() }),
  subject: ({ organization }) => `${organization} no longer asks for its sign-on`,
  text: ({ organization, by }) =>
    `Hello,\n\n${by} switched off that ${organization} asks for its identity provider: members sign in by password again.\n\n` +
    'Switch it on again once the provider works.\n',
})

export const lastAdministratorMail = defineTemplate({
  name: 'identity.last-administrator',
  values: Type.Object({ username: Type.String(), organization: Type.String() }),
  subject: ({ organization }) => `${organization} keeps its last administrator`,
  text: ({ username, organization }) =>
    `Hello,\n\nthe identity provider says that ${username} is no longer in a group that gives Admin in ${organization}. ` +
    'Nobody else has that Role, so it stays.\n\nGive Admin to another member; the Role goes at the next sign-in.\n',
})
