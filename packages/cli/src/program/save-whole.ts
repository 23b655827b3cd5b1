/**
 * Writes a download to a file, or to standard output for `-`.
 * Only its owner can read the file, because exports name people.
 * INVARIANT: a file with the requested name is complete. If a download fails, the part that was written is removed.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Io } from '../command.js'
import { write } from './write.js'

/**
 * @param check throws if the file is not complete.
 * @returns whether a file was written; false for standard output.
 */
export async function saveWhole(
  source: Readable,
  output: string,
  io: Io,
  check: (partial: string) => Promise<unknown>,
): Promise<boolean> {
  if (output === '-') {
    await printWhole(source, io, check)
    return false
  }
  const file = resolve(io.cwd, output)
  const partial = `${file}.partial`
  // A file that is there would keep its mode.
  await rm(partial, { force: true })
  try {
    await pipeline(source, createWriteStream(partial, { mode: 0o600 }))
    await check(partial)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return true
}

/** Output that was printed cannot be taken back. Its copy is checked at the end, so that a cut download is an error. */
async function printWhole(source: Readable, io: Io, check: (copy: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-'))
  const copy = join(folder, 'download')
  try {
    const file = createWriteStream(copy)
    // A character may be split between two chunks.
    const decoder = new TextDecoder()
    await pipeline(
      source,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          await write(io.stdout, decoder.decode(chunk, { stream: true }))
          yield chunk
        }
      },
      file,
    )
    await write(io.stdout, decoder.decode())
    await check(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
