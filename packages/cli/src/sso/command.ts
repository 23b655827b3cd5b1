/** Specification of `plumbline sso`: sign-on to an organization with its identity provider. */
import type { CommandSpec, OptionSpec } from '../command.js'
import { dataOptions, formatOption, outputOption } from '../program/output-options.js'
import { noBrowserOption, serverOptions, yesOption } from '../remote/options.js'

const recordOptions: readonly OptionSpec[] = [formatOption('yaml'), outputOption]
const domainArgument = { syntax: '<domain>', description: 'name of the domain, such as example.com' }

const setupCommand: CommandSpec = {
  name: 'setup',
  summary: 'set up the identity provider of the organization, or change it',
  description:
    'The first time it takes --issuer and --client-id; later it changes what is given and keeps the rest. The answer holds the redirect address to enter at the provider. The client secret comes from a variable, or is asked for the first time.',
  options: [
    { flags: '--issuer <address>', description: 'address of the provider, exactly as its metadata say' },
    { flags: '--client-id <id>', description: 'id of Plumbline at the provider' },
    { flags: '--client-secret-env <name>', description: 'environment variable that holds the client secret' },
    { flags: '--public-client', description: 'the provider gave no secret', conflicts: ['clientSecretEnv'] },
    { flags: '--alg <name>', description: 'the only accepted algorithm of ID tokens', defaultText: 'RS256' },
    { flags: '--scope <name>', description: 'scopes to request besides `openid`', repeatable: true },
    { flags: '--groups-claim <name>', description: 'the claim that lists the groups of a person' },
    {
      flags: '--trust-email <answer>',
      description: 'whether an address counts as verified when the provider does not say so, such as Entra ID',
      choices: ['yes', 'no'],
    },
    {
      flags: '--jit <answer>',
      description: 'whether a first sign-in creates an account and a membership',
      choices: ['yes', 'no'],
    },
    {
      flags: '--amr <method>',
      description: 'an authentication method (amr) that a sign-in must name',
      repeatable: true,
    },
    {
      flags: '--session-hours <number>',
      description: 'hours until a session ends',
      integer: { min: 1, max: 720 },
    },
    ...recordOptions,
    ...serverOptions,
  ],
  examples: [
    {
      command:
        'plumbline sso setup --issuer https://login.example.com --client-id plumbline --client-secret-env IDP_SECRET',
      explanation: 'prints the redirect address to enter at the provider',
    },
    { command: 'plumbline sso setup --trust-email yes', explanation: 'changes one setting' },
  ],
  load: () => import('./setup.js'),
}

