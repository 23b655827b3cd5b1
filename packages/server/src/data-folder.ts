/**
 * Who uses the data folder. Two servers on one SQLite file are sound and slow each other down, and a second one is started by
 * mistake more often than on purpose: the second says so.
 */
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from './runtime/settings/load.js'
import { sqliteFile } from './store.js'

const USE_FILE = 'server.json'

interface Use {
  readonly pid: number
  readonly url: string
}

/** The other server that uses the folder; null when there is none, or its process has ended. */
export function otherServer(dataDir: string): Use | null {
  try {
    const use = JSON.parse(readFileSync(join(dataDir, USE_FILE), 'utf8')) as Use
    if (use.pid === process.pid) return null
    process.kill(use.pid, 0)
    return use
  } catch (error) {
    // No file, no JSON, or no such process. A process of another user counts as one.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? { pid: 0, url: 'unknown' } : null
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
