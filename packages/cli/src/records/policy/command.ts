/** Specification of `plumbline policies diff`. */
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

export const diffPolicyCommand: CommandSpec = {
  name: 'diff',
  summary: 'count the stored records that a version of a policy would newly fail or pass',
  description:
    'Against another version, or against what is in force now with this version in place of the others of its name. The ' +
    'whole inventory is looked at on the server; nothing is stored.',
  arguments: [{ syntax: '<policy>', description: 'id, or name', completes: 'policies' }],
  options: [
    { flags: '--version <text>', description: 'of several of that name, this one' },
    { flags: '--against <version>', description: 'version of the same name, or id; what is in force when left out' },
    { flags: '--target <kind>', description: 'these records alone', choices: ['plugin', 'pipeline'] },
    formatOption('yaml'),
    outputOption,
    ...serverOptions,
  ],
  examples: [
    { command: 'plumbline policies diff release --version 2.0.0', explanation: 'before it is put in force' },
    {
      command: 'plumbline policies diff release --version 2.0.0 --against 1.0.0',
      explanation: 'one version against another',
    },
  ],
  load: () => import('./diff.js'),
}
