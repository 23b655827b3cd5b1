/** Specification of `plumbline schema`. */
import type { CommandSpec } from '../command.js'

const schemaKinds = ['rules', 'rule', 'condition', 'test'] as const
export type SchemaKind = (typeof schemaKinds)[number]

export const schemaCommand: CommandSpec = {
  name: 'schema',
  summary: 'print the JSON Schema of rule and test files, for editors',
  description:
    'Prints a JSON Schema (2020-12). An editor that knows it completes and checks rule files while they are written: ' +
    'name it in a first line `# yaml-language-server: $schema=…`, or under `$schema` in JSON.',
  arguments: [
    {
      syntax: '[kind]',
      description: 'rules (a rule file, the default), rule, condition, or test (a file of rule tests)',
      choices: schemaKinds,
    },
  ],
  options: [{ flags: '-o, --output <file>', description: 'file to write', defaultText: 'standard output' }],
  examples: [
    { command: 'plumbline schema --output plumbline-rules.schema.json', explanation: 'the schema of a rule file' },
    { command: 'plumbline schema test > plumbline-test.schema.json', explanation: 'the schema of a test file' },
  ],
  load: () => import('./run.js'),
}
