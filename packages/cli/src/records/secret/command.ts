/** Specifications of `plumbline secrets`: what the builds of plugins are given. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions, yesOption } from '../../remote/options.js'

const nameArgument = { syntax: '<name>', description: 'name of the secret, as `plugin-spec.yaml` declares it' }

const pluginOption: OptionSpec = {
  flags: '--plugin <name>',
  description: "whose builds may have it, or '*' for every plugin; those given replace the others",
  repeatable: true,
}

export const secretsCommand: CommandSpec = {
  name: 'secrets',
  summary: 'list, set and delete the secrets that builds of plugins are given',
  examples: [
    { command: 'plumbline secrets list', explanation: 'names, and the plugins that may have each; never a value' },
    {
      command: 'plumbline secrets set NPM_TOKEN --plugin node-build',
      explanation: 'asks for the value, and releases it to the builds of one plugin',
    },
  ],
  subcommands: [
    {
      name: 'list',
      summary: 'list the names of the secrets of the organization',
      options: [formatOption('table'), outputOption, ...serverOptions],
      examples: [{ command: 'plumbline secrets list --format json', explanation: 'for a program' }],
      load: () => import('./list.js'),
    },
    {
      name: 'set',
      summary: 'set a secret, or the plugins that may have it',
      description:
        'The value is asked for on a terminal, or read from a file. A new secret is released to no plugin unless one is named: anyone who uploads a plugin could print what its builds are given.',
      arguments: [nameArgument],
      options: [
        {
          flags: '--file <path>',
          description: 'the value is this file; - for standard input. One line end at its end is left out',
        },
        { flags: '--keep-value', description: 'the value stays as it is', conflicts: ['file'] },
        pluginOption,
        { flags: '--no-plugins', description: 'no plugin may have it any more' },
        formatOption('yaml'),
        outputOption,
        ...serverOptions,
      ],
      examples: [
        { command: 'plumbline secrets set NPM_TOKEN --file token.txt', explanation: 'released to no plugin yet' },
        {
          command: 'plumbline secrets set NPM_TOKEN --keep-value --plugin node-build --plugin node-test',
          explanation: 'the builds of these two may have it',
        },
      ],
      load: () => import('./set.js'),
    },
    {
      name: 'delete',
      summary: 'delete a secret',
      arguments: [nameArgument],
      options: [yesOption, formatOption('a line on standard error'), outputOption, ...serverOptions],
      examples: [
        { command: 'plumbline secrets delete NPM_TOKEN', explanation: 'builds that need it fail from now on' },
      ],
      load: () => import('./delete.js'),
    },
  ],
}
