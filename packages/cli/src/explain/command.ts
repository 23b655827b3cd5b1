/** Specification of `plumbline explain`. */
import type { CommandSpec } from '../command.js'
import { exemptionsOption, rawOption, rulesOption, targetOption } from '../program/input-options.js'

export const explainCommand: CommandSpec = {
  name: 'explain',
  summary: 'say what a rule means, or why it passes or fails on a file',
  description:
    'With a file: each condition of the rule with what was expected and what was found, its gates, and why it was ' +
    'skipped. Without a file: what the rule means, in words.',
  arguments: [
    { syntax: '<rule>', description: 'name or id of the rule' },
    { syntax: '[files...]', description: 'plugin or pipeline files; `-` for standard input' },
  ],
  options: [
    rulesOption,
    targetOption,
    exemptionsOption,
    {
      flags: '--as-of <instant>',
      description: 'explain as at this ISO 8601 instant: dates of rules and exemptions',
      defaultText: 'now',
    },
    rawOption,
    { flags: '-f, --format <name>', description: 'report format', choices: ['pretty', 'json'], default: 'pretty' },
  ],
  examples: [
    { command: 'plumbline explain plugin-unprivileged', explanation: 'what the rule means' },
    {
      command: 'plumbline explain plugin-unprivileged plugins/build.yaml',
      explanation: 'why it passes or fails there',
    },
    {
      command: 'plumbline explain plugin-timeout plugins/ --as-of 2027-01-01T00:00:00Z',
      explanation: 'the verdict once the rule is in force',
    },
  ],
  load: () => import('./run.js'),
}
