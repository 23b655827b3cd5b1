/** Specification of `plumbline policies diff`. */

import { VOCABULARY } from '../../api-facts.js'
import type { CommandSpec } from '../../command.js'
import { formatOption, outputOption } from '../../program/output-options.js'
import { serverOptions } from '../../remote/options.js'

export const diffPolicyCommand: CommandSpec = {
  name: 'diff',
  summary: 'count the stored records that would newly fail or pass with a version of a policy',
  description:
    'Compares with another version, or with what is in force now. The version then replaces the others of its name. The ' +
    'server checks the whole inventory; nothing is stored.',
  arguments: [{ syntax: '<policy>', description: 'id, or name', completes: 'policies' }],
  options: [
    { flags: '--version <text>', description: 'the version, when several have that name' },
    { flags: '--against <version>', description: 'version of the same name, or id; what is in force when left out' },
    { flags: '--target <kind>', description: 'only these records', choices: VOCABULARY.target },
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
