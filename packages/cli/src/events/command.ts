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

const importCommand: CommandSpec = {
  name: 'import',
  summary: 'tell a server of many events, one JSON object a line; what was told before counts once',
  arguments: [{ syntax: '<file>', description: 'lines of events; - for standard input' }],
  options: [...serverOptions],
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
  subcommands: [sendCommand, importCommand],
}
