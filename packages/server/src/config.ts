/**
 * The settings of this process: options of the command line, the environment, an optional file, and the keys of the
 * data directory, in this order. Read once at the start; nothing else reads the environment.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { newTokenKey as registryKeys } from './registry/new-key.js'
import { CannotStart } from './runtime/cannot-start.js'
import { KEY_FILE, readKeyFile } from './runtime/settings/key-file.js'
import { type LoadedSettings, loadSettings } from './runtime/settings/load.js'
import { lookUp, type SettingSource } from './runtime/settings/sources.js'
import { whyNotStarted } from './runtime/why-not-started.js'
import { sqliteFile } from './store.js'

export interface ConfigOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Values given on the command line, by setting name. */
  readonly options?: Readonly<Record<string, string | undefined>>
  /** False leaves no file behind: for `config print` and `doctor`. */
  readonly createKeys?: boolean
}

export type Config = LoadedSettings & { readonly sources: readonly SettingSource[] }

export function loadConfig({ environment, options = {}, createKeys = true }: ConfigOptions): Config {
  const sources: SettingSource[] = [
    { origin: 'option', values: options },
    { origin: 'environment', values: environment },
  ]
  const file = lookUp(sources, 'PLUMBLINE_CONFIG')?.text
  if (file !== undefined) {
    const read = readSettingFile(file)
    if ('issue' in read) {
      return { ok: false, issues: [{ name: 'PLUMBLINE_CONFIG', message: read.issue }], warnings: [], sources }
    }
    sources.push({ origin: `file ${file}`, values: read.values })
  }
  const isProduction = lookUp(sources, 'NODE_ENV')?.text === 'production'
  const isShared = /^postgres/.test(lookUp(sources, 'DATABASE_URL')?.text ?? '')
  const hasRegistry = lookUp(sources, 'REGISTRY_URL') !== undefined
  const wanted = [
    ...(isProduction ? [] : (['JWT_KEYS', 'SECRET_ENCRYPTION_KEYS'] as const)),
    ...(isProduction || !hasRegistry ? [] : (['REGISTRY_TOKEN_KEYS', 'PROVENANCE_KEYS'] as const)),
    ...(isProduction && isShared ? [] : (['AUDIT_CHECKPOINT_KEY'] as const)),
  ].filter((name) => lookUp(sources, name) === undefined)
  if (wanted.length > 0) {
    // Nothing is written for a process that is not going to start.
    const isSound = createKeys && withoutKeys(sources, wanted).ok
    const dataDir = resolve(lookUp(sources, 'DATA_DIR')?.text ?? './data')
    // Tokens of the registry live for minutes, so that new keys for them lose nothing; what is signed by a new key is new.
    const ofData = wanted.filter((name) => name !== 'REGISTRY_TOKEN_KEYS' && name !== 'PROVENANCE_KEYS')
    const lost = isSound && ofData.length > 0 ? lostKeys(sources, dataDir) : null
    if (lost !== null) return { ok: false, issues: [{ name: 'DATA_DIR', message: lost }], warnings: [], sources }
    try {
      sources.push({ origin: KEY_FILE, values: readKeyFile({ dataDir, wanted, create: isSound, registryKeys }) })
    } catch (error) {
      const why = error instanceof CannotStart ? error : whyNotStarted(error, null)
      if (why === null) throw error
      return { ok: false, issues: [{ name: 'DATA_DIR', message: `DATA_DIR: ${why.message}` }], warnings: [], sources }
    }
  }
  return { ...loadSettings(sources), sources }
}

/**
 * A database without the keys that it was written with: new ones would end every session, and no secret could be read
 * again. Only for a database in a file; on PostgreSQL the keys of production are settings.
 */
function lostKeys(sources: readonly SettingSource[], dataDir: string): string | null {
  const url = lookUp(sources, 'DATABASE_URL')?.text ?? null
  if (/^postgres/.test(url ?? '') || existsSync(join(dataDir, KEY_FILE))) return null
  const database = sqliteFile({ DATABASE_URL: url, DATA_DIR: dataDir })
  if (!existsSync(database)) return null
  return `DATA_DIR: ${join(dataDir, KEY_FILE)} is missing, but the database ${database} exists and needs its keys: restore the file from a backup, or set JWT_KEYS, SECRET_ENCRYPTION_KEYS and AUDIT_CHECKPOINT_KEY`
}

/** What the other settings say, with stand-ins for the keys to be made. */
function withoutKeys(sources: readonly SettingSource[], wanted: readonly string[]): LoadedSettings {
  const standIn = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')
  const values = Object.fromEntries(
    wanted.map((name) => [name, name === 'AUDIT_CHECKPOINT_KEY' ? standIn : `x:${standIn}`]),
  )
  return loadSettings([...sources, { origin: KEY_FILE, values }])
}

/** `NAME=value` a line; `#` begins a comment line; quotes around a value are taken off. */
export function readSettingFile(path: string): { values: Record<string, string> } | { issue: string } {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    return { issue: `PLUMBLINE_CONFIG cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'} ${path}` }
  }
  const values: Record<string, string> = {}
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const [, name, given] = /^([A-Z][A-Z0-9_]*)\s*=(.*)$/.exec(line.trim()) ?? []
    if (name === undefined || given === undefined) return { issue: `${path}:${index + 1} is not NAME=value` }
    const value = given.trim()
    values[name] = /^(".*"|'.*')$/.test(value) ? value.slice(1, -1) : value
  }
  return { values }
}
