/** Specification of `plumbline check`. */

import { VOCABULARY } from '../api-facts.js'
import type { CommandSpec, OptionSpec } from '../command.js'
import { exemptionsOption, rawOption, rulesOption, targetOption } from '../program/input-options.js'
import { urlOption } from '../remote/options.js'
import { formats } from '../report/format-name.js'

/** Options that select which entities are checked with which rules. `check` and `baseline` share them. */
export const selectionOptions: readonly OptionSpec[] = [
  rulesOption,
  {
    flags: '--library <name>',
    description: 'rules of a library that Plumbline ships, besides those of --rules; advanced includes standard',
    choices: ['starter', 'standard', 'advanced'],
    repeatable: true,
    conflicts: ['org', 'bundle'],
  },
  targetOption,
  exemptionsOption,
  {
    flags: '--as-of <instant>',
    description: 'evaluate as at this ISO 8601 instant: dates of rules and exemptions',
    defaultText: 'now',
  },
  {
    flags: '--no-match <action>',
    description: 'what to do when a folder or glob matches nothing, or a file holds an empty list',
    choices: ['ok', 'warn', 'fail'],
    defaultText: 'fail',
  },
  { flags: '--since <ref>', description: 'check only files that changed since this git ref' },
  {
    flags: '--policy-from <ref>',
    description:
      'read configuration, rules, exemptions and baseline from this git ref, and report what changed in them; the ' +
      'change that adds the first policy is checked with its own',
  },
  rawOption,
  {
    flags: '--stdin-filename <name>',
    description: 'file name for standard input, in reports and to choose its format',
  },
  {
    flags: '-j, --jobs <count>',
    description: 'worker threads; results keep their order',
    integer: { min: 1, max: 64 },
    defaultText: '1, and 2 from 500 files on',
  },
]

export const checkCommand: CommandSpec = {
  name: 'check',
  summary: 'check plugin and pipeline files against rules',
  description:
    'Evaluates the plugins and pipelines in YAML, JSON and NDJSON files against rules, and reports every finding with ' +
    'its file, line and column. Without files it checks those that the configuration names. `-` is standard input.',
  arguments: [{ syntax: '[files...]', description: 'files, folders or globs; `-` for standard input' }],
  options: [
    ...selectionOptions,
    {
      flags: '--fail-on <severity>',
      description: 'exit 1 when a finding has at least this severity',
      choices: [...VOCABULARY.severity, 'none'],
      defaultText: 'error',
    },
    {
      flags: '-f, --format <name>',
      description: 'report format, to standard output or with =file to a file',
      choices: formats,
      assignable: true,
      repeatable: true,
      defaultText: 'pretty; github inside GitHub Actions',
    },
    {
      flags: '--org [name]',
      description:
        'ask the server: the rules enforced for the organization, now or at --as-of; write it after the files; with ' +
        '--bundle: its id',
      conflicts: ['rules', 'exemptions', 'policyFrom'],
    },
    {
      flags: '--bundle <file>',
      description: 'the rules of an organization from a signed bundle, without a server',
      conflicts: ['rules', 'exemptions', 'policyFrom'],
    },
    { flags: '--key <file>', description: 'verifier keys of the server, for --bundle', repeatable: true },
    urlOption,
    {
      flags: '--only <severity>',
      description: 'show findings from this severity on; the exit code stays that of --fail-on',
      choices: VOCABULARY.severity,
    },
    {
      flags: '--max-findings <number>',
      description: 'show at most this many findings; formats for programs list all of them',
      integer: { min: 1 },
    },
    {
      flags: '--group-by <what>',
      description: 'show how often each rule was broken, and where first',
      choices: ['rule'],
    },
    { flags: '--fail-on-no-rules', description: 'exit 2 when no rule applies to a target that was checked' },
    { flags: '--baseline <file>', description: 'accepted findings to hide', defaultText: 'plumbline.baseline.json' },
    { flags: '--no-baseline', description: 'report accepted findings too' },
  ],
  examples: [
    { command: 'plumbline check', explanation: 'check the files that plumbline.config.yaml names' },
    { command: 'plumbline check plugins/ --rules rules/', explanation: 'check a folder against a folder of rules' },
    {
      command: "plumbline check 'services/**/pipeline.yaml' --format pretty --format sarif=plumbline.sarif",
      explanation: 'read it in the log and upload it to code scanning',
    },
    {
      command: 'plumbline check --since origin/main --policy-from origin/main',
      explanation: 'check what a pull request changed, with rules that it cannot change',
    },
    {
      command: 'plumbline check --only error --group-by rule',
      explanation: 'an overview of many findings',
    },
    {
      command: 'plumbline check plugins/ --library standard',
      explanation: 'by the standard rules that Plumbline ships, without a server or rules of your own',
    },
    { command: 'plumbline check plugins/ --org', explanation: 'by the rules of your organization on the server' },
    {
      command: 'plumbline check plugins/ --bundle rules.bundle.json --key audit.pub',
      explanation: 'by the same rules, without the server',
    },
    { command: 'cat plugin.json | plumbline check - --rules rules/', explanation: 'check standard input' },
  ],
  load: () => import('./run.js'),
}
