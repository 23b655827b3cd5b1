/** Specifications of `plumbline secrets`: secrets that builds of plugins receive. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions, yesOption } from '../../remote/options.js'

const nameArgument = {
  syntax: '<name>',
  description: 'name of the secret, as `plugin-spec.yaml` declares it',
  completes: 'secrets',
}

const pluginOption: OptionSpec = {
  flags: '--plugin <name>',
  description: "a plugin whose builds get the secret, or '*' for every plugin; those given replace the others",
  repeatable: true,
}

export const secretsCommand: CommandSpec = {
  name: 'secrets',
  summary: 'list, set and delete the secrets of plugin builds',
  examples: [
    { command: 'plumbline secrets list', explanation: 'names, and the plugins that get each; never a value' },
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
      summary: 'set a secret, or the plugins that get it',
      description:
        'The value is asked for on a terminal, or read from a file. No plugin gets a new secret unless you name one: a person who uploads a plugin could print the secrets of its builds.',
      arguments: [nameArgument],
      options: [
        {
          flags: '--file <path>',
          description: 'read the value from this file; - for standard input. One newline at its end is removed',
        },
        { flags: '--keep-value', description: 'keep the current value', conflicts: ['file'] },
        pluginOption,
        { flags: '--no-plugins', description: 'withdraw it from every plugin' },
        formatOption('yaml'),
        outputOption,
        ...serverOptions,
      ],
      examples: [
        { command: 'plumbline secrets set NPM_TOKEN --file token.txt', explanation: 'no plugin gets it yet' },
        {
          command: 'plumbline secrets set NPM_TOKEN --keep-value --plugin node-build --plugin node-test',
          explanation: 'the builds of these two get it',
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
