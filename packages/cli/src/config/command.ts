/** Specification of `plumbline config`. */
import type { CommandSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'

export const configCommand: CommandSpec = {
  name: 'config',
  summary: 'show the configuration that is in force',
  examples: [
    { command: 'plumbline config print', explanation: 'every setting with its value and where it comes from' },
  ],
  subcommands: [
    {
      name: 'print',
      summary: 'print every setting with its value and its origin',
      description:
        'Prints the settings that `check` would use here, each with where it comes from: an option, a line of the ' +
        'configuration file, or the default.',
      options: [
        { flags: '--server', description: 'the settings of the server instead, secrets named but not shown' },
        ...dataOptions,
      ],
      examples: [
        { command: 'plumbline config print', explanation: 'for people' },
        { command: 'plumbline config print --json', explanation: 'for programs' },
        { command: 'plumbline config print --server', explanation: 'what `plumbline serve` would run with here' },
        { command: 'plumbline --config ci/plumbline.yaml config print', explanation: 'what another file would set' },
      ],
      load: () => import('./print.js'),
    },
  ],
}
