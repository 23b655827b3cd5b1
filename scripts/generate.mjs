/**
 * `npm run generate`: writes everything in the repository that is derived from its sources: the migrations' baseline, the
 * reference pages, the index of decisions, the typed client. Tests compare each with its source and name this command.
 */
import { installIfNeeded, run, tool } from './workspace.mjs'

/** In this order: what comes later reads what came before. */
const GENERATORS = [
  ['@plumbline/engine', 'runtime'],
  ['@plumbline/engine', 'reference'],
  ['@plumbline/server', 'schema'],
  ['@plumbline/server', 'settings'],
  ['@plumbline/server', 'permissions'],
  ['@plumbline/server', 'specification'],
  ['@plumbline/server', 'log-events'],
  ['@plumbline/rules', 'catalogue'],
  ['@plumbline/client', 'generate'],
  ['@plumbline/cli', 'reference'],
]

await installIfNeeded()
run(tool('tsx'), ['scripts/write-decisions.ts'])
for (const [name, script] of GENERATORS) run('npm', ['run', '--silent', script, '-w', name])
