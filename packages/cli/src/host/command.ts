/** Specification of the commands on the server's host: `serve`, `admin`, `service-principals`, `backup`, `restore`. */

import { VOCABULARY } from '../api-facts.js'
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
  examples: [{ command: `plumbline admin ${example}`, explanation: 'writes an audit event, as every change does' }],
  load: () => import('./admin.js').then((module) => ({ run: module.admin(name) })),
})

export const adminCommand: CommandSpec = {
  name: 'admin',
  summary: 'administer accounts and organizations on the host, without a running server',
  description:
    'Works on the data directory or on DATABASE_URL. Each change writes an audit event with you as the actor; a running ' +
    'server notices within five seconds.',
  examples: [{ command: 'plumbline admin reset-link ann', explanation: 'a link with which Ann sets a new password' }],
  subcommands: [
    admin('create-user', 'make an account, with a link to set its password', 'create-user ann ann@example.com', {
      arguments: [
        { syntax: '<username>', description: 'name to sign in with' },
        { syntax: '<email>', description: 'e-mail address' },
      ],
      options: [{ flags: '--verified', description: 'the address is already verified' }],
    }),
    admin('verify-email', 'mark the e-mail address of an account as verified', 'verify-email ann'),
    admin('reset-link', 'make a link to set a new password', 'reset-link ann'),
    admin('grant-superadmin', 'make an account a system administrator', 'grant-superadmin ann'),
    admin('revoke-sessions', 'end every session and token of an account', 'revoke-sessions ann'),
    admin('disable-mfa', 'remove a lost second factor', 'disable-mfa ann'),
    admin('sso-disable', 'stop enforcing single sign-on for an organization', 'sso-disable acme', {
      arguments: [{ syntax: '<organization>', description: 'id or slug' }],
    }),
    admin('set-tier', 'set the tier of an organization', 'set-tier acme team', {
      arguments: [
        { syntax: '<organization>', description: 'id or slug' },
        {
          syntax: '<tier>',
          description: 'the tier',
          choices: VOCABULARY.tier,
        },
      ],
      options: [{ flags: '--force', description: 'set it even when usage is above the limits of the tier' }],
    }),
    admin(
      'load-content',
      'publish the rules, templates and plugins that this version ships, where they differ',
      'load-content',
      {
        arguments: [],
      },
    ),
    admin('rotate-keys', 'encrypt every stored secret again, under the first key of the ring', 'rotate-keys', {
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
      arguments: [{ syntax: '<name>', description: 'its name; audit events show it as `service:<name>`' }],
      options: [
        { flags: '--system', description: 'create it for the system; the API creates those of an organization' },
        { flags: '--scope <name>', description: 'a scope that it gets', repeatable: true },
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

const builderLimit = (flags: string, description: string, value: number): OptionSpec => ({
  flags,
  description,
  integer: { min: 1, max: 1_048_576 },
  default: value,
})

export const builderCommand: CommandSpec = {
  name: 'builder',
  summary: 'build images of plugins, in a sandbox, for a server',
  description:
    'Asks the server for builds by HTTP and needs neither its database nor its keys: PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET of a service principal with the scope builds:work. ' +
    'Runs as an ordinary user with a range of subordinate ids; as root it refuses. Everything that a build writes is kept in memory. For people you do not trust, run builders on machines of their own.',
  options: [
    { flags: '--url <address>', description: 'the server', defaultText: 'PLUMBLINE_URL' },
    {
      flags: '--name <name>',
      description: 'name of this builder; two on a machine need a name or a --scratch each',
      default: 'builder',
    },
    {
      flags: '--base-registry <host>',
      description:
        'a registry that base images may come from, such as docker.io; without one FROM scratch alone is allowed',
      repeatable: true,
    },
    builderLimit('--disk-mb <number>', 'MiB that a build may write, in memory', 2048),
    builderLimit('--memory-mb <number>', 'MiB of a build with a cgroup; else of the address space of a process', 4096),
    builderLimit('--cpus <number>', 'processors of a build with a cgroup', 1),
    builderLimit('--processes <number>', 'processes of a build with a cgroup; else of the user of this builder', 256),
    builderLimit('--image-mb <number>', 'MiB of the largest image', 1024),
    builderLimit('--concurrency <number>', 'builds at a time', 1),
    {
      flags: '--egress <host:port>',
      description:
        'host and port that builds may reach, such as deb.debian.org:80; without one, builds have no network',
      repeatable: true,
    },
    {
      flags: '--scratch <folder>',
      description: 'folder for archives and images during a build',
      defaultText: 'the temporary folder of the system',
    },
    {
      flags: '--without-cgroups',
      description:
        'in production without cgroups: accept that only its disk and the address space of each process limit the memory of a build',
    },
    { flags: '--check', description: 'list what this machine lacks, and exit' },
  ],
  examples: [
    { command: 'plumbline builder --check', explanation: 'programs, ids, user namespaces, each with its fix' },
    {
      command: 'plumbline builder --url https://plumbline.example --base-registry docker.io',
      explanation: 'until it is stopped',
    },
  ],
  load: () => import('./builder.js'),
}

export const registryCommand: CommandSpec = {
  name: 'registry',
  summary: 'set up the registry that holds the images of plugins, and free its unused bytes',
  examples: [
    {
      command: 'plumbline registry init /srv/registry',
      explanation: 'then `docker-registry serve /srv/registry/registry.yml`, and REGISTRY_URL for the server',
    },
  ],
  subcommands: [
    {
      name: 'init',
      summary: 'write the configuration of a registry that trusts the tokens of this server',
      description:
        'Writes certificates.pem, registry.yml, two units of systemd and, where the server has no signing key, token-keys.env. ' +
        'An existing configuration is kept; the certificates are written again. To add a key, set it, run this command and restart the registry.',
      arguments: [{ syntax: '<folder>', description: 'folder of the registry; created when it does not exist' }],
      options: [
        { flags: '--listen <address>', description: 'where the registry listens', default: '127.0.0.1:5000' },
        {
          flags: '--public-url <address>',
          description: 'where clients reach the server',
          defaultText: 'PUBLIC_URL, or http://HOST:PORT',
        },
        dataOption,
        ...dataOptions,
      ],
      examples: [
        {
          command: 'plumbline registry init /srv/registry --listen 127.0.0.1:5000',
          explanation: 'for Debian’s docker-registry on the same machine',
        },
      ],
      load: () => import('./registry-init.js'),
    },
    {
      name: 'collect',
      summary: 'delete the data that no image of a registry refers to',
      description:
        'Stops push for all callers, waits until the issued tokens have expired, restarts the registry read-only, checks that it refuses a push, runs REGISTRY_GC_COMMAND, and restarts the registry writable. ' +
        'Then checks that every image that the server records is still there: exit 1 when one is lost. Builds and pushes wait; pulls work except during the restarts.',
      arguments: [{ syntax: '<folder>', description: 'folder of the registry, as `registry init` made it' }],
      options: [
        { flags: '--read-only <command>', description: 'restarts the registry read-only; run by the shell' },
        { flags: '--writable <command>', description: 'restarts the registry writable; run by the shell' },
        dataOption,
        ...dataOptions,
      ],
      examples: [
        {
          command:
            'plumbline registry collect /srv/registry --read-only "systemctl start plumbline-registry-read-only" --writable "systemctl start plumbline-registry"',
          explanation: 'with the two units that `registry init` writes',
        },
      ],
      load: () => import('./registry-collect.js'),
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
      summary: 'check that a backup is complete and unchanged',
      description:
        'Exits 0 when the passphrase or the key proves that the backup is unchanged, 1 when it is damaged or changed, 3 when it is ' +
        'complete and nothing proves that it is unchanged. An empty passphrase counts as none.',
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
  summary: 'restore a backup into an empty data directory or database',
  description:
    'Refuses a backup that was changed, by its passphrase or by the key that signed it: that of --key, or the AUDIT_CHECKPOINT_KEY of ' +
    'the environment.',
  arguments: [{ syntax: '<file>', description: 'the backup' }],
  options: [
    { flags: '--no-keys', description: 'do not restore the keys of the backup' },
    keyOption,
    {
      flags: '--unverified',
      description: 'restore even when nothing proves that the backup is unchanged',
    },
    {
      flags: '--outside-size <number>',
      description: 'number of events under the newest checkpoint that was kept outside the server',
      integer: { min: 0 },
    },
    dataOption,
    ...dataOptions,
  ],
  examples: [
    {
      command: 'plumbline restore plumbline.backup --data /var/lib/plumbline',
      explanation: 'writes an audit event of the restore',
    },
  ],
  load: () => import('./restore.js'),
}
