/** Reads a tar file as a stream (POSIX ustar and pax, GNU names), and keeps no more of it in memory than one header. */

export interface TarFile {
  /** Without a leading `./`. */
  readonly name: string
  readonly bytes: number
  readonly kind: 'file' | 'hard-link' | 'link' | 'folder' | 'other'
  /** The target of a link, as written; null for a file with contents. */
  readonly linkTo: string | null
  /** The caller reads it to its end before it requests the next file; unread contents are skipped. */
  readonly content: AsyncIterable<Buffer>
}

/** What is wrong with the file; the message is for the uploader. */
export class TarFault extends Error {}

const BLOCK = 512
/** Limit for the names and attributes that precede a file. */
const META_BYTES_MAX = 65_536
const ENTRIES_MAX = 100_000

class Blocks {
  readonly #pieces: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Up to this many bytes, at least one; null at the end. */
  async some(bytesMax: number): Promise<Buffer | null> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#pieces.next()
      if (done === true) return null
      this.#held = value
    }
    const taken = this.#held.subarray(0, bytesMax)
    this.#held = this.#held.subarray(taken.length)
    return taken
  }

  /** Exactly this many bytes; null when the file ends before the first of them. @throws TarFault */
  async exactly(bytes: number): Promise<Buffer | null> {
    const chunks: Buffer[] = []
    for (let left = bytes; left > 0; ) {
      const chunk = await this.some(left)
      if (chunk === null) {
        if (left === bytes) return null
        throw new TarFault('it ends in the middle of a file')
      }
      chunks.push(chunk)
      left -= chunk.length
    }
    return Buffer.concat(chunks)
  }
}

export interface TarOptions {
  readonly entriesMax?: number
  /** For a root file system: folders are yielded too, and devices and pipes are skipped. */
  readonly isFileSystem?: boolean
}

/** @throws TarFault */
export async function* readTar(
  pieces: AsyncIterable<Buffer>,
  { entriesMax = ENTRIES_MAX, isFileSystem = false }: TarOptions = {},
): AsyncGenerator<TarFile> {
  const blocks = new Blocks(pieces)
  let next: { name?: string; link?: string; bytes?: number } = {}
  for (let entries = 0; ; entries++) {
    const header = await blocks.exactly(BLOCK)
    // Two blocks of zeros end the file; some programs omit them.
    if (header === null || header.every((byte) => byte === 0)) return
    if (entries > entriesMax) throw new TarFault(`it has more than ${entriesMax} entries`)
    checkSum(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const bytes = next.bytes ?? numberAt(header, 124, 12)
    if (type === 'L' || type === 'K' || type === 'x' || type === 'g') {
      if (bytes > META_BYTES_MAX) throw new TarFault('a name in it is too long')
      const text = (await blocks.exactly(padded(bytes)))?.subarray(0, bytes) ?? Buffer.alloc(0)
      if (type === 'L') next = { ...next, name: textOf(text) }
      else if (type === 'K') next = { ...next, link: textOf(text) }
      else if (type === 'x') next = { ...next, ...attributesOf(text) }
      continue
    }
    const { name = nameOf(header), link = textOf(header.subarray(157, 257)) } = next
    next = {}
    const kind = KINDS[type]
    if (kind === undefined || (kind === 'other' && !isFileSystem)) {
      throw new TarFault(`${name.slice(0, 100)} is neither a file nor a folder`)
    }
    const isFile = kind === 'file'
    const left = { bytes: isFile ? bytes : 0 }
    const content = contentOf(blocks, left)
    if (isFileSystem || kind !== 'folder') {
      const linkTo = kind === 'link' || kind === 'hard-link' ? plain(link) : null
      yield { name: plain(name), bytes: left.bytes, kind, linkTo, content }
    }
    for await (const _ of content);
    if (isFile) await blocks.exactly(padded(bytes) - bytes)
  }
}

const KINDS: Readonly<Record<string, TarFile['kind']>> = {
  ...{ '0': 'file', '\0': 'file', '7': 'file' },
  ...{ '1': 'hard-link', '2': 'link', '5': 'folder' },
  // Devices and pipes.
  ...{ '3': 'other', '4': 'other', '6': 'other' },
}

async function* contentOf(blocks: Blocks, left: { bytes: number }): AsyncGenerator<Buffer> {
  while (left.bytes > 0) {
    const chunk = await blocks.some(left.bytes)
    if (chunk === null) throw new TarFault('it ends in the middle of a file')
    left.bytes -= chunk.length
    yield chunk
  }
}

const padded = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK

const plain = (name: string): string => name.replace(/^(?:\.\/)+/, '')

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end === -1 ? bytes.length : end).toString('utf8')
}

function nameOf(header: Buffer): string {
  const prefix = header.subarray(257, 262).toString('latin1') === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  const name = textOf(header.subarray(0, 100))
  return prefix === '' ? name : `${prefix}/${name}`
}

function checkSum(header: Buffer): void {
  const said = numberAt(header, 148, 8)
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += header[at] ?? 0
  if (sum !== said) throw new TarFault('it is not a tar file, or it is damaged: a header does not match its checksum')
}

/** Octal digits, or a large binary number when the first bit is set. */
function numberAt(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length)
  let value = 0
  if (((field[0] ?? 0) & 0x80) !== 0) {
    for (const byte of field.subarray(4)) value = value * 256 + byte
  } else {
    const digits = textOf(field).trim()
    if (!/^[0-7]*$/.test(digits)) throw new TarFault('it is not a tar file, or it is damaged: a size is not a number')
    value = digits === '' ? 0 : Number.parseInt(digits, 8)
  }
  if (!Number.isSafeInteger(value)) throw new TarFault('it declares a size that is too large')
  return value
}

/** Parses `<length> <name>=<value>\n`; only the path, the link and the size are used. */
function attributesOf(text: Buffer): { name?: string; link?: string; bytes?: number } {
  const found: { name?: string; link?: string; bytes?: number } = {}
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(0x20, at)
    const length = Number(text.subarray(at, space).toString('latin1'))
    if (space === -1 || !Number.isInteger(length) || length <= space - at || at + length > text.length) {
      throw new TarFault('it has attributes that cannot be read')
    }
    const [name = '', ...value] = text
      .subarray(space + 1, at + length - 1)
      .toString('utf8')
      .split('=')
    // How the contents of a sparse file are read depends on the program that unpacks it.
    if (name.startsWith('GNU.sparse.')) throw new TarFault('it has a sparse file: pack it without --sparse')
    if (name === 'path') found.name = value.join('=')
    if (name === 'linkpath') found.link = value.join('=')
    if (name === 'size') {
      if (!/^\d{1,15}$/.test(value.join('='))) throw new TarFault('it names a size that is not a number')
      found.bytes = Number(value.join('='))
    }
    at += length
  }
  return found
}
