/** Specification of the commands of `plumbline ai` that are more than one request. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions, yesOption } from '../../remote/options.js'

const generateOptions: readonly OptionSpec[] = [
  { flags: '--provider <id>', description: 'who drafts it; `plumbline ai providers` lists them' },
  { flags: '--model <id>', description: 'the model of that provider' },
  { flags: '--fallback <id>', description: 'asked when the provider is away', repeatable: true },
  { flags: '--api-key-env <name>', description: 'variable with a key for this request alone' },
  { flags: '--previous <file>', description: 'what is to be changed, as JSON or YAML; the differences are shown' },
  { flags: '--save', description: 'create it on the server, after a question on a terminal' },
  yesOption,
  formatOption('yaml'),
  outputOption,
  ...serverOptions,
]

const generate = (kind: 'pipeline' | 'plugin', example: string): CommandSpec => ({
  name: kind,
  summary: `draft a ${kind} from a prompt`,
  description: `The draft passed the schema and the checks of the server, and the verdict of your rules is shown with it. Nothing is stored without --save. Exits 1 when rules block the draft.`,
  arguments: [{ syntax: '<prompt>', description: 'what is wanted, in your words' }],
  options: generateOptions,
  examples: [
    {
      command: `plumbline ai generate ${kind} "${example}"`,
      explanation: 'the draft as YAML, its verdict on standard error',
    },
    { command: `plumbline ai generate ${kind} "${example}" --save`, explanation: 'asks, then creates it' },
  ],
  load: () => import('./generate.js').then((module) => ({ run: module.generate(kind) })),
})

export const generateCommand: CommandSpec = {
  name: 'generate',
  summary: 'draft a pipeline or a plugin from a prompt',
  examples: [
    { command: 'plumbline ai generate pipeline "node service, tests, deploy to staging"', explanation: 'a pipeline' },
  ],
  subcommands: [
    generate('pipeline', 'node service, tests, deploy to staging'),
    generate('plugin', 'lint Python with ruff'),
  ],
}

export const fakeCommand: CommandSpec = {
  name: 'fake',
  summary: 'run a fake of every provider of models, for trials',
  description:
    'Speaks the wires of Anthropic, OpenAI, Google, xAI, Amazon Bedrock and self-hosted models on one port of this machine, and prints the settings that lead a server to it. It needs no account and no key.',
  options: [
    { flags: '--port <number>', description: 'port to listen on', integer: { min: 0, max: 65_535 }, default: 4010 },
    {
      flags: '--misbehave <list>',
      description:
        'kinds of bad answers between commas, one a request in turn, such as `good,500,cut`; `list` prints them',
    },
  ],
  examples: [
    { command: 'plumbline ai fake', explanation: 'on port 4010' },
    {
      command: 'plumbline ai fake --misbehave off-schema,good',
      explanation: 'each second answer is refused and repaired',
    },
  ],
  load: () => import('./fake.js'),
}
