/**
 * A folder as a zip archive, file after file, while somebody reads it: memory does not grow with the folder.
 * INVARIANT: the same names, contents and executable bits give the same bytes, so that a second try is the same request.
 */
import { createReadStream } from 'node:fs'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { FolderFile } from './folder.js'

/** The first moment that a zip can name. */
export const NO_TIME = new Date(1980, 0, 1)
/** Compressing these again costs time and saves nothing. */
const IS_COMPRESSED = /\.(zip|gz|tgz|bz2|xz|zst|7z|jar|png|jpe?g|gif|webp|woff2?|mp4|pdf)$/i
const UNIX = 3

/** `read` is told how many bytes of the files were read. @throws Error when a file changes its length meanwhile. */
export async function* zipOf(files: readonly FolderFile[], read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error !== null) failure = error
    else ready.push(chunk)
  })
  for (const file of files) {
    const entry = IS_COMPRESSED.test(file.name)
      ? new ZipPassThrough(file.name)
      : new ZipDeflate(file.name, { level: 6 })
    entry.mtime = NO_TIME
    entry.os = UNIX
    entry.attrs = (file.isExecutable ? 0o100755 : 0o100644) * 0x10000
    zip.add(entry)
    for await (const chunk of createReadStream(file.path, { highWaterMark: 1 << 16 })) {
      entry.push(chunk as Uint8Array)
      read((chunk as Uint8Array).length)
      yield* ready
      ready = []
    }
    entry.push(new Uint8Array(0), true)
  }
  zip.end()
  if (failure !== null) throw failure
  yield* ready
}
