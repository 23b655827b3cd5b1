/**
 * Loads the build of SQLite's driver that this Node version can run.
 *
 * better-sqlite3 13 uses a version of Node-API (10) that Node has from 22.14 on and that Node 20 never got.
 * better-sqlite3 12 uses a class of Node that changed in 24.19: there the garbage collector crashes the process when it
 * frees a statement. So 13 is always installed, and 12 where Node is too old for 13. Source: ADR 82.
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { CannotStart } from '../cannot-start.js'
import { driverProblem } from '../node-version.js'

const require = createRequire(import.meta.url)

/**
 * Where a build may be: in our own dependencies, or in those of the package that npm installs where Node is too old for
 * ours.
 */
const PLACES = ['.', '@plumbline/sqlite-node20/package.json'] as const

export interface SqliteDriver {
  readonly Database: typeof Database
  /** For threads, which load the driver themselves. */
  readonly path: string
  readonly version: string
}

let loaded: SqliteDriver | null = null

/**
 * @throws CannotStart when this Node version can run none of the installed builds, because a wrong build would end the
 * process.
 */
export function sqliteDriver(): SqliteDriver {
  loaded ??= driverFor(process.versions.node)
  return loaded
}

export interface InstalledDriver {
  readonly version: string
  readonly path: string
}

/** Returns the installed build for this Node version. */
export function driverFor(nodeVersion: string, installed: readonly InstalledDriver[] = findInstalled()): SqliteDriver {
  const fitting = installed.find(({ version }) => driverProblem(nodeVersion, version) === null)
  if (fitting !== undefined) return { Database: require(fitting.path) as typeof Database, ...fitting }
  const [other] = installed
  if (other === undefined) throw new CannotStart('better-sqlite3 is not installed: run `npm install` again')
  throw new CannotStart(driverProblem(nodeVersion, other.version) ?? '')
}

/** The newest first, because it is preferred where it runs. */
function findInstalled(): InstalledDriver[] {
  const found = PLACES.flatMap((place) => {
    try {
      const from = place === '.' ? require : createRequire(require.resolve(place))
      const { version } = from('better-sqlite3/package.json') as { version: string }
      return [{ version, path: from.resolve('better-sqlite3') }]
    } catch {
      return []
    }
  })
  return found.sort((a, b) => Number.parseInt(b.version, 10) - Number.parseInt(a.version, 10))
}
