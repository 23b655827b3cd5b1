/** Specification of the commands that talk to a server: `login`, `whoami`, `orgs`, `members`, `invite`, `tokens`. */
import type { CommandSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'
import { noBrowserOption, serverOptions, urlOption, yesOption } from './options.js'

export const loginCommand: CommandSpec = {
  name: 'login',
  summary: 'sign in to a server',
  description:
    'Keeps the credentials of each server in a file that only you can read; later commands use the server of the last ' +
    'sign-in, or the one that --url names. In CI set PLUMBLINE_URL and PLUMBLINE_TOKEN, or PLUMBLINE_SERVICE_CLIENT_ID and ' +
    'PLUMBLINE_SERVICE_CLIENT_SECRET, instead: they take precedence over the file. A password or token is asked for, or read from ' +
    'standard input; it is never an argument. With --sso and --provider the browser sends the session to a port of this machine, which ' +
    'closes after it, or after ten minutes.',
  options: [
    { ...urlOption, defaultText: 'PLUMBLINE_URL, or http://127.0.0.1:3000' },
    { flags: '--user <name>', description: 'username or e-mail; asked for when left out' },
    {
      flags: '--token',
      description: 'store a personal access token instead of signing in',
      conflicts: ['sso', 'user'],
    },
    {
      flags: '--sso <organization>',
      description: 'sign in with the identity provider of this organization, in your browser; id or slug',
      conflicts: ['user'],
    },
    {
      flags: '--provider <id>',
      description: 'sign in with a linked account, such as GitHub, in your browser',
      choices: ['google', 'github', 'gitlab', 'microsoft'],
      conflicts: ['user', 'sso', 'token'],
    },
    noBrowserOption,
    { flags: '--org <name>', description: 'the organization that later commands are for' },
  ],
  examples: [
    { command: 'plumbline login --url https://plumbline.example.com', explanation: 'asks for name and password' },
    { command: 'plumbline login --token < token.txt', explanation: 'a personal access token from a file' },
    { command: 'plumbline login --sso acme', explanation: 'by the identity provider of acme' },
    { command: 'plumbline login --provider github', explanation: 'by a GitHub account' },
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
  summary: 'show who you are on the server, and what you may do',
  options: [...serverOptions, ...dataOptions],
  examples: [{ command: 'plumbline whoami', explanation: 'user, organization, role, permissions' }],
  load: () => import('./whoami.js'),
}

const loadOrgs = () => import('./orgs.js')

const settingsOptions = [...serverOptions, ...dataOptions]

export const orgsCommand: CommandSpec = {
  name: 'orgs',
  summary: 'list the organizations that you belong to; read and change the settings of one',
  options: [urlOption, ...dataOptions],
  examples: [
    { command: 'plumbline orgs', explanation: 'slug, role and name of each' },
    { command: 'plumbline orgs settings get', explanation: 'the settings of the organization you are in' },
  ],
  load: loadOrgs,
  subcommands: [
    {
      name: 'list',
      summary: 'the same as `plumbline orgs`',
      options: [urlOption, ...dataOptions],
      examples: [{ command: 'plumbline orgs list', explanation: 'slug, role and name of each' }],
      load: loadOrgs,
    },
    {
      name: 'settings',
      summary: 'read and change the settings of the organization',
      examples: [{ command: 'plumbline orgs settings get', explanation: 'each setting with its value' }],
      subcommands: [
        {
          name: 'get',
          summary: 'show the settings of the organization',
          options: settingsOptions,
          examples: [{ command: 'plumbline orgs settings get --org acme', explanation: 'each setting with its value' }],
          load: async () => ({ run: (await import('./orgs-settings.js')).get }),
        },
        {
          name: 'set',
          summary: 'change the settings of the organization',
          options: [
            {
              flags: '--member-write-scope <scope>',
              description: 'which records members without Admin may change: those that they or their teams own, or all',
              choices: ['own', 'org'],
            },
            ...settingsOptions,
          ],
          examples: [
            {
              command: 'plumbline orgs settings set --member-write-scope org',
              explanation: 'members can change the records of others too',
            },
          ],
          load: async () => ({ run: (await import('./orgs-settings.js')).set }),
        },
      ],
    },
  ],
}

const loadMembers = () => import('./members.js')
const memberArgument = { syntax: '<member>', description: 'username, e-mail or id', completes: 'members' }
const teamsToOption = {
  flags: '--teams-to <member>',
  description: 'the new owner of the teams that the person owns',
  defaultText: 'the owner of the root organization',
}

export const membersCommand: CommandSpec = {
  name: 'members',
  summary: 'list, remove, deactivate and reactivate the members of the organization',
  options: [...serverOptions, ...dataOptions],
  examples: [
    { command: 'plumbline members --org acme', explanation: 'name, e-mail, role and state of each' },
    { command: 'plumbline members remove bob --teams-to ann', explanation: "ann becomes the owner of bob's teams" },
  ],
  load: loadMembers,
  subcommands: [
    {
      name: 'list',
      summary: 'the same as `plumbline members`',
      options: [...serverOptions, ...dataOptions],
      examples: [{ command: 'plumbline members list', explanation: 'name, e-mail, role and state of each' }],
      load: loadMembers,
    },
    {
      name: 'remove',
      summary: 'remove a member from the organization, and from all its teams if it is a root',
      description: 'On a terminal it asks first. If you name yourself, you leave the organization.',
      arguments: [memberArgument],
      options: [
        teamsToOption,
        {
          flags: '--records-to <member>',
          description: 'the new owner of the records that the person owns',
          defaultText: 'nobody: the person who left still owns them',
        },
        yesOption,
        ...serverOptions,
      ],
      examples: [
        { command: 'plumbline members remove bob', explanation: 'teams that bob owns pass to the owner of the root' },
        {
          command: 'plumbline members remove bob --records-to ann --yes',
          explanation: 'ann owns the records of bob from now on; it does not ask',
        },
      ],
      load: async () => ({ run: (await import('./members-change.js')).remove }),
    },
    {
      name: 'deactivate',
      summary: 'deactivate a member and free the seat; the member keeps their Roles',
      description: 'On a terminal it asks first.',
      arguments: [memberArgument],
      options: [teamsToOption, yesOption, ...serverOptions, ...dataOptions],
      examples: [{ command: 'plumbline members deactivate bob', explanation: 'until `members reactivate bob`' }],
      load: async () => ({ run: (await import('./members-change.js')).deactivate }),
    },
    {
      name: 'reactivate',
      summary: 'activate a member again; it takes a seat',
      arguments: [memberArgument],
      options: [...serverOptions, ...dataOptions],
      examples: [{ command: 'plumbline members reactivate bob', explanation: 'with the roles that bob had' }],
      load: async () => ({ run: (await import('./members-change.js')).reactivate }),
    },
  ],
}

export const inviteCommand: CommandSpec = {
  name: 'invite',
  summary: 'invite a person to the organization',
  description: 'Prints the link once when the server sends no e-mail.',
  arguments: [{ syntax: '<email>', description: 'e-mail address of the person to invite' }],
  options: [
    {
      flags: '--role <name>',
      description: 'the role that the person gets',
      choices: ['member', 'admin'],
      default: 'member',
    },
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
      examples: [{ command: 'plumbline tokens list', explanation: 'name, hint, expiry and last use' }],
      load: () => import('./tokens-list.js'),
    },
    {
      name: 'create',
      summary: 'make a token, shown once; asks for your password',
      arguments: [{ syntax: '<name>', description: 'its name or purpose' }],
      options: [
        { flags: '--days <number>', description: 'days until it expires', integer: { min: 1, max: 365 }, default: 90 },
        {
          flags: '--permission <name>',
          description: 'restrict the token to this permission; all of yours when left out',
          repeatable: true,
        },
        ...serverOptions,
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline tokens create ci --days 30 --permission compliance:read',
          explanation: 'for thirty days, read-only',
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
