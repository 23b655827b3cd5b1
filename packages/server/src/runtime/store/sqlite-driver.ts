/**
 * The driver of SQLite, in the build that this Node can run. better-sqlite3 13 stands on Node-API 10, which Node has from 22.14
 * on and 20 never had. better-sqlite3 12 stands on a class of Node's own that changed in 24.19: there the garbage collector
 * ends the process when it frees one of its statements. So 13 is always installed, 12 where Node is too old for it.
 * Source: ADR 82.
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { CannotStart } from '../cannot-start.js'
import { driverProblem } from '../node-version.js'

const require = createRequire(import.meta.url)

/** Where a build may be: ours, and the one of the package that npm installs where Node is too old for ours. */
const PLACES = ['.', '@plumbline/sqlite-node20/package.json'] as const

export interface SqliteDriver {
  readonly Database: typeof Database
  /** For threads, which load it by themselves. */
  readonly path: string
  readonly version: string
}

let loaded: SqliteDriver | null = null

/** @throws CannotStart where this Node can run none of those that are installed; a wrong one would end the process. */
export function sqliteDriver(): SqliteDriver {
  loaded ??= driverFor(process.versions.node)
  return loaded
}

export interface InstalledDriver {
  readonly version: string
  readonly path: string
}

/** The one for this version of Node, of those that are there. */
export function driverFor(nodeVersion: string, installed: readonly InstalledDriver[] = findInstalled()): SqliteDriver {
  const fitting = installed.find(({ version }) => driverProblem(nodeVersion, version) === null)
  if (fitting !== undefined) return { Database: require(fitting.path) as typeof Database, ...fitting }
  const [other] = installed
  if (other === undefined) throw new CannotStart('better-sqlite3 is not installed: run `npm install` again')
  throw new CannotStart(driverProblem(nodeVersion, other.version) ?? '')
}

/** The newest first: it runs wherever it fits. */
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
