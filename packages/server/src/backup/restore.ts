/**
 * Checks a backup, and restores it into an empty place. A restored log may end before events that outsiders have seen.
 * So the restore records itself with the action `admin.restore`, which is sealed when the server first runs.
 */

import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { auditLog } from '../audit/index.js'
import { blobFolder } from '../runtime/blobs/open.js'
import type { Clock } from '../runtime/clock.js'
import { createIds } from '../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../runtime/jobs/evidence.js'
import { makeFolder } from '../runtime/make-folder.js'
import type { Runtime } from '../runtime/operation/context.js'
import { KEY_FILE } from '../runtime/settings/key-file.js'
import type { Settings } from '../runtime/settings/load.js'
import { isPostgres, openStore, sqliteFile } from '../store.js'
import { type ArchiveEntry, entryStream, listEntries, readEntry } from './archive.js'
import { type BackupManifest, FORMAT } from './backup.js'
import { checkSeal, type SealCheck, type SealProofs } from './manifest-seal.js'
import { restorePostgres } from './postgres.js'
import { openKeys } from './sealed-keys.js'

export interface BackupCheck extends SealCheck {
  readonly manifest: BackupManifest
  /** Issues with the backup; empty when every entry has its digest and no seal contradicts the given proofs. */
  readonly problems: readonly string[]
}

const NO_PROOFS: SealProofs = { passphrase: () => Promise.resolve(null), keys: [] }

/** @throws Error for a file that is not a backup. */
export async function verifyBackup(file: string, proofs: SealProofs = NO_PROOFS): Promise<BackupCheck> {
  const entries = await entriesOf(file)
  const manifestText = (await readEntry(file, need(entries, 'manifest.json'))).toString()
  const manifest = readManifest(manifestText)
  const sealEntry = entries.get('seal.json')
  const sealText = sealEntry === undefined ? null : (await readEntry(file, sealEntry)).toString()
  const seal = await checkSeal(manifestText, sealText, proofs)
  const problems = [...seal.problems]
  for (const { name, bytes, sha256 } of manifest.entries) {
    const entry = entries.get(name)
    if (entry === undefined) problems.push(`${name} is missing`)
    else if (entry.bytes !== bytes || (await digest(file, entry)) !== sha256) problems.push(`${name} was changed`)
  }
  const named = new Set(['manifest.json', 'seal.json', ...manifest.entries.map(({ name }) => name)])
  for (const name of entries.keys()) if (!named.has(name)) problems.push(`${name} is not in the manifest`)
  if (manifest.hasKeys !== entries.has('keys.sealed.json')) problems.push('the keys are missing')
  return { ...seal, manifest, problems }
}

export interface RestoreOptions {
  readonly settings: Settings
  readonly file: string
  /**
   * Proofs that the backup is unchanged; the passphrase also decrypts its keys. The keys in the settings are trusted as
   * well.
   */
  readonly proofs: SealProofs
  /** False does not restore the keys of the backup. */
  readonly takesKeys: boolean
  /** Also restores a backup of which nothing proves that it is unchanged. */
  readonly allowsUnproven: boolean
  /** The user who restores, by their name on the host. */
  readonly user: string
  /**
   * The number of events in the log without an organization that an outsider has seen covered by a checkpoint; null
   * when no outsider kept one.
   */
  readonly outsideSize: number | null
  readonly clock: Clock
}

