/** Specifications of `plumbline messages attach`, `download` and `watch`, which are not a single request. */
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

export const attachCommand: CommandSpec = {
  name: 'attach',
  summary: 'upload a file for a message; its id goes with `send` or `reply`',
  description:
    'The file is sent while it is read. Its type follows from its name; the server looks at the bytes. Files that no message uses are deleted after a day.',
  arguments: [{ syntax: '<file>', description: 'the file' }],
  options: [
    { flags: '--type <media>', description: 'its media type, such as text/csv', defaultText: 'by its name' },
    formatOption('yaml'),
    outputOption,
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline messages attach build.log --format json', explanation: 'shows the id to send it with' },
  ],
  load: () => import('./attach.js'),
}

export const downloadCommand: CommandSpec = {
  name: 'download',
  summary: 'save an attachment of a message',
  arguments: [{ syntax: '<attachment>', description: 'id of the attachment, as `messages attachments` shows it' }],
  options: [
    {
      flags: '-o, --output <file>',
      description: 'file to write; - for standard output. An existing file is not overwritten',
      defaultText: 'its own name, in this folder',
    },
    { flags: '--thumb', description: 'its thumbnail, where there is one' },
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline messages download 0190…', explanation: 'under the name that it was sent with' },
    { command: 'plumbline messages download 0190… -o - | less', explanation: 'to another program' },
  ],
  load: () => import('./download.js'),
}

export const watchCommand: CommandSpec = {
  name: 'watch',
  summary: 'show messages as they come, until it is stopped',
  description:
    'When the connection breaks, the command reconnects and continues after the last message that it showed.',
  options: [
    {
      ...formatOption('table, a line for each message'),
      description: 'form of the output: with json one line for each event, `{event, data}`',
    },
    { flags: '--count <number>', description: 'end after this many messages', integer: { min: 1, max: 1_000_000 } },
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline messages watch', explanation: 'a line a message' },
    { command: 'plumbline messages watch --json | jq -r .data.message.subject', explanation: 'for a program' },
  ],
  load: () => import('./watch.js'),
}
