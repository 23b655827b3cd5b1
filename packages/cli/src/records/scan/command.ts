/** Specification of `plumbline scans start` and `scans watch`. */

import { VOCABULARY } from '../../api-facts.js'
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

const EXITS = 'While it is followed, exits 1 when records are blocked, 3 when the scan failed or was cancelled.'

const startOptions = [
  {
    flags: '--target <kind>',
    description: 'what is scanned',
    choices: [...VOCABULARY.target, 'all'],
    default: 'all',
  },
  { flags: '--name <text>', description: 'records whose name contains this' },
  { flags: '--access <modifier>', description: 'records with this access', choices: VOCABULARY.access },
  { flags: '--entity <id>', description: 'this record', repeatable: true },
  { flags: '--dry-run', description: 'only count: no entries in the check log, no notifications' },
  { flags: '--watch', description: 'follow it until it ends' },
  formatOption('table'),
  outputOption,
  ...serverOptions,
]

export const startScanCommand: CommandSpec = {
  name: 'start',
  summary: 'check the stored records of an organization against its rules',
  description: `The scan runs on the server. ${EXITS}`,
  options: startOptions,
  examples: [
    { command: 'plumbline scans start --watch', explanation: 'everything, with its progress' },
    {
      command: 'plumbline scans start --target plugin --dry-run --watch',
      explanation: 'counts the plugins that would be blocked',
    },
  ],
  load: () => import('./start.js'),
}

export const watchScanCommand: CommandSpec = {
  name: 'watch',
  summary: 'follow a scan until it ends',
  description: `A progress bar on a terminal, a line from time to time elsewhere; both on standard error. ${EXITS}`,
  arguments: [{ syntax: '<scan>', description: 'id of the scan' }],
  options: [formatOption('table'), outputOption, ...serverOptions],
  examples: [{ command: 'plumbline scans watch 0190…', explanation: 'until it ends' }],
  load: () => import('./watch.js'),
}
