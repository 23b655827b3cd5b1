/**
 * Who uses the data folder. Two servers on one SQLite file are sound and slow each other down, and a second one is started by
 * mistake more often than on purpose: the second says so.
 */
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './runtime/settings/load.js'
import { isPostgres, sqliteFile } from './store.js'

const USE_FILE = 'server.json'

interface Use {
  readonly pid: number
  readonly url: string
}

/** The other server that uses the folder; null when there is none, or its process has ended. */
export function otherServer(dataDir: string): Use | null {
  const use = serverIn(dataDir)
  return use?.pid === process.pid ? null : use
}

/** Where the server listens that runs on these data: another address than the settings of a command beside it may say. */
export const runningServer = (settings: Settings): string | undefined =>
  isPostgres(settings) ? undefined : serverIn(settings.DATA_DIR)?.url

function serverIn(dataDir: string): Use | null {
  let use: Use | null = null
  try {
    use = JSON.parse(readFileSync(join(dataDir, USE_FILE), 'utf8')) as Use
    process.kill(use.pid, 0)
    return use
  } catch (error) {
    // No file, no JSON, or no such process. A process of another user counts as one.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? use : null
  }
}

/** Says that this process uses the folder. @returns what takes it back. */
export function useFolder(dataDir: string, url: string): () => void {
  const file = join(dataDir, USE_FILE)
  writeFileSync(file, `${JSON.stringify({ pid: process.pid, url })}\n`, { mode: 0o600 })
  return () => {
    if (otherServer(dataDir) === null) rmSync(file, { force: true })
  }
}

/** @throws EACCES with the path, for a database file that this user may read and not write. */
export function checkWritable(settings: Settings): void {
  const file = sqliteFile(settings)
  if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
}
