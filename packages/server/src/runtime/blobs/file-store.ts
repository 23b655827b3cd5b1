/**
 * Blobs as files.
 *
 * A blob is written to a temporary file, flushed, and renamed to its place. So a crash leaves either the whole blob or
 * none. Then its folder is flushed, so that the name survives a power failure too.
 *
 * `<folder>/<segments of the key>/@<two hex digits>/<last segment>`: the digits are the beginning of the SHA-256 of the
 * last segment, so that no folder holds more than a 256th of an organization's blobs. No key contains `@`.
 */
import { createHash, randomUUID } from 'node:crypto'
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from '../errors.js'
import type { BlobBackend } from './backend.js'
import { checkBlobKey, isBlobKey } from './key.js'

/** The folder in which blobs are written before they get their name. No key begins with a dot. */
export const INCOMING = '.incoming'

const SHARD = /^@[0-9a-f]{2}$/

export function fileBlobStore(folder: string): BlobBackend {
  const pathOf = (key: string): string => {
    checkBlobKey(key)
    const segments = key.split('/')
    const name = segments.pop() ?? ''
    return join(folder, ...segments, `@${createHash('sha256').update(name).digest('hex').slice(0, 2)}`, name)
  }

  return {
    async put(key, content, bytes) {
      const target = pathOf(key)
      const draft = join(folder, INCOMING, randomUUID())
      try {
        await onDisk(makeFolder(dirname(draft)))
        await writeDraft(draft, content, bytes)
        await onDisk(makeFolder(dirname(target)))
        await onDisk(rename(draft, target))
        await onDisk(flushFolder(dirname(target)))
      } catch (error) {
        await rm(draft, { force: true }).catch(() => undefined)
        throw error
      }
    },
    async stat(key) {
      const found = await onDisk(unlessMissing(stat(pathOf(key))))
      return found === null ? null : { bytes: found.size }
    },
    async open(key, range) {
      const file = await onDisk(unlessMissing(open(pathOf(key), 'r')))
      if (file === null) return null
      return file.createReadStream(range === undefined ? {} : { start: range.first, end: range.last })
    },
    async delete(key) {
      await onDisk(unlessMissing(rm(pathOf(key))))
    },
    async *list(prefix) {
      yield* walk(folder, '', prefix)
    },
    async ping() {
      // The first put creates the folder.
      await unlessMissing(access(folder, constants.R_OK | constants.W_OK | constants.X_OK))
    },
    async tidy(beforeMs) {
      const drafts = join(folder, INCOMING)
      for (const name of (await unlessMissing(readdir(drafts))) ?? []) {
        const found = await unlessMissing(stat(join(drafts, name)))
        if (found !== null && found.mtimeMs < beforeMs) await rm(join(drafts, name), { force: true })
      }
    },
  }
}

async function writeDraft(draft: string, content: Readable, bytes: number): Promise<void> {
  const file = await onDisk(open(draft, 'wx', 0o600))
  try {
    let written = 0
    for await (const chunk of content) {
      written += (chunk as Buffer).length
      if (written > bytes) break
      await onDisk(file.writeFile(chunk as Buffer))
    }
    if (written !== bytes) throw new Error(`a blob of ${bytes} bytes was announced, another number came`)
    await onDisk(file.sync())
  } finally {
    await file.close()
  }
}

/** Flushes the parent of each new folder. Otherwise a power failure could lose the folder with the blob in it. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made))
}

async function flushFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined
  try {
    folder = await open(path, 'r')
    await folder.sync()
  } catch (error) {
    // Where folders cannot be flushed (Windows), the file system keeps the order itself.
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EBADF'].includes(codeOf(error))) throw error
  } finally {
    await folder?.close()
  }
}

/** Yields the blobs below a folder in the order of their names. A blob that is deleted meanwhile is skipped. */
async function* walk(
  folder: string,
  above: string,
  prefix: string,
): AsyncGenerator<{ key: string; bytes: number; modifiedAtMs: number }> {
  const entries = (await onDisk(unlessMissing(readdir(folder, { withFileTypes: true })))) ?? []
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && SHARD.test(entry.name)) {
      yield* walk(path, above, prefix)
    } else if (entry.isDirectory()) {
      const inside = `${above}${entry.name}/`
      if (isBlobKey(entry.name) && (inside.startsWith(prefix) || prefix.startsWith(inside)))
        yield* walk(path, inside, prefix)
    } else {
      const key = `${above}${entry.name}`
      if (!isBlobKey(key) || !key.startsWith(prefix)) continue
      const found = await onDisk(unlessMissing(stat(path)))
      if (found !== null) yield { key, bytes: found.size, modifiedAtMs: found.mtimeMs }
    }
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** A disk that is full, read-only or missing is not a fault of the request. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new Refusal('SERVICE_UNAVAILABLE', 'files cannot be stored or read now: try again', { cause })
  }
}
