/** Specification of `plumbline diff`. */
import type { CommandSpec } from '../command.js'
import { rulesOption, targetOption } from '../program/input-options.js'
import { diffFormats } from './formats.js'

export const diffCommand: CommandSpec = {
  name: 'diff',
  summary: 'show what a change of rules means for each rule, and for plugins and pipelines',
  description:
    'Compares two rule sets: which rules changed in meaning and which only in wording, and which entities become ' +
    'blocked, allowed or warned. Each side is a rule file, a folder or a git ref. At a git ref, the command reads the ' +
    'rules of --rules or of the configuration. Without --entities, it generates entities that show a difference.',
  arguments: [
    { syntax: '<before>', description: 'rule file, folder or git ref; `git:name` is always a ref' },
    { syntax: '[after]', description: 'the same; the working tree by default' },
  ],
  options: [
    { ...rulesOption, description: 'rule file, folder or glob to read at a git ref and in the working tree' },
    {
      flags: '-e, --entities <path>',
      description: 'plugin and pipeline files, folders or globs to compare the rules on',
      repeatable: true,
    },
    { ...targetOption, description: 'what the entity files describe' },
    { flags: '--raw', description: 'evaluate entity files as written, without projection and aliases' },
    {
      flags: '--max-samples <count>',
      description: 'entities to name in each group',
      integer: { max: 1000 },
      default: 10,
    },
    {
      flags: '--fail-on <change>',
      description: 'exit 1 when an entity becomes blocked, or allowed, or a rule changes in meaning (any)',
      choices: ['none', 'blocked', 'allowed', 'any'],
      default: 'none',
    },
    {
      flags: '-f, --format <name>',
      description: 'report format, to standard output or with =file to a file',
      choices: diffFormats,
      assignable: true,
      repeatable: true,
      defaultText: 'pretty',
    },
  ],
  examples: [
    {
      command: 'plumbline diff origin/main',
      explanation: 'what the rules in the working tree change against the main branch',
    },
    {
      command: 'plumbline diff origin/main HEAD --entities plugins/ --format markdown=diff.md',
      explanation: 'a comment for the pull request, with the plugins that it would block',
    },
    {
      command: 'plumbline diff rules-2025/ rules-2026/ --fail-on allowed',
      explanation: 'two folders; fail when something gets laxer',
    },
  ],
  load: () => import('./run.js'),
}
