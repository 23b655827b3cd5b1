/** Specification of `plumbline events …`: reports to a server what pipelines did. */
import type { CommandSpec } from '../command.js'
import { serverOptions } from '../remote/options.js'

const sendCommand: CommandSpec = {
  name: 'send',
  summary: 'send one run of a pipeline to a server, as a service principal',
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
    { flags: '--started <instant>', description: 'when the run began; by default, when it ended' },
    { flags: '--completed <instant>', description: 'when the run ended; by default, now' },
    { flags: '--error <text>', description: 'the error of a failed run' },
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
    'generate a history of runs in the format of a forge or an engine, with duplicates and out of order; the same seed gives the same history',
  arguments: [
    {
      syntax: '<format>',
      description: 'the sender that the history imitates',
      choices: ['github', 'gitlab', 'cdevents', 'otlp'],
    },
  ],
  options: [
    {
      flags: '--seed <number>',
      description: 'seed of the random history',
      integer: { min: 1, max: 1_000_000 },
      defaultText: '1',
    },
    {
      flags: '--days <number>',
      description: 'how many days the history covers',
      integer: { min: 1, max: 730 },
      defaultText: '30',
    },
    { flags: '--until <instant>', description: 'the day before which the history ends; by default, today' },
    { flags: '--repository <name>', description: 'the name of the pipeline in these events', defaultText: 'acme/shop' },
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
  summary: 'send many events to a server; an event that was sent before counts once',
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
  summary: 'send the runs of pipelines to a server',
  examples: [
    { command: 'plumbline events send --pipeline 0190… --environment production', explanation: 'a deployment, now' },
  ],
  subcommands: [sendCommand, importCommand, fakeCommand],
}
