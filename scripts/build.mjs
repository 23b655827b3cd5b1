/**
 * `npm run build [-- --force] [--no-types]`: builds packages whose sources changed, or all with `--force`. `--no-types`
 * leaves the declarations out, which is enough to run the server and the command line.
 */
import { buildIfStale, installIfNeeded } from './workspace.mjs'

const options = process.argv.slice(2)
const unknown = options.filter((option) => option !== '--force' && option !== '--no-types')
if (unknown.length > 0) {
  console.error(`unknown option \`${unknown.join(' ')}\`: choose among --force, --no-types`)
  process.exit(2)
}
await installIfNeeded()
await buildIfStale({ force: options.includes('--force'), types: !options.includes('--no-types') })
