/** Specification of `plumbline impact`. */
import type { CommandSpec } from '../command.js'
import { rawOption, rulesOption, targetOption } from '../program/input-options.js'
import { impactFormats } from './formats.js'

export const impactCommand: CommandSpec = {
  name: 'impact',
  summary: 'count how many plugins and pipelines each rule would fail',
  description:
    'Checks each entity with each rule and counts how many would fail, with samples. Only the conditions count: ' +
    'dates, exemptions and the baseline are ignored, templates and rules that are switched off are included, ' +
    'and gates count as open unless `--gates evaluate` says otherwise.',
  arguments: [
    { syntax: '[files...]', description: 'plugin and pipeline files, folders or globs; `-` for standard input' },
  ],
  options: [
    rulesOption,
    { flags: '--rule <name>', description: 'only this rule, by name or id', repeatable: true },
    targetOption,
    {
      flags: '--gates <how>',
      description: 'count every check, or only those whose gate is open',
      choices: ['open', 'evaluate'],
      default: 'open',
    },
    {
      flags: '--max-samples <count>',
      description: 'failing entities to name for each rule',
      integer: { max: 1000 },
      default: 3,
    },
    rawOption,
    {
      flags: '-f, --format <name>',
      description: 'report format, to standard output or with =file to a file',
      choices: impactFormats,
      assignable: true,
      repeatable: true,
      defaultText: 'pretty',
    },
  ],
  examples: [
    { command: 'plumbline impact plugins/ --rules rules/', explanation: 'how many plugins each rule would stop' },
    {
      command: 'plumbline impact --rule plugin-timeout-bounded --max-samples 20',
      explanation: 'which plugins a rule would block, before it is switched on',
    },
    { command: 'plumbline impact --gates evaluate --format json', explanation: 'for programs, as rules are evaluated' },
  ],
  load: () => import('./run.js'),
}
