/** Specification of `plumbline compile`. */

import { VOCABULARY } from '../api-facts.js'
import type { CommandSpec } from '../command.js'

export const compileCommand: CommandSpec = {
  name: 'compile',
  summary: 'write the rules as one self-contained JavaScript module',
  description:
    'Writes an ES module that exports `evaluate(attributes, context)` with the verdicts of these rules, for edge ' +
    'runtimes and other places where rule files and a compiler are not wanted. It reads no clock and makes no code ' +
    'from strings.',
  arguments: [
    { syntax: '[rules...]', description: 'rule files, folders or globs; those of the configuration by default' },
  ],
  options: [
    { flags: '-o, --output <file>', description: 'file to write', defaultText: 'standard output' },
    {
      flags: '--regex <how>',
      description:
        'patterns that need a regular expression engine: import re2js, carry an engine in the module (inline), or refuse ' +
        'them (reject)',
      choices: ['import', 'inline', 'reject'],
      default: 'import',
    },
    {
      flags: '--target <target>',
      description: 'only the rules for this kind of entity',
      choices: VOCABULARY.target,
    },
    { flags: '--no-redact', description: 'let violations show values that look secret' },
  ],
  examples: [
    { command: 'plumbline compile rules/ --output worker/rules.js', explanation: 'write the module' },
    {
      command: 'plumbline compile --regex reject > rules.js',
      explanation: 'only when the module needs no other package',
    },
  ],
  load: () => import('./run.js'),
}
