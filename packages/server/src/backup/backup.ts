/**
 * Writes a complete backup to one file: a consistent copy of the database, the blobs, the keys encrypted with a
 * passphrase, and a sealed manifest. It works while the server runs: the online backup of SQLite copies one state, and
 * `pg_dump` reads one snapshot.
 */
import { once } from 'node:events'
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { auditLog } from '../audit/index.js'
import { INCOMING } from '../runtime/blobs/file-store.js'
import { blobFolder } from '../runtime/blobs/open.js'
import type { Settings } from '../runtime/settings/load.js'
import { lookUp, type SettingSource } from '../runtime/settings/sources.js'
import { readMigrations } from '../runtime/store/migrate.js'
import { sqliteDriver } from '../runtime/store/sqlite-driver.js'
import { isPostgres, sqliteFile } from '../store.js'
import { digestOf, digestOfText, type EntryDigest, writeEnd, writeFileEntry, writeText } from './archive.js'
import { sealManifest } from './manifest-seal.js'
import { dumpPostgres } from './postgres.js'
import { sealKeys } from './sealed-keys.js'

const ALL_PAGES = 0x7fffffff

export const FORMAT = 'plumbline-backup-1'
export const KEY_NAMES = [
  'JWT_KEYS',
  'SECRET_ENCRYPTION_KEYS',
  'AUDIT_CHECKPOINT_KEY',
  'PROVENANCE_KEYS',
  'REGISTRY_TOKEN_KEYS',
] as const

export interface BackupManifest {
  readonly format: typeof FORMAT
  /** ISO 8601. */
  readonly createdAt: string
  readonly database: 'sqlite' | 'pg'
  /** The newest migration in the copy. */
  readonly schemaVersion: number
  readonly hasKeys: boolean
  /** `s3`: the bucket is not in the backup, and the restored server must be able to reach it. */
  readonly blobStore: 'fs' | 's3'
  readonly entries: readonly EntryDigest[]
}

export interface BackupOptions {
  readonly settings: Settings
  /** The sources from which the keys are read as text. */
  readonly sources: readonly SettingSource[]
  /** The file to write; it must not exist. */
  readonly file: string
  /**
   * Encrypts the keys and seals the manifest. With null the keys are left out, and encrypted values in the database
   * cannot be read without them.
   */
  readonly passphrase: string | null
  readonly nowMs: number
}

export async function createBackup(options: BackupOptions): Promise<BackupManifest> {
  const { settings, file, passphrase } = options
  if (existsSync(file)) throw new Error(`${file} exists: a backup does not overwrite files`)
  if (!existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)} for the backup`)
  const isPg = isPostgres(settings)
  // Next to the target file, so that the last step is a rename on the same disk.
  const work = mkdtempSync(join(dirname(file), '.plumbline-backup-'))
  try {
    const copy = join(work, 'database')
    if (isPg) await dumpPostgres(settings.DATABASE_URL ?? '', copy)
    else await copySqlite(sqliteFile(settings), copy)
    const keys = passphrase === null ? null : sealKeys(keysOf(options.sources), passphrase)
    // Copied after the database, because a blob is stored before the row that names it is committed.
    const blobs = settings.BLOB_STORE === 'fs' ? keepBlobs(blobFolder(settings), join(work, 'blobs')) : []
    const parts = [{ name: isPg ? 'database.dump' : 'database.sqlite', path: copy }, ...blobs]
    const entries: EntryDigest[] = []
    for (const { name, path } of parts) entries.push({ name, ...(await digestOf(path)) })
    if (keys !== null) entries.push({ name: 'keys.sealed.json', ...digestOfText(keys) })
    const manifest: BackupManifest = {
      format: FORMAT,
      createdAt: new Date(options.nowMs).toISOString(),
      database: isPg ? 'pg' : 'sqlite',
      schemaVersion: isPg ? newestMigration('pg') : schemaVersionOf(copy),
      hasKeys: keys !== null,
      blobStore: settings.BLOB_STORE,
      entries,
    }
    const draft = join(work, 'backup.tar')
    const out = createWriteStream(draft, { mode: 0o600, flush: true })
    const manifestText = `${JSON.stringify(manifest, null, 2)}\n`
    const signingKey = settings.AUDIT_CHECKPOINT_KEY === null ? null : auditLog(settings).signingKey
    await writeText(out, 'manifest.json', manifestText)
    await writeText(out, 'seal.json', sealManifest(manifestText, passphrase, signingKey))
    if (keys !== null) await writeText(out, 'keys.sealed.json', keys)
    for (const [index, { name, path }] of parts.entries()) {
      await writeFileEntry(out, name, path, manifest.entries[index]?.bytes ?? 0)
    }
    await writeEnd(out)
    out.end()
    await once(out, 'close')
    await rename(draft, file)
    return manifest
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function copySqlite(from: string, to: string): Promise<void> {
  await stat(from).catch(() => {
    throw new Error(`there is no database at ${from}`)
  })
  const source = new (sqliteDriver().Database)(from, { readonly: true, fileMustExist: true })
  try {
    // All pages in one step: a copy in several steps starts again whenever the server commits in between.
    await source.backup(to, { progress: () => ALL_PAGES })
  } finally {
    source.close()
  }
}

function schemaVersionOf(file: string): number {
  const database = new (sqliteDriver().Database)(file, { readonly: true })
  try {
    const row = database.prepare('SELECT max(version) AS version FROM schema_migrations').get() as { version: number }
    return row.version
  } finally {
    database.close()
  }
}

const newestMigration = (dialect: 'sqlite' | 'pg'): number =>
  Math.max(...readMigrations(dialect).map(({ version }) => version))

interface Part {
  readonly name: string
  readonly path: string
}

/**
 * Collects the current blobs. Each is linked under another name (or copied, on another disk), so that it can still be
 * read if the server deletes it meanwhile.
 */
function keepBlobs(folder: string, kept: string): Part[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  mkdirSync(kept)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, INCOMING)))
  return paths.sort().flatMap((path, index) => {
    const own = join(kept, String(index))
    return link(path, own) ? [{ name: `blobs/${relative(folder, path)}`, path: own }] : []
  })
}

/** @returns false for a file that was deleted. */
function link(from: string, to: string): boolean {
  for (const attempt of [linkSync, copyFileSync]) {
    try {
      attempt(from, to)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      if (attempt === copyFileSync) throw error
    }
  }
  return false
}

function keysOf(sources: readonly SettingSource[]): Record<string, string> {
  return Object.fromEntries(
    KEY_NAMES.flatMap((name) => {
      const text = lookUp(sources, name)?.text
      return text === undefined ? [] : [[name, text]]
    }),
  )
}