const domainsCommand: CommandSpec = {
  name: 'domains',
  summary: 'prove the domains of the people who sign in with your provider',
  examples: [
    { command: 'plumbline sso domains add example.com', explanation: 'prints the TXT record to enter in the DNS' },
    { command: 'plumbline sso domains verify example.com', explanation: 'looks for the record now' },
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'list the domains of the organization',
      options: [...dataOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso domains list', explanation: 'each with its state' }],
      load: async () => ({ run: (await import('./domains.js')).list }),
    },
    {
      name: 'add',
      summary: 'add a domain, and print the TXT record that proves it',
      arguments: [domainArgument],
      options: [...recordOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso domains add example.com', explanation: 'then enter the record in the DNS' }],
      load: async () => ({ run: (await import('./domains.js')).add }),
    },
    {
      name: 'verify',
      summary: 'look up the record of a domain; exit 1 while it is missing',
      arguments: [domainArgument],
      options: [...recordOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso domains verify example.com', explanation: 'once the record is in the DNS' }],
      load: async () => ({ run: (await import('./domains.js')).verify }),
    },
    {
      name: 'delete',
      summary: 'delete a domain: its people can then sign in only through their existing links',
      arguments: [domainArgument],
      options: [yesOption, ...serverOptions],
      examples: [{ command: 'plumbline sso domains delete example.com', explanation: 'asks first on a terminal' }],
      load: async () => ({ run: (await import('./domains.js')).remove }),
    },
  ],
}

const groupArgument = {
  syntax: '<group>',
  description: 'name of the group, exactly as the provider spells it, or its id there',
}
const idpOption: OptionSpec = {
  flags: '--idp <id>',
  description: 'the identity provider of the groups',
  defaultText: 'the default one',
}

const groupsCommand: CommandSpec = {
  name: 'groups',
  summary: 'map the groups of your provider to Roles',
  examples: [
    { command: 'plumbline sso groups list', explanation: 'each with its Roles and its members' },
    { command: 'plumbline sso groups set developers --role Member', explanation: 'members get the Roles at once' },
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'list the groups, their Roles, and the groups without a mapping',
      options: [idpOption, ...dataOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso groups list', explanation: 'also groups of a directory without a mapping' }],
      load: async () => ({ run: (await import('./groups.js')).list }),
    },
    {
      name: 'set',
      summary: 'map a group to these Roles, and to no others',
      description:
        'The mappings of other groups stay. You can map only Roles that you could give by hand. A Role that was given by hand stays.',
      arguments: [groupArgument],
      options: [
        { flags: '--role <role>', description: 'name or id of a Role', repeatable: true },
        idpOption,
        ...recordOptions,
        ...serverOptions,
      ],
      examples: [
        { command: 'plumbline sso groups set developers --role Member', explanation: 'members get the Roles at once' },
      ],
      load: async () => ({ run: (await import('./groups.js')).set }),
    },
    {
      name: 'delete',
      summary: 'delete the mapping of a group: its members lose the Roles that it gave',
      arguments: [groupArgument],
      options: [idpOption, yesOption, ...recordOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso groups delete developers', explanation: 'asks first on a terminal' }],
      load: async () => ({ run: (await import('./groups.js')).remove }),
    },
  ],
}

export const ssoCommand: CommandSpec = {
  name: 'sso',
  summary: 'set up single sign-on, test it, enforce it',
  description: 'For administrators with the permission `org:idp`. People sign in with `plumbline login --sso`.',
  examples: [
    { command: 'plumbline sso status', explanation: 'what is set up, and what is missing' },
    {
      command: 'plumbline sso test',
      explanation: 'a sign-in in the browser that shows the claims and changes nothing',
    },
  ],
  subcommands: [
    setupCommand,
    domainsCommand,
    groupsCommand,
    {
      name: 'test',
      summary: 'test the provider with a sign-in that changes nothing',
      description:
        'Opens a page of the server in the browser. After the sign-in it shows the claims of the provider, and their effect.',
      options: [noBrowserOption, ...serverOptions],
      examples: [{ command: 'plumbline sso test', explanation: 'valid once, for 10 minutes' }],
      load: () => import('./test.js'),
    },
    {
      name: 'enforce',
      summary: 'require the provider for every member, or stop requiring it',
      description:
        'While it is enforced, only sessions through the provider can act in the organization and its teams. It is refused until a domain is proven, you tested the provider within 24 hours, and the owner has a password and a second factor.',
      options: [
        { flags: '--off', description: 'members sign in by password again' },
        yesOption,
        ...recordOptions,
        ...serverOptions,
      ],
      examples: [
        { command: 'plumbline sso enforce', explanation: 'asks first on a terminal' },
        { command: 'plumbline sso enforce --off', explanation: 'every administrator is notified by e-mail' },
      ],
      load: () => import('./enforce.js'),
    },
    {
      name: 'status',
      summary: 'show the provider, the domains, and what is missing for enforcing',
      options: [...dataOptions, ...serverOptions],
      examples: [{ command: 'plumbline sso status', explanation: 'each with what to do' }],
      load: () => import('./status.js'),
    },
    {
      name: 'refusals',
      summary: 'list the sign-ins that were refused, each with its reason',
      description: 'From the audit log. The sign-in page shows no reason: an administrator looks it up here.',
      options: [
        {
          flags: '--limit <number>',
          description: 'list at most this many',
          integer: { min: 1, max: 100 },
          default: 20,
        },
        ...dataOptions,
        ...serverOptions,
      ],
      examples: [{ command: 'plumbline sso refusals', explanation: 'the newest first' }],
      load: () => import('./refusals.js'),
    },
    {
      name: 'links',
      summary: 'list and unlink the accounts that you can sign in with',
      examples: [{ command: 'plumbline sso links list', explanation: 'provider, address and last use of each' }],
      subcommands: [
        {
          name: 'list',
          summary: 'list the accounts that you can sign in with',
          options: [...dataOptions, ...serverOptions],
          examples: [{ command: 'plumbline sso links list', explanation: 'provider, address and last use of each' }],
          load: async () => ({ run: (await import('./links.js')).list }),
        },
        {
          name: 'delete',
          summary: 'unlink an account; the last way to sign in cannot be removed',
          arguments: [{ syntax: '<provider>', description: 'id of the provider, such as github' }],
          options: [yesOption, ...serverOptions],
          examples: [{ command: 'plumbline sso links delete github', explanation: 'asks for your password' }],
          load: async () => ({ run: (await import('./links.js')).remove }),
        },
      ],
    },
    {
      name: 'fake',
      summary: 'run an identity provider, a GitHub and a name server on this machine, for trials',
      description:
        'Signs in every person who types a name, without a password. It prints the settings for a server, and has controls over HTTP: JSON to `/_fake/people`, `/_fake/dns`, `/_fake/sign-in`, `/_fake/sign-out`, `/_fake/rotate`, `/_fake/away` and `/_fake/back`. It needs the package `oidc-provider`.',
      options: [
        {
          flags: '--port <number>',
          description: 'port of the provider',
          integer: { min: 0, max: 65_535 },
          default: 4020,
        },
        {
          flags: '--dns-port <number>',
          description: 'port of the name server',
          integer: { min: 0, max: 65_535 },
          default: 4053,
        },
        { flags: '--domain <name>', description: 'domain of the addresses of people', default: 'acme.test' },
      ],
      examples: [{ command: 'plumbline sso fake', explanation: 'on port 4020, with names on port 4053' }],
      load: () => import('./fake.js'),
    },
  ],
}
