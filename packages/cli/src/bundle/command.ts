/** Specification of `plumbline bundle …`: the rules of an organization, signed, for places without a server. */
import type { CommandSpec, OptionSpec } from '../command.js'
import { dataOptions, outputOption } from '../program/output-options.js'
import { serverOptions } from '../remote/options.js'

const file = { syntax: '<file>', description: 'bundle that `bundle fetch` wrote' }
const opening: readonly OptionSpec[] = [
  { flags: '--key <file>', description: 'verifier keys of the server (`GET /api/audit/key`)', repeatable: true },
  { flags: '--org <id>', description: 'the organization that the bundle must belong to' },
]

export const bundleCommand: CommandSpec = {
  name: 'bundle',
  summary: 'fetch, verify and show the signed rules of an organization',
  description:
    'A bundle holds the rules that apply to an organization, with their rollouts and its exemptions. The server signs it; it is ' +
    'valid for some days. `plumbline check --bundle` checks with it where no server can be reached.',
  examples: [
    { command: 'plumbline bundle fetch -o rules.bundle.json', explanation: 'once a day, for CI' },
    {
      command: 'plumbline check plugins/ --bundle rules.bundle.json --key audit.pub',
      explanation: 'without the server',
    },
  ],
  subcommands: [
    {
      name: 'fetch',
      summary: 'fetch a bundle from the server',
      options: [
        {
          flags: '--days <number>',
          description: 'days for which the bundle is valid',
          integer: { min: 1, max: 30 },
          defaultText: '7',
        },
        { ...outputOption, description: 'file to write; standard output when left out' },
        ...serverOptions,
      ],
      examples: [{ command: 'plumbline bundle fetch --days 30 -o rules.bundle.json', explanation: 'good for a month' }],
      load: () => import('./run.js').then(({ fetchBundle }) => ({ run: fetchBundle })),
    },
    {
      name: 'verify',
      summary: 'verify the signature, the organization and the dates of a bundle',
      arguments: [file],
      options: [...opening, ...dataOptions],
      examples: [{ command: 'plumbline bundle verify rules.bundle.json --key audit.pub', explanation: 'exit 0, or 2' }],
      load: () => import('./run.js').then(({ verifyBundle }) => ({ run: verifyBundle })),
    },
    {
      name: 'show',
      summary: 'list the rules of a bundle, once it is verified',
      arguments: [file],
      options: [...opening, ...dataOptions],
      examples: [{ command: 'plumbline bundle show rules.bundle.json --key audit.pub', explanation: 'in a table' }],
      load: () => import('./run.js').then(({ showBundle }) => ({ run: showBundle })),
    },
  ],
}
