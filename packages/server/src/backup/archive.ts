/**
 * The file of a backup: a plain tar (ustar), so that any tool can read it. `manifest.json` is the first entry. It lists
 * every other entry with its size and SHA-256, except `seal.json`, which covers the manifest.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, type WriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const BLOCK = 512
const NAME_MAX = 100
const FOLDER_MAX = 155
const FOLDER_AT = 345

export interface EntryDigest {
  readonly name: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

export async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export function digestOfText(text: string): { bytes: number; sha256: string } {
  const content = Buffer.from(text)
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

/** Splits a name that is too long for its field at a slash; the first part goes to the prefix field. */
function split(name: string): [folder: string, rest: string] {
  if (Buffer.byteLength(name) <= NAME_MAX) return ['', name]
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [folder, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(rest) <= NAME_MAX && Buffer.byteLength(folder) <= FOLDER_MAX) return [folder, rest]
  }
  throw new Error(`the name ${name} is too long for the archive`)
}

function header(name: string, bytes: number): Buffer {
  const [folder, rest] = split(name)
  const block = Buffer.alloc(BLOCK)
  block.write(rest, 0)
  block.write(folder, FOLDER_AT)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const padding = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)

async function put(out: WriteStream, chunk: Buffer): Promise<void> {
  if (!out.write(chunk)) await once(out, 'drain')
}

export async function writeText(out: WriteStream, name: string, text: string): Promise<void> {
  const content = Buffer.from(text)
  await put(out, Buffer.concat([header(name, content.length), content, padding(content.length)]))
}

export async function writeFileEntry(out: WriteStream, name: string, path: string, bytes: number): Promise<void> {
  await put(out, header(name, bytes))
  let written = 0
  for await (const chunk of createReadStream(path)) {
    written += (chunk as Buffer).length
    await put(out, chunk as Buffer)
  }
  if (written !== bytes) throw new Error(`${name} changed while it was read`)
  await put(out, padding(bytes))
}

/** A tar file ends with two empty blocks. */
export const writeEnd = (out: WriteStream): Promise<void> => put(out, Buffer.alloc(2 * BLOCK))

export interface ArchiveEntry {
  readonly name: string
  readonly bytes: number
  /** Offset of the content in the file. */
  readonly offset: number
}

/** @throws Error for a file that is not such an archive, or is truncated. */
export async function listEntries(file: FileHandle): Promise<ArchiveEntry[]> {
  const { size } = await file.stat()
  const entries: ArchiveEntry[] = []
  let at = 0
  for (;;) {
    const block = Buffer.alloc(BLOCK)
    const { bytesRead } = await file.read(block, 0, BLOCK, at)
    if (bytesRead < BLOCK) throw new Error('the backup ends too early')
    if (block.every((byte) => byte === 0)) return entries
    const folder = textAt(block, FOLDER_AT, FOLDER_MAX)
    const name = `${folder === '' ? '' : `${folder}/`}${textAt(block, 0, NAME_MAX)}`
    const bytes = Number.parseInt(block.toString('latin1', 124, 135), 8)
    const isOurs = block.toString('latin1', 257, 262) === 'ustar' && header(name, bytes).equals(block)
    if (!isOurs) throw new Error('this is not a backup of Plumbline, or it was damaged')
    if (at + BLOCK + bytes > size) throw new Error('the backup ends too early')
    entries.push({ name, bytes, offset: at + BLOCK })
    at += BLOCK + bytes + ((BLOCK - (bytes % BLOCK)) % BLOCK)
  }
}

const textAt = (block: Buffer, at: number, bytes: number): string =>
  block.toString('utf8', at, at + bytes).replace(/\0.*$/s, '')

export async function readEntry(path: string, { offset, bytes }: ArchiveEntry): Promise<Buffer> {
  const file = await open(path)
  try {
    const content = Buffer.alloc(bytes)
    await file.read(content, 0, bytes, offset)
    return content
  } finally {
    await file.close()
  }
}

export const entryStream = (path: string, { offset, bytes }: ArchiveEntry) =>
  createReadStream(path, { start: offset, end: offset + bytes - 1 })
