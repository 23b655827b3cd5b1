/** Specification of `plumbline lint`. */
import type { CommandSpec } from '../command.js'
import { rulesOption } from '../program/input-options.js'
import { lintFormats } from './formats.js'

export const lintCommand: CommandSpec = {
  name: 'lint',
  summary: 'find mistakes in the rules themselves',
  description:
    'Static analysis of rules: contradictions, rules that no entity can pass or none can violate, duplicates, rules ' +
    'that a gate makes unreachable, values that are not what they look like. Each finding has a proof: an entity ' +
    'that shows it or the reason in words. `--fix` makes the changes that keep every verdict.',
  arguments: [
    { syntax: '[rules...]', description: 'rule files, folders or globs; those of the configuration by default' },
  ],
  options: [
    rulesOption,
    { flags: '--fix', description: 'make the changes that are certain, in the files, keeping comments and layout' },
    {
      flags: '--fail-on <severity>',
      description: 'exit 1 when a finding has at least this severity',
      choices: ['info', 'warning', 'error', 'none'],
      default: 'warning',
    },
    { flags: '--unknown', description: 'show questions that could not be decided too' },
    {
      flags: '-f, --format <name>',
      description: 'report format, to standard output or with =file to a file',
      choices: lintFormats,
      assignable: true,
      repeatable: true,
      defaultText: 'pretty',
    },
  ],
  examples: [
    { command: 'plumbline lint', explanation: 'the rules that the configuration names' },
    { command: 'plumbline lint rules/ --fix', explanation: 'repair what can be repaired without changing a verdict' },
    {
      command: 'plumbline lint --fail-on error --format sarif=lint.sarif --format pretty',
      explanation: 'for code scanning',
    },
  ],
  load: () => import('./run.js'),
}
