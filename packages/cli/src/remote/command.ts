/** Specification of the commands that talk to a server: `login`, `whoami`, `orgs`, `members`, `invite`, `tokens`. */
import type { CommandSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'
import { serverOptions, urlOption } from './options.js'

export const loginCommand: CommandSpec = {
  name: 'login',
  summary: 'sign in to a server',
  description:
    'Keeps the credentials of each server in a file that only you can read; later commands mean the server signed in to ' +
    'last, or the one that --url names. In CI set PLUMBLINE_URL and PLUMBLINE_TOKEN, or PLUMBLINE_SERVICE_CLIENT_ID and ' +
    'PLUMBLINE_SERVICE_CLIENT_SECRET, instead: they go before the file. A password or token is asked for, or read from ' +
    'standard input; it is never an argument.',
  options: [
    { ...urlOption, defaultText: 'PLUMBLINE_URL, or http://127.0.0.1:3000' },
    { flags: '--user <name>', description: 'username or e-mail; asked for when left out' },
    { flags: '--token', description: 'keep a personal access token instead of signing in' },
    { flags: '--org <name>', description: 'the organization that later commands are for' },
  ],
  examples: [
    { command: 'plumbline login --url https://plumbline.example.com', explanation: 'asks for name and password' },
    { command: 'plumbline login --token < token.txt', explanation: 'a personal access token from a file' },
  ],
  load: () => import('./login.js'),
}

export const logoutCommand: CommandSpec = {
  name: 'logout',
  summary: 'end the session and forget the credentials',
  options: [urlOption],
  examples: [{ command: 'plumbline logout', explanation: 'the session ends on the server too' }],
  load: () => import('./logout.js'),
}

export const whoamiCommand: CommandSpec = {
  name: 'whoami',
  summary: 'say who you are on the server, and what you may do',
  options: [...serverOptions, ...dataOptions],
  examples: [{ command: 'plumbline whoami', explanation: 'user, organization, role, permissions' }],
  load: () => import('./whoami.js'),
}

export const orgsCommand: CommandSpec = {
  name: 'orgs',
  summary: 'list the organizations that you belong to',
  options: [urlOption, ...dataOptions],
  examples: [{ command: 'plumbline orgs', explanation: 'slug, role and name of each' }],
  load: () => import('./orgs.js'),
}

export const membersCommand: CommandSpec = {
  name: 'members',
  summary: 'list the members of the organization',
  options: [...serverOptions, ...dataOptions],
  examples: [{ command: 'plumbline members --org acme', explanation: 'name, e-mail, role and state of each' }],
  load: () => import('./members.js'),
}

export const inviteCommand: CommandSpec = {
  name: 'invite',
  summary: 'invite somebody to the organization',
  description: 'Prints the link once where the server sends no e-mail.',
  arguments: [{ syntax: '<email>', description: 'whom to invite' }],
  options: [
    { flags: '--role <name>', description: 'what they become', choices: ['member', 'admin'], default: 'member' },
    ...serverOptions,
    ...dataOptions,
  ],
  examples: [{ command: 'plumbline invite ann@example.com --role admin', explanation: 'valid for seven days' }],
  load: () => import('./invite.js'),
}

export const tokensCommand: CommandSpec = {
  name: 'tokens',
  summary: 'make, list and revoke your personal access tokens',
  examples: [{ command: 'plumbline tokens create ci', explanation: 'a token for a pipeline' }],
  subcommands: [
    {
      name: 'list',
      summary: 'list your tokens; the tokens themselves are not shown again',
      options: [urlOption, ...dataOptions],
      examples: [{ command: 'plumbline tokens list', explanation: 'name, hint, end and last use' }],
      load: () => import('./tokens-list.js'),
    },
    {
      name: 'create',
      summary: 'make a token, shown once; asks for your password',
      arguments: [{ syntax: '<name>', description: 'what it is for' }],
      options: [
        { flags: '--days <number>', description: 'how long it lives', integer: { min: 1, max: 365 }, default: 90 },
        {
          flags: '--permission <name>',
          description: 'narrow the token to this permission; all that you have when left out',
          repeatable: true,
        },
        ...serverOptions,
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline tokens create ci --days 30 --permission compliance:read',
          explanation: 'for thirty days, for reading alone',
        },
      ],
      load: () => import('./tokens-create.js'),
    },
    {
      name: 'revoke',
      summary: 'revoke a token',
      arguments: [{ syntax: '<id>', description: 'id of the token, as `tokens list` shows it' }],
      options: [urlOption],
      examples: [{ command: 'plumbline tokens revoke 0190…', explanation: 'it is refused within five seconds' }],
      load: () => import('./tokens-revoke.js'),
    },
  ],
}
