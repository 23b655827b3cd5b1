/** Specification of `plumbline baseline`. */
import { selectionOptions } from '../check/command.js'
import type { CommandSpec, OptionSpec } from '../command.js'
import { dataOptions } from '../program/output-options.js'

const baselineOption: OptionSpec = {
  flags: '--baseline <file>',
  description: 'file of accepted findings',
  defaultText: 'plumbline.baseline.json next to the configuration',
}

const files = { syntax: '[files...]', description: 'files, folders or globs' }

export const baselineCommand: CommandSpec = {
  name: 'baseline',
  summary: "accept today's findings and report only new ones",
  description:
    'A baseline is a file of findings that are accepted for now. `check` hides them, always says how many, and reports ' +
    'every other finding. A finding keeps its place in the baseline when lines move.',
  examples: [
    {
      command: 'plumbline baseline create',
      explanation: 'accept what check reports today, in plumbline.baseline.json',
    },
    { command: 'plumbline baseline prune', explanation: 'forget what no longer occurs' },
    { command: 'plumbline baseline show', explanation: 'what is accepted, by rule' },
  ],
  subcommands: [
    {
      name: 'create',
      summary: "write a baseline of today's findings",
      description:
        'Checks and accepts every finding. Accepted findings of files that are not checked this time stay accepted.',
      arguments: [files],
      options: [...selectionOptions, baselineOption],
      examples: [
        { command: 'plumbline baseline create', explanation: 'accept everything that check would report' },
        { command: 'plumbline baseline create plugins/legacy/', explanation: 'accept the findings of one folder' },
      ],
      load: () => import('./create.js'),
    },
    {
      name: 'prune',
      summary: 'remove accepted findings that no longer occur',
      description: 'Never accepts anything new, so it is safe to run after every repair.',
      arguments: [files],
      options: [...selectionOptions, baselineOption],
      examples: [{ command: 'plumbline baseline prune', explanation: 'after repairs' }],
      load: () => import('./prune.js'),
    },
    {
      name: 'show',
      summary: 'list accepted findings by rule',
      options: [baselineOption, ...dataOptions],
      examples: [
        { command: 'plumbline baseline show', explanation: 'by rule, the most frequent first' },
        { command: 'plumbline baseline show --json', explanation: 'every entry' },
      ],
      load: () => import('./show.js'),
    },
  ],
}
