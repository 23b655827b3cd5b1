/**
 * Unpacks entries in pieces of a fixed size, and compares each entry with the size and the checksum in the directory.
 */
import { Readable } from 'node:stream'
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { ArchiveEntry } from '../archive-content.js'
import { fault, shown } from './fault.js'
import { readAt } from './read-at.js'

/** Entries of up to this size, compressed and unpacked, are unpacked in one call. */
const AT_ONCE_BYTES = 262_144
const PIECE_BYTES = 65_536

/** @throws ArchiveFault when the contents do not match the directory. */
export async function checkContent(fd: number, entry: ArchiveEntry, onPiece: () => void): Promise<void> {
  if (entry.bytes <= AT_ONCE_BYTES && entry.packedBytes <= AT_ONCE_BYTES) {
    readSmall(fd, entry)
    return
  }
  let bytes = 0
  let sum = 0
  for await (const piece of pieces(fd, entry)) {
    bytes += piece.length
    // guard: more-than-is-said
    if (bytes > entry.bytes) throw wrong(entry, 'is larger than declared')
    sum = crc32(piece, sum)
    onPiece()
  }
  if (bytes !== entry.bytes) throw wrong(entry, 'is smaller than declared')
  if (sum !== entry.crc32) throw wrong(entry, 'does not match its checksum')
}

/** A text of at most `bytesMax` bytes. @throws ArchiveFault when it is larger or not UTF-8. */
export async function readText(fd: number, entry: ArchiveEntry, bytesMax: number): Promise<string> {
  if (entry.bytes > bytesMax) throw fault('text', `${shown(entry.name)} has ${entry.bytes} bytes, at most ${bytesMax}`)
  const chunks: Buffer[] = []
  for await (const piece of pieces(fd, entry)) chunks.push(piece)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw fault('text', `${shown(entry.name)} is not UTF-8`)
  }
}

const wrong = ({ name }: ArchiveEntry, what: string) => fault('content', `${shown(name)} ${what}`)

function readSmall(fd: number, entry: ArchiveEntry): void {
  const packed = readAt(fd, entry.dataAt, entry.packedBytes)
  const content = entry.isDeflated ? inflateSmall(packed, entry) : packed
  if (content.length !== entry.bytes) throw wrong(entry, 'is smaller than declared')
  // guard: the-checksum-of-a-small-entry
  if (crc32(content) !== entry.crc32) throw wrong(entry, 'does not match its checksum')
}

function inflateSmall(packed: Buffer, entry: ArchiveEntry): Buffer {
  try {
    // One byte more than declared is enough to detect a larger entry. The engine reports how much of the input it used.
    const { buffer, engine } = inflateRawSync(packed, {
      maxOutputLength: entry.bytes + 1,
      finishFlush: constants.Z_FINISH,
      info: true,
    } as object) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (buffer.length > entry.bytes) throw wrong(entry, 'is larger than declared')
    if (engine.bytesWritten !== packed.length) throw wrong(entry, 'has extra bytes after its end')
    return buffer
  } catch (error) {
    throw notPacked(error, entry)
  }
}

function notPacked(error: unknown, entry: ArchiveEntry): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_BUFFER_TOO_LARGE') return wrong(entry, 'is larger than declared')
  return code.startsWith('Z_') ? wrong(entry, 'cannot be unpacked') : error
}

/** The contents of an entry that `checkContent` has accepted. */
export async function* pieces(fd: number, entry: ArchiveEntry): AsyncGenerator<Buffer> {
  if (entry.packedBytes === 0) {
    if (entry.isDeflated) throw wrong(entry, 'cannot be unpacked')
    return
  }
  if (!entry.isDeflated) {
    yield* packedPieces(fd, entry)
    return
  }
  const packed = Readable.from(packedPieces(fd, entry))
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_FINISH })
  packed.on('error', (error) => inflate.destroy(error))
  packed.pipe(inflate)
  try {
    yield* inflate
    if (inflate.bytesWritten !== entry.packedBytes) throw wrong(entry, 'has extra bytes after its end')
  } catch (error) {
    throw notPacked(error, entry)
  } finally {
    packed.destroy()
    inflate.destroy()
  }
}

/** Reads synchronously, which blocks the process: the archive reader has nothing else to do. */
function* packedPieces(fd: number, { dataAt, packedBytes }: ArchiveEntry): Generator<Buffer> {
  for (let done = 0; done < packedBytes; done += PIECE_BYTES) {
    yield readAt(fd, dataAt + done, Math.min(PIECE_BYTES, packedBytes - done))
  }
}
