/** Specification of `plumbline schema`. */
import type { CommandSpec } from '../command.js'
import { schemaKinds } from './kinds.js'

export const schemaCommand: CommandSpec = {
  name: 'schema',
  summary: 'print the JSON Schema of the files that people write, for editors',
  description:
    'Prints a JSON Schema (2020-12). An editor that knows it completes and checks the file while it is written: ' +
    'name it in a first line `# yaml-language-server: $schema=…`, or under `$schema` in JSON.',
  arguments: [
    {
      syntax: '[kind]',
      description:
        'rules (a rule file, the default), rule, condition, test (a file of rule tests), config (plumbline.config.yaml), ' +
        'exemptions, baseline, or documents (what `apply` takes)',
      choices: schemaKinds,
    },
  ],
  options: [{ flags: '-o, --output <file>', description: 'file to write', defaultText: 'standard output' }],
  examples: [
    { command: 'plumbline schema --output plumbline-rules.schema.json', explanation: 'the schema of a rule file' },
    { command: 'plumbline schema test > plumbline-test.schema.json', explanation: 'the schema of a test file' },
    { command: 'plumbline schema config > compliance/schemas/config.json', explanation: 'of the configuration' },
  ],
  load: () => import('./run.js'),
}
