import Type from 'typebox'
import { defineTemplate } from '../../runtime/mail/template.js'

export const membershipEndedMail = defineTemplate({
  name: 'identity.membership-ended',
  values: Type.Object({
    username: Type.String(),
    organization: Type.String(),
    teams: Type.String(),
    what: Type.Enum(['removed', 'deactivated']),
  }),
  subject: ({ organization, what }) =>
    what === 'removed' ? `You were removed from ${organization}` : `Your membership of ${organization} is deactivated`,
  text: ({ username, organization, teams, what }) =>
    `Hello ${username},\n\nan administrator ${what === 'removed' ? 'removed you from' : 'deactivated your membership of'} ` +
    `${organization}${teams === '' ? '' : ` and its teams: ${teams}`}.\n\n` +
    'Your account stays. Ask an administrator of the organization if this is a mistake.\n',
})

export const teamPassedMail = defineTemplate({
  name: 'identity.team-passed',
  values: Type.Object({ username: Type.String(), from: Type.String(), teams: Type.String() }),
  subject: ({ from }) => `You are now the owner of the teams of ${from}`,
  text: ({ username, from, teams }) =>
    `Hello ${username},\n\n${from} left, so you now own these teams: ${teams}.\n\n` +
    'You can transfer each of them to another member.\n',
})

export const MEMBER_TEMPLATES = [membershipEndedMail, teamPassedMail] as const
