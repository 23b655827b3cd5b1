/**
 * The folder in which uploaded files are kept until the answer is sent. A killed process leaves its files there. The
 * next upload, in any process, removes files that were untouched for longer than an upload can last.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A body arrives within an hour at most, and each piece of it updates the file's time. */
const LEFT_MS = 2 * 3_600_000
const SWEPT_EVERY_MS = 600_000
const UPLOAD = /^upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface UploadFolder {
  /** Returns a path that does not exist yet, in a folder that exists. */
  next(): Promise<string>
  /** Removes files that were left behind, except those that were touched lately. */
  sweep(): Promise<void>
}

/** @param now Returns milliseconds of the clock that sets the times of files, which is that of the machine. */
export function uploadFolder(folder: string, now: () => number = Date.now): UploadFolder {
  let sweptAtMs = Number.NEGATIVE_INFINITY

  async function sweep(): Promise<void> {
    sweptAtMs = now()
    for (const name of await readdir(folder)) {
      if (!UPLOAD.test(name)) continue
      const path = join(folder, name)
      // The file was removed meanwhile, or belongs to another user: leave it alone.
      const found = await stat(path).catch(() => null)
      if (found !== null && found.mtimeMs < now() - LEFT_MS) await rm(path, { force: true }).catch(() => undefined)
    }
  }

  return {
    async next() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if (now() - sweptAtMs >= SWEPT_EVERY_MS) await sweep()
      return join(folder, `upload-${randomUUID()}`)
    },
    sweep,
  }
}
