/** Specification of `plumbline test`. */
import type { CommandSpec } from '../command.js'
import { testFormats } from './formats.js'

export const testCommand: CommandSpec = {
  name: 'test',
  summary: 'run unit tests of rules, with coverage and mutation score',
  description:
    'Runs the tests in *.plumbline-test.yaml files: attributes in, expected outcome of a rule or verdict on an entity ' +
    'out. Without files it runs every test file below the working folder. Exits 1 when a test fails, or when coverage ' +
    'or mutation score is below its threshold.',
  arguments: [{ syntax: '[files...]', description: 'test files, folders or globs' }],
  options: [
    {
      flags: '-r, --rules <path>',
      description: 'rule file, folder or glob, instead of what the test files name',
      repeatable: true,
      defaultText: 'what each test file names, else the configuration',
    },
    { flags: '--coverage', description: 'report conditions that never held or never failed' },
    {
      flags: '--threshold <percent>',
      description: 'lowest accepted condition coverage; implies --coverage',
      integer: { min: 0, max: 100 },
    },
    { flags: '--mutate', description: 'change the rules in small ways and report the changes that no test notices' },
    {
      flags: '--mutation-threshold <percent>',
      description: 'lowest accepted mutation score; implies --mutate',
      integer: { min: 0, max: 100 },
    },
    {
      flags: '-f, --format <name>',
      description: 'report format, to standard output or with =file to a file',
      choices: testFormats,
      assignable: true,
      repeatable: true,
      defaultText: 'pretty',
    },
    { flags: '--raw', description: 'evaluate attributes as written, without projection and aliases' },
  ],
  examples: [
    { command: 'plumbline test', explanation: 'run every *.plumbline-test.yaml below this folder' },
    {
      command: 'plumbline test tests/ --threshold 100',
      explanation: 'fail when a condition was seen with only one result',
    },
    { command: 'plumbline test --mutate', explanation: 'show mistakes in the rules that the tests would not find' },
    {
      command: 'plumbline test --format pretty --format junit=rule-tests.xml',
      explanation: 'read it in the log and give it to the build server',
    },
  ],
  load: () => import('./run.js'),
}
