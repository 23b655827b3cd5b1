// `npm run examples [-- name …]`: runs each example as its README says. If one fails, the run fails.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, root, status } from './workspace.mjs'

await installIfNeeded()
await buildIfStale()
const wanted = process.argv.slice(2)
const names = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'package.json')),
)
const failed = []
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n▶ examples/${name}`)
  if (status('npm', ['start', '--silent'], { cwd: join(root, 'examples', name) }) !== 0) failed.push(name)
}
console.log(
  failed.length === 0
    ? `\n${wanted.length || names.length} ${(wanted.length || names.length) === 1 ? 'example' : 'examples'} ran as described`
    : `\nfailed: ${failed.join(', ')}`,
)
process.exitCode = failed.length === 0 ? 0 : 1
