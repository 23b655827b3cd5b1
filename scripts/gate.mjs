/**
 * `npm run gate`: runs the gate on the shipped samples, and on real third-party input if it is next to the project.
 * Findings are part of the demonstration and do not fail the run. Anything that could not be evaluated does.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, root, status } from './workspace.mjs'

await installIfNeeded({ toRun: true })
await buildIfStale({ types: false })

const realInput = ['plugin-specs.json', 'pipelines.json']
  .map((name) => join('..', 'shared', 'data', name))
  .filter((path) => existsSync(join(root, path)))

const gate = (title, args) => {
  console.log(`\n${title}\n$ plumbline check ${args.join(' ')}\n`)
  const code = status(process.execPath, [join('packages', 'cli', 'bin', 'plumbline.js'), 'check', ...args])
  console.log(`exit code ${code}${code === 1 ? ': in CI this would stop the change' : ''}`)
  if (code > 1) process.exitCode = code
}

gate('The shipped samples against the shipped rules', [
  'samples/plugins',
  'samples/pipelines',
  '--rules',
  'samples/rules',
])
if (realInput.length > 0) gate('Real plugin specifications and pipelines', [...realInput, '--rules', 'samples/rules'])
