/** Specification of `plumbline plugins upload`. */
import type { CommandSpec, OptionSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

/** What is said of a plugin beside its archive. */
export const uploadOptions: readonly OptionSpec[] = [
  {
    flags: '--access <modifier>',
    description: 'who sees it',
    choices: ['private', 'public'],
    defaultText: 'private',
  },
  { flags: '--set-default', description: 'make this version the default one' },
  { flags: '--lifecycle <name>', description: 'its state', choices: ['experimental', 'production', 'deprecated'] },
  {
    flags: '--criticality <name>',
    description: 'how critical it is',
    choices: ['low', 'medium', 'high', 'critical'],
  },
  { flags: '--label <name=value>', description: 'a label, which rules may read', repeatable: true },
  { flags: '--link <title=address>', description: 'where to read more', repeatable: true },
  { flags: '--replace', description: 'replace a public version, which otherwise stays as it is' },
  { flags: '--exclude <glob>', description: 'leave these files of the folder behind', repeatable: true },
]

export const uploadCommand: CommandSpec = {
  name: 'upload',
  summary: 'upload a plugin: a zip, or a folder that is zipped on the way',
  description:
    'The root holds plugin-spec.yaml. A folder is zipped while it is sent: sorted, without times, so that the same files ' +
    'make the same archive; `.git` and what --exclude names stay behind, links are refused. A lost connection is tried ' +
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
      explanation: 'with what rules ask for',
    },
    { command: 'plumbline plugins upload . --exclude "test/**"', explanation: 'without the tests' },
  ],
  load: () => import('./run.js'),
}
