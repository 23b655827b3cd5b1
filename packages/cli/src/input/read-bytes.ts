/**
 * Reads files, pipes and standard input into memory, never more than a limit, and decodes them.
 * INVARIANT: no command reads a whole input in another way, because a device or a pipe can be endless.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'

/** A larger file is refused. The configuration can set another limit. */
export const fileBytesMax = 16 * 1024 * 1024

export class UnreadableError extends Error {
  constructor(
    message: string,
    readonly fix: string,
  ) {
    super(message)
    this.name = 'UnreadableError'
  }
}

export function refuseSize(bytes: number, max: number): void {
  if (bytes <= max) return
  throw new UnreadableError(`the file has ${bytes} bytes, ${max} are allowed`, SMALLER)
}

const SMALLER = 'split it, or set `maxFileBytes`'

/** How much is read at once of what has no size: a pipe or a device. */
const CHUNK_BYTES = 1 << 16

/** Collects chunks up to a limit. */
class Collected {
  readonly #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(private readonly max: number) {}

  get bytes(): number {
    return this.#bytes
  }

  /** Throws `UnreadableError`. */
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.max)
      throw new UnreadableError(`it has more than the ${this.max} bytes that are allowed`, SMALLER)
    this.#chunks.push(chunk)
  }

  whole(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

/**
 * The bytes of a file, a pipe or a device. Reads synchronously, which is several times faster for many small files.
 * Throws `UnreadableError` for a folder and for more than `max` bytes, and the error of the system for the rest.
 */
export function readBytes(path: string, max: number = fileBytesMax): Buffer {
  const handle = openSync(path, 'r')
  try {
    const found = fstatSync(handle)
    if (found.isDirectory()) throw new UnreadableError('this is a folder', 'name a file')
    refuseSize(found.size, max)
    const collected = new Collected(max)
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(found.size - collected.bytes, 0) || CHUNK_BYTES)
      const read = readSync(handle, chunk)
      if (read === 0) return collected.whole()
      collected.add(chunk.subarray(0, read))
    }
  } finally {
    closeSync(handle)
  }
}

/** The bytes of a stream, such as standard input. Throws `UnreadableError` for more than `max` bytes. */
export async function readStream(stream: Readable, max: number = fileBytesMax): Promise<Buffer> {
  const collected = new Collected(max)
  for await (const chunk of stream) collected.add(Buffer.from(chunk as Uint8Array))
  return collected.whole()
}

/** The text of a file. Throws `UnreadableError`. */
export function readFileText(path: string, max: number = fileBytesMax): string {
  let bytes: Uint8Array
  try {
    bytes = readBytes(path, max)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof UnreadableError || code === undefined) throw error
    throw new UnreadableError(`the file cannot be read (${code})`, 'check that it exists and its permissions')
  }
  return decodeText(bytes)
}

/** Throws `UnreadableError`. */
export function decodeText(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new UnreadableError('the file is UTF-16', 'save it as UTF-8')
  }
  if (bytes.subarray(0, 8192).includes(0)) {
    throw new UnreadableError('the file is binary', 'name text files only')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableError('the file is not valid UTF-8', 'save it as UTF-8')
  }
}
