/**
 * The keys that a development server makes itself: one file in the data directory that only its owner can read. In
 * production only the checkpoint key of a single-file server is made; an operator must provide the others.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '../cannot-start.js'
import { makeFolder } from '../make-folder.js'

export const KEY_FILE = 'keys.json'

export type KeyName =
  | 'JWT_KEYS'
  | 'SECRET_ENCRYPTION_KEYS'
  | 'AUDIT_CHECKPOINT_KEY'
  | 'REGISTRY_TOKEN_KEYS'
  | 'PROVENANCE_KEYS'

export interface KeyFileOptions {
  readonly dataDir: string
  /** The names of the keys that the file must have. */
  readonly wanted: readonly KeyName[]
  /** Makes the keys of the registry, which are not just random bytes. */
  readonly registryKeys: () => string
  /** False only reads, so that `config print` changes nothing. */
  readonly create: boolean
}

const newKey = {
  JWT_KEYS: () => `dev:${randomBytes(32).toString('base64')}`,
  SECRET_ENCRYPTION_KEYS: () => `dev:${randomBytes(32).toString('base64')}`,
  AUDIT_CHECKPOINT_KEY: () => randomBytes(32).toString('base64'),
  PROVENANCE_KEYS: () => `dev:${randomBytes(32).toString('base64')}`,
}

/** @throws Error for a file that exists and cannot be read, because new keys would lock out every user. */
export function readKeyFile({ dataDir, wanted, create, registryKeys }: KeyFileOptions): Record<string, string> {
  const path = join(dataDir, KEY_FILE)
  const kept = readIfThere(path)
  const missing = wanted.filter((name) => kept[name] === undefined)
  if (missing.length === 0 || !create) return pick(kept, wanted)
  for (const name of missing) kept[name] = name === 'REGISTRY_TOKEN_KEYS' ? registryKeys() : newKey[name]()
  makeFolder(dataDir)
  // `wx` for the first write: two processes that start together must not make two sets of keys.
  const isNew = missing.length === wanted.length && Object.keys(kept).length === wanted.length
  try {
    writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flag: isNew ? 'wx' : 'w' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return pick(readIfThere(path), wanted)
  }
  return pick(kept, wanted)
}

function readIfThere(path: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Record<string, string>
  } catch {
    throw new CannotStart(
      `${KEY_FILE} in the data directory is not JSON: restore it from a backup, or remove it to create new keys`,
    )
  }
}

const pick = (from: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
