/**
 * Where the files of uploads lie until the answer leaves. A process that is killed leaves its files there: the process that takes the next upload,
 * in this process or another one, takes away what has lain untouched for longer than any upload lasts.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A body arrives within an hour at most, and each piece of it touches its file. */
const LEFT_MS = 2 * 3_600_000
const SWEPT_EVERY_MS = 600_000
const UPLOAD = /^upload-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface UploadFolder {
  /** A path that nothing has; the folder is there. */
  next(): Promise<string>
  /** Takes away what was left behind, except for what was touched lately. */
  sweep(): Promise<void>
}

/** @param now milliseconds, of the same clock as the files' times: the machine's. */
export function uploadFolder(folder: string, now: () => number = Date.now): UploadFolder {
  let sweptAtMs = Number.NEGATIVE_INFINITY

  async function sweep(): Promise<void> {
    sweptAtMs = now()
    for (const name of await readdir(folder)) {
      if (!UPLOAD.test(name)) continue
      const path = join(folder, name)
      // Gone meanwhile, or another user's: not ours to take away.
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
