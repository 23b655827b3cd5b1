/** The commands of `plumbline ai`: providers, keys, budget, history. */
import type { Action, Flag, Resource } from './resource.js'

const KEYS = [
  { id: 'anthropic', what: 'key at Anthropic' },
  { id: 'openai', what: 'key at OpenAI' },
  { id: 'google', what: 'key at Google' },
  { id: 'xai', what: 'key at xAI' },
  { id: 'amazon-bedrock', what: 'key at Amazon Bedrock' },
  { id: 'openai-compatible', what: 'key of a self-hosted model' },
]

const keyFlags = ({ id, what }: (typeof KEYS)[number]): readonly Flag[] => [
  { flags: `--${id}-env <name>`, description: `variable that holds the ${what}`, sends: id, holds: 'key' },
  {
    flags: `--remove-${id}`,
    description: `remove the ${what}`,
    sends: id,
    value: '',
    conflicts: [`${id.replace(/-(.)/, (_, letter: string) => letter.toUpperCase())}Env`],
  },
]

const actions: readonly Action[] = [
  {
    name: 'providers',
    summary: 'list the providers of models, and which have a key here',
    method: 'GET',
    path: '/pipelines/providers',
    shows: {
      as: 'rows',
      key: 'providers',
      columns: { provider: 'id', name: 'name', configured: 'configured', key: 'keySource' },
    },
    examples: [
      { command: 'plumbline ai providers', explanation: 'whose key is used: the organization’s or the server’s' },
    ],
  },
  {
    name: 'keys',
    summary: 'set a key of the organization; without one, list the last characters of each key',
    description:
      'Keys are encrypted and never shown again. The command reads them from environment variables, so that no key is in the list of processes or in the history of your shell.',
    method: 'PUT',
    path: '/organization/ai-config',
    body: KEYS.flatMap(keyFlags),
    shows: { as: 'rows', key: 'config.keys', columns: { provider: 'provider', hint: 'hint', updated: 'updatedAt' } },
    examples: [
      { command: 'plumbline ai keys', explanation: 'the providers with a key, by its last four characters' },
      { command: 'plumbline ai keys --anthropic-env ANTHROPIC_KEY', explanation: 'set one' },
      { command: 'plumbline ai keys --remove-anthropic', explanation: 'remove it' },
    ],
  },
  {
    name: 'budget',
    summary: 'set the budget of a month; without a figure, show it and what is spent',
    method: 'PUT',
    path: '/organization/ai-config',
    body: [
      {
        flags: '--tokens <number>',
        description: 'limit of tokens in a month',
        sends: 'monthlyTokens',
        integer: { min: 0 },
      },
      {
        flags: '--unlimited-tokens',
        description: 'remove the limit of tokens',
        sends: 'monthlyTokens',
        value: null,
        conflicts: ['tokens'],
      },
      {
        flags: '--micro-usd <number>',
        description: 'limit of money in a month, in millionths of a dollar',
        sends: 'monthlyMicroUsd',
        integer: { min: 0 },
      },
      {
        flags: '--unlimited-micro-usd',
        description: 'remove the limit of money',
        sends: 'monthlyMicroUsd',
        value: null,
        conflicts: ['microUsd'],
      },
    ],
    shows: { as: 'record', key: 'config' },
    examples: [
      { command: 'plumbline ai budget --tokens 2000000', explanation: 'two million tokens a month' },
      { command: 'plumbline ai budget --unlimited-tokens', explanation: 'removes that limit' },
    ],
  },
  {
    name: 'history',
    summary: 'list generations, the newest first',
    method: 'GET',
    path: '/ai/generations',
    query: [{ flags: '--state <name>', description: 'of this state, such as `done`' }],
    shows: {
      as: 'list',
      key: 'generations',
      columns: {
        kind: 'kind',
        state: 'state',
        verdict: 'verdict',
        provider: 'provider',
        model: 'model',
        tokens: 'usage.totalTokens',
        created: 'createdAt',
        id: 'id',
      },
    },
    examples: [{ command: 'plumbline ai history --state done', explanation: 'with the id of each draft' }],
  },
  {
    name: 'show',
    summary: 'show a generation with its draft, for 30 days',
    method: 'GET',
    path: '/ai/generations/{id}',
    arguments: [{ syntax: '<generation>', description: 'id of the generation', means: 'path', sends: 'id' }],
    shows: { as: 'record', key: 'generation' },
    examples: [{ command: 'plumbline ai show 0190… --format json', explanation: 'with what the model drafted' }],
  },
]

export const generations: Resource = {
  name: 'ai',
  one: 'generation',
  summary: 'draft pipelines and plugins with a model, within your rules',
  path: '/ai/generations',
  listKey: 'generations',
  key: {
    argument: { syntax: '<generation>', description: 'id of the generation' },
    example: '0190…',
    fields: ['id'],
    separator: '@',
  },
  columns: {},
  filters: [],
  hasOwnActions: true,
  actions,
  examples: [
    {
      command: 'plumbline ai generate pipeline "node service, tests, deploy to staging"',
      explanation: 'a draft that passed your rules',
    },
  ],
}
