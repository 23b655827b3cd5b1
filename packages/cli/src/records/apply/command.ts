/** Specification of `plumbline apply`, and of `apply` below a kind of record. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

const files = { syntax: '[files...]', description: 'files or folders to apply; - for standard input' }

const options: readonly OptionSpec[] = [
  { flags: '--file <path>', description: 'file or folder to apply, as an option', repeatable: true },
  { flags: '--dry-run', description: 'show what would change, and what compliance says; change nothing' },
  { flags: '--prune', description: 'delete records that the selector selects and no document names' },
  { flags: '-l, --selector <label=value>', description: 'the label that --prune selects by', repeatable: true },
  formatOption('table, one line for each document'),
  { ...outputOption, description: 'with json and yaml: write to this file' },
  ...serverOptions,
]

export const applyCommand: CommandSpec = {
  name: 'apply',
  summary: 'create or update records on a server from files',
  description:
    'Reads documents of the kinds Rule, Policy, PipelineTemplate, Plugin and Pipeline (YAML or JSON, any number in one file), compares each with ' +
    'the live record of the same key, and creates or updates only what differs: a second run changes nothing. Fields that ' +
    'a document leaves out stay as they are. Exits 1 when compliance blocks a document, 3 when one could not be applied; ' +
    'the others are applied all the same.',
  arguments: [files],
  options,
  examples: [
    { command: 'plumbline apply records/', explanation: 'every document of a folder' },
    { command: 'plumbline apply records/ --dry-run', explanation: 'the changes and the verdict, in a pull request' },
    {
      command: 'plumbline apply records/ --prune --selector repository=web-shop',
      explanation: 'and delete what was removed from the folder',
    },
  ],
  load: () => import('./run.js'),
}

export const applyKindCommand = (resource: string, one: string, kind: string): CommandSpec => ({
  name: 'apply',
  summary: `create or update ${resource} from files`,
  description: `As \`plumbline apply\`; a document that does not say its kind is a ${kind}.`,
  arguments: [files],
  options,
  examples: [
    {
      command: `plumbline ${resource} apply ${one}.yaml`,
      explanation: 'creates it, updates it, or finds it unchanged',
    },
  ],
  load: () => import('./run.js').then(({ applyKind }) => ({ run: applyKind(resource) })),
})
