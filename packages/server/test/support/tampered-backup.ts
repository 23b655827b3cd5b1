/** Backups as changed by an attacker who has the file, but neither the passphrase nor the checkpoint key. */
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digestOf, listEntries, readEntry, writeEnd, writeFileEntry } from '../../src/backup/archive.js'
import type { BackupManifest } from '../../src/backup/backup.js'

/** Makes a user a system administrator. */
export const SUPER_ADMIN =
  "INSERT INTO role_assignments (id, org_id, role_id, user_id, source, created_at_ms) VALUES ('a', 'system', 'super-admin', 'mallory', 'manual', 0)"

/**
 * Changes the database in a backup, and writes matching sizes and digests. An attacker can do this without the
 * passphrase and the checkpoint key.
 */
export async function tamper(
  file: string,
  change: (database: string) => void | Promise<void>,
  seal: (old: string, manifest: string) => string | null,
): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'plumbline-tampered-'))
  const handle = await open(file)
  const entries = await listEntries(handle)
  await handle.close()
  const contents = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    const path = join(work, String(index))
    writeFileSync(path, await readEntry(file, entry))
    if (entry.name.startsWith('database.')) await change(path)
    contents.set(entry.name, path)
  }
  const pathOf = (name: string) => contents.get(name) ?? ''
  const manifest = JSON.parse(readFileSync(pathOf('manifest.json'), 'utf8')) as BackupManifest
  const parts = []
  for (const { name } of manifest.entries) parts.push({ name, ...(await digestOf(pathOf(name))) })
  const manifestText = `${JSON.stringify({ ...manifest, entries: parts }, null, 2)}\n`
  const newSeal = seal(readFileSync(pathOf('seal.json'), 'utf8'), manifestText)
  writeFileSync(pathOf('manifest.json'), manifestText)
  if (newSeal === null) contents.delete('seal.json')
  else writeFileSync(pathOf('seal.json'), newSeal)
  const tampered = join(work, 'tampered.tar')
  const out = createWriteStream(tampered)
  for (const [name, path] of contents) await writeFileEntry(out, name, path, (await digestOf(path)).bytes)
  await writeEnd(out)
  out.end()
  await once(out, 'close')
  return tampered
}
