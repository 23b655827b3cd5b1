/** Specification of `plumbline plugins build-logs`. */
import type { CommandSpec } from '../command.js'
import { serverOptions } from '../remote/options.js'

export const buildLogsCommand: CommandSpec = {
  name: 'build-logs',
  summary: 'show the log of a build',
  arguments: [{ syntax: '<job>', description: 'id of the build, as `upload` and `builds` show it' }],
  options: [
    { flags: '--follow', description: 'follow until the build ends; exits 1 when it did not succeed' },
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline plugins build-logs 0190…', explanation: 'its last 256 KiB' },
    { command: 'plumbline plugins build-logs 0190… --follow', explanation: 'line after line, as they are written' },
  ],
  load: () => import('./follow-log.js'),
}
