/** Specification of `plumbline plugins upload`. */

import { VOCABULARY } from '../../api-facts.js'
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

/** Fields of a plugin that are not in its archive. */
export const uploadOptions: readonly OptionSpec[] = [
  {
    flags: '--access <modifier>',
    description: 'who sees it',
    choices: VOCABULARY.access,
    defaultText: 'private',
  },
  { flags: '--set-default', description: 'make this version the default one' },
  { flags: '--lifecycle <name>', description: 'its state', choices: VOCABULARY.lifecycle },
  {
    flags: '--criticality <name>',
    description: 'its criticality',
    choices: VOCABULARY.criticality,
  },
  { flags: '--label <name=value>', description: 'a label, which rules may read', repeatable: true },
  { flags: '--link <title=address>', description: 'a link to documentation', repeatable: true },
  { flags: '--replace', description: 'replace a public version, which is otherwise left as it is' },
  { flags: '--exclude <glob>', description: 'leave these files out', repeatable: true },
]

export const uploadCommand: CommandSpec = {
  name: 'upload',
  summary: 'upload a plugin: a zip file, or a folder, which is zipped',
  description:
    'The root holds plugin-spec.yaml. A folder is zipped while it is sent: sorted, without times, so that the same files ' +
    'make the same archive; `.git` and what --exclude names are left out, links are refused. A lost connection is tried ' +
    'again under one Idempotency-Key. Exits 1 when compliance blocks the plugin.',
  arguments: [{ syntax: '<path>', description: 'zip file, or folder' }],
  options: [...uploadOptions, formatOption('yaml'), outputOption, ...serverOptions],
  examples: [
    { command: 'plumbline plugins upload ./node-build', explanation: 'a folder' },
    {
      command: 'plumbline plugins upload node-build.zip --set-default',
      explanation: 'an archive, as the default version',
    },
    {
      command: 'plumbline plugins upload node-build --label team=web --link "Runbook=https://runbooks.example.com"',
      explanation: 'with labels and links that rules require',
    },
    { command: 'plumbline plugins upload . --exclude "test/**"', explanation: 'without the tests' },
  ],
  load: () => import('./run.js'),
}
