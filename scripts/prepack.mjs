/**
 * Runs before `npm pack` and `npm publish`, in the folder of a package: refuses to pack one whose build lacks a file that its
 * manifest names. `npm start` builds no declarations, so a package would lack its types and not say so.
 */
import { existsSync, readFileSync } from 'node:fs'

const { name, main, types, bin, exports } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Every path in the manifest's entries, however deep the conditions. */
const pathsIn = (entry) =>
  typeof entry === 'string' ? [entry] : Object.values(entry ?? {}).flatMap((each) => pathsIn(each))

const missing = pathsIn({ main, types, bin, exports }).filter((path) => !existsSync(path))
if (missing.length > 0) {
  console.error(
    `${name} is not packed, because its build lacks ${[...new Set(missing)].join(', ')}: run \`npm run build\` in the root of the clone first`,
  )
  process.exit(1)
}
