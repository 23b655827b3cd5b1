/**
 * Unpacks a checked archive into an empty folder, for the builder. Names that lead outside were already refused. Every
 * file is created new and without following links, so that nothing outside the folder is touched even when another
 * process writes in it.
 */
import { closeSync, constants, fchmodSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Archive } from '../archive-content.js'

const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0)

/** @throws ArchiveFault; an error of the file system when a file already exists. */
export async function extractInto(archive: Archive, folder: string): Promise<void> {
  const made = new Set<string>([''])
  const makeFolder = (path: string) => {
    if (made.has(path)) return
    makeFolder(path.split('/').slice(0, -1).join('/'))
    mkdirSync(join(folder, path), { mode: 0o755 })
    made.add(path)
  }
  for (const entry of archive.entries) {
    const path = entry.isFolder ? entry.name.slice(0, -1) : entry.name
    makeFolder(entry.isFolder ? path : path.split('/').slice(0, -1).join('/'))
    if (entry.isFolder) continue
    const file = openSync(join(folder, path), NEW_FILE, 0o644)
    try {
      for await (const piece of archive.pieces(entry)) writeAll(file, piece)
      // guard: of-a-mode-one-bit-is-kept
      fchmodSync(file, entry.isExecutable ? 0o755 : 0o644)
    } finally {
      closeSync(file)
    }
  }
}

function writeAll(file: number, piece: Buffer): void {
  for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done)
}
