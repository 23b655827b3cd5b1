/**
 * `npm run check`: everything that CI runs before the tests. All steps run even after a failure, so that one run lists
 * every problem. `npm run check -- types lint` runs only the named steps.
 */
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, status, tool } from './workspace.mjs'

const PURE = ['engine', 'billing-core', 'audit-chain', 'rules']

/** TypeScript 7 is native and runs in parallel. The builds still need 5.9 (ADR 107). */
const checkTypes = (project) =>
  status(process.execPath, [join('node_modules', 'typescript-7', 'bin', 'tsc'), '-p', project, '--noEmit'])

const STEPS = {
  lint: () => status(tool('biome'), ['ci', '--error-on-warnings', '--reporter=summary', '.']),
  types: () =>
    worst([
      checkTypes('tsconfig.json'),
      // The console has its own configuration, because it runs in browsers.
      checkTypes(join('packages', 'console')),
      ...PURE.map((name) => checkTypes(join('packages', name))),
    ]),
  architecture: () =>
    status(tool('depcruise'), ['--config', '.dependency-cruiser.cjs', 'packages', 'bench', 'examples', 'scripts']),
  unused: () => status(tool('knip'), []),
  packages: () =>
    worst(
      [...PURE, 'client', 'server', 'cli'].flatMap((name) => [
        status(tool('publint'), ['--strict', join('packages', name)]),
        // The server and the command line are programs for Node, which loads them in only one way, so this check does
        // not apply.
        ...(name === 'cli' || name === 'server'
          ? []
          : [
              status(tool('attw'), [
                '--pack',
                join('packages', name),
                '--profile',
                'node16',
                '--exclude-entrypoints',
                'schema.json',
              ]),
            ]),
      ]),
    ),
  size: () => status(tool('size-limit'), []),
}

await installIfNeeded()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(STEPS, name))
if (unknown.length > 0) {
  console.error(`unknown step \`${unknown.join(', ')}\`: choose among ${Object.keys(STEPS).join(', ')}`)
  process.exit(2)
}
await buildIfStale()
const failed = []
for (const [name, step] of Object.entries(STEPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n▶ ${name}`)
  const started = Date.now()
  const code = step()
  console.log(`${code === 0 ? '✔' : '✘'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (code !== 0) failed.push(name)
}
console.log(failed.length === 0 ? '\ncheck passed' : `\ncheck failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** @param {number[]} codes */
function worst(codes) {
  return Math.max(...codes)
}
