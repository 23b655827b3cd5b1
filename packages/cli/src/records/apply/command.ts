/** Specification of `plumbline apply`, and of `apply` below a kind of record. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { serverOptions } from '../../remote/options.js'

const options: readonly OptionSpec[] = [
  { flags: '-f, --file <path>', description: 'file or folder to apply; - for standard input', repeatable: true },
  { flags: '--dry-run', description: 'show what would change, and what compliance says; change nothing' },
  { flags: '--prune', description: 'delete records that the selector selects and no document names' },
  { flags: '-l, --selector <label=value>', description: 'the label that --prune selects by', repeatable: true },
  {
    flags: '--format <name>',
    description: 'form of the output',
    choices: ['table', 'json', 'yaml'],
    defaultText: 'table, a line a document',
  },
  { flags: '-o, --output <file>', description: 'with json and yaml: write to this file' },
  ...serverOptions,
]

export const applyCommand: CommandSpec = {
  name: 'apply',
  summary: 'bring records on a server to what files say',
  description:
    'Reads documents of the kinds Rule, PipelineTemplate, Plugin and Pipeline (YAML or JSON, several a file), compares each with ' +
    'the live record of the same key, and creates or updates only what differs: a second run changes nothing. Fields that ' +
    'a document leaves out stay as they are. Exits 1 when compliance blocks a document, 3 when one could not be applied; ' +
    'the others are applied all the same.',
  options,
  examples: [
    { command: 'plumbline apply -f records/', explanation: 'every document of a folder' },
    { command: 'plumbline apply -f records/ --dry-run', explanation: 'the changes and the verdict, in a pull request' },
    {
      command: 'plumbline apply -f records/ --prune --selector repository=web-shop',
      explanation: 'and delete what was removed from the folder',
    },
  ],
  load: () => import('./run.js'),
}

export const applyKindCommand = (resource: string, one: string, kind: string): CommandSpec => ({
  name: 'apply',
  summary: `create or update ${resource} from files`,
  description: `As \`plumbline apply\`; a document that does not say its kind is a ${kind}.`,
  options,
  examples: [
    {
      command: `plumbline ${resource} apply -f ${one}.yaml`,
      explanation: 'creates it, updates it, or finds it unchanged',
    },
  ],
  load: () => import('./run.js').then(({ applyKind }) => ({ run: applyKind(resource) })),
})
