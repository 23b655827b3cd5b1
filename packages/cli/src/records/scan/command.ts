/** Specification of `plumbline scans start`, `scans watch` and `plumbline scan`, which is the first of them. */
import type { CommandSpec } from '../../command.js'
import { serverOptions } from '../../remote/options.js'
import { formatOption, outputOption } from '../options.js'

const EXITS = 'While it is followed, exits 1 when records are blocked, 3 when the scan failed or was cancelled.'

const startOptions = [
  {
    flags: '--target <kind>',
    description: 'what is scanned',
    choices: ['plugin', 'pipeline', 'all'],
    default: 'all',
  },
  { flags: '--name <text>', description: 'records whose name holds this' },
  { flags: '--access <modifier>', description: 'records with this access', choices: ['private', 'public'] },
  { flags: '--entity <id>', description: 'this record', repeatable: true },
  { flags: '--dry-run', description: 'counts alone: no entries in the check log, nobody is told' },
  { flags: '--watch', description: 'follow it to its end' },
  formatOption('yaml'),
  outputOption,
  ...serverOptions,
]

const start = (name: string, command: string): CommandSpec => ({
  name,
  summary: 'check the stored records of an organization against its rules',
  description: `The scan runs on the server. ${EXITS}`,
  options: startOptions,
  examples: [
    { command: `${command} --watch`, explanation: 'everything, with its progress' },
    { command: `${command} --target plugin --dry-run --watch`, explanation: 'how many plugins would be blocked' },
  ],
  load: () => import('./start.js'),
})

export const scanCommand = start('scan', 'plumbline scan')
export const startScanCommand = start('start', 'plumbline scans start')

export const watchScanCommand: CommandSpec = {
  name: 'watch',
  summary: 'follow a scan to its end',
  description: `A bar on a terminal, a line now and then elsewhere; both on standard error. ${EXITS}`,
  arguments: [{ syntax: '<scan>', description: 'id of the scan' }],
  options: [formatOption('yaml'), outputOption, ...serverOptions],
  examples: [{ command: 'plumbline scans watch 0190…', explanation: 'until it is over' }],
  load: () => import('./watch.js'),
}
