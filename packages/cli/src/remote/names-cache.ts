/** Caches the names of shell completion in a file of the signed-in user. */
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from '../command.js'
import { readBytes } from '../input/read-bytes.js'

interface Kept {
  readonly atMs: number
  /** Whose names these are: a hash of the credential. */
  readonly who: string
  readonly names: readonly string[]
}

export const cacheFolder = ({ env }: Io): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'plumbline', 'names')

export const hashed = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)

/** Signing out removes all cached names. */
export const forgetNames = (io: Io): void => rmSync(cacheFolder(io), { recursive: true, force: true })

export function readKept(file: string, who: string): Kept | null {
  try {
    const kept = JSON.parse(readBytes(file).toString('utf8')) as Kept
    return kept.who === who && Array.isArray(kept.names) ? kept : null
  } catch {
    return null
  }
}

export function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    // If the cache cannot be written, completion is only slower.
  }
}
