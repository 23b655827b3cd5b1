/**
 * Streams a folder as a zip archive, file by file, so that memory does not grow with the folder.
 * INVARIANT: the same names, contents and executable bits give the same bytes, so that a retry is the same request.
 */
import { createReadStream } from 'node:fs'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { FolderFile } from './folder.js'

/** The earliest time that a zip can store. */
export const NO_TIME = new Date(1980, 0, 1)
/** Files that are already compressed: compressing them again costs time and saves nothing. */
const IS_COMPRESSED = /\.(zip|gz|tgz|bz2|xz|zst|7z|jar|png|jpe?g|gif|webp|woff2?|mp4|pdf)$/i
const UNIX = 3

/**
 * @param read receives the number of bytes read from the files.
 * @throws Error if a file changes its length in the meantime.
 */
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
