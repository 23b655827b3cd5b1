/**
 * `npm run generate`: writes every file that is derived from sources: the migration baseline, the reference pages, the
 * index of decisions, the typed client. Tests compare each of them with its source, and name this command.
 */
import { buildDriverIfMissing, installIfNeeded, run, tool } from './workspace.mjs'

/** The order matters: later generators read the output of earlier ones. */
const GENERATORS = [
  ['@plumbline/engine', 'runtime'],
  ['@plumbline/engine', 'reference'],
  ['@plumbline/server', 'schema'],
  ['@plumbline/server', 'settings'],
  ['@plumbline/server', 'permissions'],
  ['@plumbline/server', 'specification'],
  ['@plumbline/server', 'log-events'],
  ['@plumbline/server', 'schema-names'],
  ['@plumbline/rules', 'catalogue'],
  ['@plumbline/client', 'generate'],
  ['@plumbline/cli', 'reference'],
]

await installIfNeeded()
await buildDriverIfMissing()
run(tool('tsx'), ['scripts/write-decisions.ts'])
for (const [name, script] of GENERATORS) run('npm', ['run', '--silent', script, '-w', name])
