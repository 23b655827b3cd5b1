/** Specification of the commands of `plumbline ai` that take more than one request. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions, yesOption } from '../../remote/options.js'

const modelOptions: readonly OptionSpec[] = [
  { flags: '--provider <id>', description: 'provider of the model; `plumbline ai providers` lists them' },
  { flags: '--model <id>', description: 'the model of that provider' },
  { flags: '--api-key-env <name>', description: 'variable with a key for this request alone' },
]
const generateOptions: readonly OptionSpec[] = [
  ...modelOptions,
  { flags: '--fallback <id>', description: 'provider to use when the first one does not answer', repeatable: true },
  { flags: '--previous <file>', description: 'the record to change, as JSON or YAML; the differences are shown' },
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
  arguments: [{ syntax: '<prompt>', description: 'what the draft should do, in your words' }],
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

export const fromUrlCommand: CommandSpec = {
  name: 'from-url',
  summary: 'draft a pipeline from a repository',
  description:
    'The server reads the repository through the API of its host: file names, manifests and the README. It treats them as data, and the draft lists what you should check. Nothing is stored without --save. Exits 1 when rules block the draft.',
  arguments: [
    { syntax: '<address>', description: 'such as `https://github.com/acme/shop` or `git@github.com:acme/shop.git`' },
  ],
  options: [
    ...modelOptions,
    { flags: '--ref <name>', description: 'a branch, a tag or a commit; by default, the default branch' },
    { flags: '--repo-token-env <name>', description: 'variable with a token that may read the repository' },
    { flags: '--previous <file>', description: 'a pipeline as JSON or YAML; the differences to it are shown' },
    { flags: '--save', description: 'create it on the server, after a question on a terminal' },
    yesOption,
    formatOption('yaml'),
    outputOption,
    ...serverOptions,
  ],
  examples: [
    {
      command: 'plumbline ai from-url https://github.com/acme/shop',
      explanation: 'what the repository is, the draft as YAML, its verdict on standard error',
    },
    {
      command: 'plumbline ai from-url git@gitlab.com:acme/shop.git --repo-token-env GITLAB_TOKEN --save',
      explanation: 'a private one; asks, then creates the pipeline',
    },
  ],
  load: () => import('./generate.js').then((module) => ({ run: module.fromUrl })),
}

export const fakeCommand: CommandSpec = {
  name: 'fake',
  summary: 'run fake providers of models and of repositories, for trials',
  description:
    'Has the APIs of Anthropic, OpenAI, Google, xAI, Amazon Bedrock and self-hosted models on one port of this machine, has repositories of GitHub, GitLab and Bitbucket such as `https://git.test/acme/shop`, and prints the settings that a server needs to use it. It needs no account and no key.',
  options: [
    { flags: '--port <number>', description: 'port to listen on', integer: { min: 0, max: 65_535 }, default: 4010 },
    {
      flags: '--misbehave <list>',
      description:
        'kinds of bad answers, separated by commas, one for each request in turn, such as `good,500,cut`; `list` prints them',
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
