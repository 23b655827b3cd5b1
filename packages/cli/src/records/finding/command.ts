/** Specification of `plumbline scans findings` and `plumbline rules findings`. */
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'
import { optionsOf } from '../options.js'
import { checkFilters } from './filters.js'

const FORMS = 'CSV is safe to open in a spreadsheet; SARIF 2.1.0 is for code scanning.'
const forms = [{ ...formatOption('table'), choices: ['table', 'json', 'yaml', 'csv', 'sarif'] }, outputOption]

export const scanFindingsCommand: CommandSpec = {
  name: 'findings',
  summary: 'list or export the findings of a scan, also those that exemptions cover',
  description: FORMS,
  arguments: [{ syntax: '<scan>', description: 'id of the scan' }],
  options: [...forms, ...serverOptions],
  examples: [
    { command: 'plumbline scans findings 0190…', explanation: 'in a table' },
    { command: 'plumbline scans findings 0190… --format sarif -o findings.sarif', explanation: 'for code scanning' },
  ],
  load: () => import('./of-scan.js'),
}

export const checkFindingsCommand: CommandSpec = {
  name: 'findings',
  summary: 'list or export the findings of checks, the oldest first, also those that exemptions cover',
  description: `Each finding is listed as often as it was found. ${FORMS}`,
  options: [...optionsOf(checkFilters), ...forms, ...serverOptions],
  examples: [
    {
      command: 'plumbline rules findings --from 2026-11-01 --result block',
      explanation: 'what was blocked since then',
    },
    {
      command: 'plumbline rules findings --from 2026-11-01 --format csv -o findings.csv',
      explanation: 'for a spreadsheet',
    },
  ],
  load: () => import('./of-checks.js'),
}
