/** Specification of `plumbline events …`: what pipelines did, told to a server. */
import type { CommandSpec } from '../command.js'
import { serverOptions } from '../remote/options.js'

const sendCommand: CommandSpec = {
  name: 'send',
  summary: 'tell a server what one run of a pipeline did, as a service principal',
  options: [
    { flags: '--pipeline <id>', description: 'the pipeline; needed' },
    { flags: '--execution <id>', description: 'id of the run; a new one when left out' },
    {
      flags: '--status <name>',
      description: 'how it ended',
      choices: ['STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SUPERSEDED'],
      default: 'SUCCEEDED',
    },
    { flags: '--environment <name>', description: 'where it deployed to' },
    { flags: '--stage <name>', description: 'the stage that deployed', default: 'Deploy' },
    { flags: '--sha <commit>', description: 'the commit' },
    { flags: '--committed <instant>', description: 'when the commit was made' },
    { flags: '--started <instant>', description: 'when it began; when it ended unless said' },
    { flags: '--completed <instant>', description: 'when it ended; now unless said' },
    { flags: '--error <text>', description: 'of what it failed' },
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline events send --pipeline 0190… --environment production', explanation: 'a deployment, now' },
    {
      command: 'plumbline events send --pipeline 0190… --status FAILED --error "timed out"',
      explanation: 'a run that failed',
    },
  ],
  load: () => import('./send.js'),
}

const sourceOption = {
  flags: '--source <url>',
  description: 'deliver to this source, signed with PLUMBLINE_SOURCE_SECRET',
}

const fakeCommand: CommandSpec = {
  name: 'fake',
  summary:
    'invent a history of runs as a forge or an engine delivers it, with doubles and disorder; the same for a seed',
  arguments: [{ syntax: '<format>', description: 'who delivers', choices: ['github', 'gitlab', 'cdevents', 'otlp'] }],
  options: [
    {
      flags: '--seed <number>',
      description: 'what the history follows from',
      integer: { min: 1, max: 1_000_000 },
      defaultText: '1',
    },
    { flags: '--days <number>', description: 'how far it goes back', integer: { min: 1, max: 730 }, defaultText: '30' },
    { flags: '--until <instant>', description: 'the day before which it ends; today unless said' },
    { flags: '--repository <name>', description: 'what the pipeline is known by', defaultText: 'acme/shop' },
    sourceOption,
  ],
  examples: [
    { command: 'plumbline events fake github --seed 7 --days 90 > history.jsonl', explanation: 'one delivery a line' },
    {
      command:
        'plumbline events fake gitlab --source https://plumbline.example.com/api/reports/events/webhook/gitlab/0190…',
      explanation: 'delivered, signed with PLUMBLINE_SOURCE_SECRET',
    },
  ],
  load: () => import('./fake.js'),
}

const importCommand: CommandSpec = {
  name: 'import',
  summary: 'tell a server of many events; what was told before counts once',
  description:
    'Without --source a file has one event a line. With it, a file has pages of workflow runs (GitHub), lists of pipelines (GitLab), CDEvents or deliveries of `events fake`, as one JSON document or one a line.',
  arguments: [{ syntax: '<file>', description: 'lines of events; - for standard input' }],
  options: [sourceOption, ...serverOptions],
  examples: [
    {
      command: 'plumbline events import history.jsonl',
      explanation: 'after an error, run it again: nothing counts twice',
    },
  ],
  load: () => import('./import.js'),
}

export const eventsCommand: CommandSpec = {
  name: 'events',
  summary: 'tell a server what pipelines did',
  examples: [
    { command: 'plumbline events send --pipeline 0190… --environment production', explanation: 'a deployment, now' },
  ],
  subcommands: [sendCommand, importCommand, fakeCommand],
}
