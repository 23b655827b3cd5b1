/**
 * The driver of SQLite, in the build that this Node can run. better-sqlite3 13 stands on Node-API 10, which Node has from 22.14
 * on and 20 never had. better-sqlite3 12 stands on a class of Node's own that changed in 24.19: there the garbage collector
 * ends the process when it frees one of its statements. So both are installed where both can be, and the newer one is
 * taken where it runs. Source: ADR 82.
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { CannotStart } from '../cannot-start.js'
import { driverProblem, hasNodeApi10 } from '../node-version.js'

const require = createRequire(import.meta.url)

/** npm leaves the second one out where Node is too old for it. */
const PACKAGES = { 12: 'better-sqlite3', 13: 'better-sqlite3-v13' } as const

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

/** The one for this version of Node, of those packages that are there. */
export function driverFor(nodeVersion: string, isThere: (name: string) => boolean = isInstalled): SqliteDriver {
  const names = hasNodeApi10(nodeVersion) ? [PACKAGES[13], PACKAGES[12]] : [PACKAGES[12]]
  const name = names.find(isThere)
  if (name === undefined) throw new CannotStart('better-sqlite3 is not installed: run `npm install` again')
  const { version } = require(`${name}/package.json`) as { version: string }
  const problem = driverProblem(nodeVersion, version)
  if (problem !== null) throw new CannotStart(problem)
  return { Database: require(name) as typeof Database, path: require.resolve(name), version }
}

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}