/** @throws Error when the backup is damaged or not proven, or the target is not empty; nothing was written then. */
export async function restoreBackup(options: RestoreOptions): Promise<BackupManifest> {
  const { settings, file, allowsUnproven, takesKeys } = options
  let given: Promise<string | null> | undefined
  const passphrase = () => {
    given ??= options.proofs.passphrase()
    return given
  }
  const ownKeys = settings.AUDIT_CHECKPOINT_KEY === null ? [] : auditLog(settings).logKeys
  const check = await verifyBackup(file, { passphrase, keys: [...options.proofs.keys, ...ownKeys] })
  const { manifest, problems } = check
  if (problems.length > 0) throw new Error(`the backup is refused: ${problems.join('; ')}`)
  // guard: a-backup-that-nobody-can-prove
  if (check.provenBy.length === 0 && !allowsUnproven) throw new Error(unprovenText(check))
  const isPg = isPostgres(settings)
  if (isPg !== (manifest.database === 'pg')) {
    throw new Error(
      `the backup is of ${manifest.database === 'pg' ? 'PostgreSQL' : 'SQLite'}; DATABASE_URL names another database`,
    )
  }
  const entries = await entriesOf(file)
  const keys = takesKeys && manifest.hasKeys ? await keysFrom(file, entries, await passphrase()) : null
  refuseOccupied(settings, isPg)
  makeFolder(settings.DATA_DIR)
  for (const [name, entry] of entries) {
    if (!name.startsWith('blobs/')) continue
    await extract(file, entry, inside(blobFolder(settings), name.slice('blobs/'.length)))
  }
  if (keys !== null) {
    writeFileSync(join(settings.DATA_DIR, KEY_FILE), `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  }
  // The database is restored last, so that an interrupted restore leaves no server that starts.
  if (!isPg) await extract(file, need(entries, 'database.sqlite'), sqliteFile(settings))
  else {
    const dump = join(settings.DATA_DIR, 'restore.dump')
    await extract(file, need(entries, 'database.dump'), dump)
    await restorePostgres(settings.DATABASE_URL ?? '', dump)
  }
  await recordRestore(options, manifest)
  return manifest
}

/** Writes an audit event to the restored log; the first server that runs on it seals the event. */
async function recordRestore(options: RestoreOptions, manifest: BackupManifest): Promise<void> {
  const { settings, clock, user, outsideSize } = options
  const store = await openStore(settings)
  try {
    const runtime: Runtime = { clock, ids: createIds(clock), store, settings, domains: [] }
    await store.system.write((tx) =>
      writeEvidence(tx, outsideRequest(runtime, `host:${user}`), 'admin.restore', {
        details: { backupCreatedAt: manifest.createdAt, schemaVersion: manifest.schemaVersion, outsideSize },
      }),
    )
  } finally {
    await store.close()
  }
}

function unprovenText({ seals }: SealCheck): string {
  const ways = [
    ...(seals.passphrase ? ['give its passphrase'] : []),
    ...(seals.signature ? ['give the public key of the server that made it (`--key`)'] : []),
    'accept that with `--unverified`',
  ]
  return `nothing proves that the backup is unchanged: ${ways.join(', or ')}`
}

async function keysFrom(file: string, entries: ReadonlyMap<string, ArchiveEntry>, passphrase: string | null) {
  if (passphrase === null)
    throw new Error('the keys of the backup need its passphrase; use `--no-keys` to restore without them')
  return openKeys((await readEntry(file, need(entries, 'keys.sealed.json'))).toString(), passphrase)
}

/**
 * PostgreSQL refuses by itself: the tables of the dump would already exist, and the restore is a single transaction.
 */
function refuseOccupied(settings: Settings, isPg: boolean): void {
  const occupied = [
    ...(isPg ? [] : [sqliteFile(settings), `${sqliteFile(settings)}-wal`]),
    join(settings.DATA_DIR, KEY_FILE),
  ].filter((path) => existsSync(path))
  const blobs = blobFolder(settings)
  if (existsSync(blobs) && readdirSync(blobs).length > 0) occupied.push(blobs)
  if (occupied.length > 0)
    throw new Error(`a restore needs an empty data directory and database; found ${occupied.join(', ')}`)
}

async function entriesOf(file: string): Promise<Map<string, ArchiveEntry>> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read (${error.code})`)
  })
  try {
    return new Map((await listEntries(handle)).map((entry) => [entry.name, entry]))
  } finally {
    await handle.close()
  }
}

function readManifest(text: string): BackupManifest {
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format !== FORMAT)
    throw new Error(`the backup has the format ${manifest.format}; this build reads ${FORMAT}`)
  return manifest
}

function need(entries: ReadonlyMap<string, ArchiveEntry>, name: string): ArchiveEntry {
  const entry = entries.get(name)
  if (entry === undefined) throw new Error(`the backup has no ${name}`)
  return entry
}

async function digest(file: string, entry: ArchiveEntry): Promise<string> {
  const hash = createHash('sha256')
  if (entry.bytes > 0) for await (const chunk of entryStream(file, entry)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function extract(file: string, entry: ArchiveEntry, to: string): Promise<void> {
  makeFolder(dirname(to))
  const out = createWriteStream(to, { mode: 0o600, flags: 'wx', flush: true })
  if (entry.bytes === 0) await new Promise<void>((done) => out.end(() => done()))
  else await pipeline(entryStream(file, entry), out)
}

/** The path of an entry. A name in the archive must not lead out of the folder. */
function inside(folder: string, name: string): string {
  const path = normalize(join(folder, name))
  if (!path.startsWith(normalize(folder) + sep)) throw new Error(`the backup has a file outside of its folder: ${name}`)
  return path
}
