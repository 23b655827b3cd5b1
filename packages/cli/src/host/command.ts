/** Specification of the commands on the server's host: `serve`, `admin`, `service-principals`, `backup`, `restore`. */
import type { CommandSpec, OptionSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'

const dataOption: OptionSpec = {
  flags: '--data <folder>',
  description: 'data directory of the server',
  defaultText: 'DATA_DIR, or ./data',
}
const person = { syntax: '<user>', description: 'username, e-mail or id of the account' }

export const serveCommand: CommandSpec = {
  name: 'serve',
  summary: 'run the server',
  description:
    'Reads its settings from the environment; `plumbline config print --server` lists them. Without DATABASE_URL everything is in one file ' +
    'of the data directory. An empty store gets a demo organization outside production. SIGTERM and SIGINT drain it; a ' +
    'second signal ends it.',
  options: [
    {
      flags: '--port <number>',
      description: 'port to listen on',
      integer: { min: 0, max: 65_535 },
      defaultText: 'PORT, or 3000',
    },
    { flags: '--host <address>', description: 'address to listen on', defaultText: 'HOST, or 127.0.0.1' },
    dataOption,
    { flags: '--empty', description: 'no demo organization' },
  ],
  examples: [
    { command: 'plumbline serve', explanation: 'on port 3000, with data in ./data' },
    { command: 'plumbline serve --port 8080 --data /var/lib/plumbline --empty', explanation: 'elsewhere, and empty' },
  ],
  load: () => import('./serve.js'),
}

const admin = (
  name: string,
  summary: string,
  example: string,
  more: Pick<CommandSpec, 'arguments' | 'options'> = {},
): CommandSpec => ({
  name,
  summary,
  arguments: more.arguments ?? [person],
  options: [...(more.options ?? []), dataOption, ...dataOptions],
  examples: [{ command: `plumbline admin ${example}`, explanation: 'leaves its evidence, as every change does' }],
  load: () => import('./admin.js').then((module) => ({ run: module.admin(name) })),
})

export const adminCommand: CommandSpec = {
  name: 'admin',
  summary: 'help people and organizations on the host, without a running server',
  description:
    'Works on the data directory or on DATABASE_URL. Each change leaves its evidence, with you as the actor; a running ' +
    'server notices within five seconds.',
  examples: [{ command: 'plumbline admin reset-link ann', explanation: 'a link with which Ann sets a new password' }],
  subcommands: [
    admin('create-user', 'make an account, with a link to set its password', 'create-user ann ann@example.com', {
      arguments: [
        { syntax: '<username>', description: 'name to sign in with' },
        { syntax: '<email>', description: 'e-mail address' },
      ],
      options: [{ flags: '--verified', description: 'the address is known to be theirs' }],
    }),
    admin('verify-email', 'say that an address belongs to its account', 'verify-email ann'),
    admin('reset-link', 'make a link to set a new password', 'reset-link ann'),
    admin('grant-superadmin', 'make somebody a system administrator', 'grant-superadmin ann'),
    admin('revoke-sessions', 'end every session and token of an account', 'revoke-sessions ann'),
    admin('disable-mfa', 'take a lost second factor away', 'disable-mfa ann'),
    admin('set-tier', 'set the tier of an organization', 'set-tier acme team', {
      arguments: [
        { syntax: '<organization>', description: 'id or slug' },
        {
          syntax: '<tier>',
          description: 'the tier',
          choices: ['developer', 'pro', 'team', 'enterprise', 'unlimited'],
        },
      ],
      options: [{ flags: '--force', description: 'also when usage is above the limits of the tier' }],
    }),
    admin(
      'load-content',
      'publish the rules, templates and plugins that this version ships, where they differ',
      'load-content',
      {
        arguments: [],
      },
    ),
    admin('rotate-keys', 'encrypt every stored secret anew, under the first key of the ring', 'rotate-keys', {
      arguments: [],
    }),
  ],
}

export const servicePrincipalsCommand: CommandSpec = {
  name: 'service-principals',
  summary: 'make credentials for the processes of a split deployment',
  examples: [
    {
      command: 'plumbline service-principals create audit --system --scope audit:ingest',
      explanation: 'for PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET',
    },
  ],
  subcommands: [
    {
      name: 'create',
      summary: 'make a service principal of the system; its secret is shown once',
      arguments: [{ syntax: '<name>', description: 'what it is; it stands in the evidence as `service:<name>`' }],
      options: [
        { flags: '--system', description: 'of the system; those of an organization are made through the API' },
        { flags: '--scope <name>', description: 'what it may do', repeatable: true },
        {
          flags: '--days <number>',
          description: 'how long its secret lives',
          integer: { min: 1, max: 365 },
          default: 365,
        },
        dataOption,
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline service-principals create billing --system --scope quota:reset --scope seats:sync',
          explanation: 'with two scopes',
        },
      ],
      load: () => import('./service-principals-create.js'),
    },
  ],
}

const keyOption: OptionSpec = {
  flags: '--key <file>',
  description: 'public key of the server that made the backup, as `GET /audit/key` shows it',
  repeatable: true,
}

export const backupCommand: CommandSpec = {
  name: 'backup',
  summary: 'write a consistent copy of the server’s data, or check one',
  description: 'Works while the server runs. The passphrase is read from PLUMBLINE_BACKUP_PASSPHRASE, or asked for.',
  examples: [
    { command: 'plumbline backup create plumbline.backup', explanation: 'database, files and encrypted keys' },
  ],
  subcommands: [
    {
      name: 'create',
      summary: 'write a backup',
      arguments: [{ syntax: '<file>', description: 'file to write; it must not exist' }],
      options: [
        {
          flags: '--no-keys',
          description: 'leave the keys out: keep them elsewhere, or nothing encrypted can be read',
        },
        dataOption,
        ...dataOptions,
      ],
      examples: [{ command: 'plumbline backup create nightly.backup --no-keys', explanation: 'without the keys' }],
      load: () => import('./backup-create.js'),
    },
    {
      name: 'verify',
      summary: 'check every part of a backup, and that nobody changed it',
      description:
        'Exits 0 when the passphrase or the key shows that the backup is as it was made, 1 when it is damaged or was changed, 3 when ' +
        'every part is there and nobody can say whether it was changed. An empty passphrase gives none.',
      arguments: [{ syntax: '<file>', description: 'the backup' }],
      options: [keyOption, ...dataOptions],
      examples: [
        { command: 'plumbline backup verify nightly.backup', explanation: 'asks for the passphrase' },
        { command: 'plumbline backup verify nightly.backup --key audit.pub', explanation: 'without the passphrase' },
      ],
      load: () => import('./backup-verify.js'),
    },
  ],
}

export const restoreCommand: CommandSpec = {
  name: 'restore',
  summary: 'restore a backup into an empty place',
  description:
    'Refuses a backup that was changed, by its passphrase or by the key that signed it: that of --key, or the AUDIT_CHECKPOINT_KEY of ' +
    'the environment.',
  arguments: [{ syntax: '<file>', description: 'the backup' }],
  options: [
    { flags: '--no-keys', description: 'do not take the keys of the backup' },
    keyOption,
    {
      flags: '--unverified',
      description: 'restore also when nobody can say whether the backup was changed',
    },
    {
      flags: '--outside-size <number>',
      description: 'how many events the newest checkpoint covers that somebody outside has kept',
      integer: { min: 0 },
    },
    dataOption,
    ...dataOptions,
  ],
  examples: [
    { command: 'plumbline restore plumbline.backup --data /var/lib/plumbline', explanation: 'leaves evidence of it' },
  ],
  load: () => import('./restore.js'),
}
