/** Builds zip files field by field, so that a test can set each field to a wrong value. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  /** 0 is stored, 8 is deflated; 8 by default. */
  readonly method?: number
  /** Compressed bytes, used unchanged whatever the content is. */
  readonly packed?: Uint8Array
  readonly flags?: number
  readonly attributes?: number
  readonly extra?: Uint8Array
  readonly localExtra?: Uint8Array
  readonly comment?: Uint8Array
  /** Sizes and checksum after the data, as written by a program that does not know them in advance. */
  readonly descriptor?: 'marked' | 'plain' | 'wide' | 'wrong'
  /** Different values in the two headers. */
  readonly local?: Partial<Header>
  readonly central?: Partial<Header>
  /** Bytes between this entry and the next. */
  readonly gap?: Uint8Array
}

interface Header {
  readonly name: string | Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  readonly at: number
  readonly signature: number
}

export interface ZipShape {
  readonly prefix?: Uint8Array
  /** Between the last entry and the directory. */
  readonly beforeDirectory?: Uint8Array
  /** Between the directory and the end record. */
  readonly afterDirectory?: Uint8Array
  readonly suffix?: Uint8Array
  readonly comment?: Uint8Array
  readonly end?: Partial<{
    disk: number
    directoryDisk: number
    here: number
    count: number
    directoryBytes: number
    directoryAt: number
    commentBytes: number
  }>
  /** A zip64 end record and locator, with different values. */
  readonly zip64?: Partial<{
    here: number
    count: number
    directoryBytes: number
    directoryAt: number
    at: number
    size: number
    extra: number
  }>
}

const bytesOf = (text: string | Uint8Array): Buffer => Buffer.from(text as Uint8Array)

export function makeZip(parts: readonly ZipPart[], shape: ZipShape = {}): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [Buffer.from(shape.prefix ?? [])]
  const directory: Buffer[] = []
  let at = pieces[0]?.length ?? 0
  const push = (piece: Uint8Array) => {
    pieces.push(Buffer.from(piece))
    at += piece.length
  }
  for (const part of parts) {
    const { header, packed } = headerOf(part, at)
    const isLater = part.descriptor !== undefined
    const known = isLater ? { ...header, crc: 0, packedBytes: 0, bytes: 0 } : header
    push(localHeader({ ...known, ...part.local }, part.localExtra ?? part.extra))
    push(packed)
    if (part.descriptor !== undefined) push(descriptor(part.descriptor, header))
    push(part.gap ?? Buffer.alloc(0))
    directory.push(centralHeader({ ...header, ...part.central }, part))
  }
  push(shape.beforeDirectory ?? Buffer.alloc(0))
  const directoryAt = at
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0)
  for (const each of directory) push(each)
  push(shape.afterDirectory ?? Buffer.alloc(0))
  const facts = { here: parts.length, count: parts.length, directoryBytes, directoryAt }
  if (shape.zip64 !== undefined) push(zip64End({ ...facts, ...shape.zip64 }, at, shape.zip64))
  const comment = Buffer.from(shape.comment ?? [])
  const unknown = { here: 0xffff, count: 0xffff, directoryBytes: 0xffff_ffff, directoryAt: 0xffff_ffff }
  const end = { disk: 0, directoryDisk: 0, ...(shape.zip64 === undefined ? facts : unknown), ...shape.end }
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x0605_4b50, 0)
  last.writeUInt16LE(end.disk, 4)
  last.writeUInt16LE(end.directoryDisk, 6)
  last.writeUInt16LE(end.here, 8)
  last.writeUInt16LE(end.count, 10)
  last.writeUInt32LE(end.directoryBytes, 12)
  last.writeUInt32LE(end.directoryAt, 16)
  last.writeUInt16LE(shape.end?.commentBytes ?? comment.length, 20)
  push(last)
  push(comment)
  push(shape.suffix ?? Buffer.alloc(0))
  return Buffer.concat(pieces)
}

function headerOf(part: ZipPart, at: number): { header: Header; packed: Buffer } {
  const content = bytesOf(part.content ?? '')
  const method = part.method ?? 8
  const packed = Buffer.from(part.packed ?? (method === 8 ? deflateRawSync(content) : content))
  const name = bytesOf(part.name)
  const isUtf8 = name.some((byte) => byte > 0x7f)
  const flags = part.flags ?? (isUtf8 ? 0x800 : 0) + (part.descriptor === undefined ? 0 : 8)
  const header = {
    name,
    flags,
    method,
    crc: crc32(content),
    packedBytes: packed.length,
    bytes: content.length,
    at,
    signature: 0,
  }
  return { header, packed }
}

function localHeader(header: Header, extra: Uint8Array = Buffer.alloc(0)): Buffer {
  const name = bytesOf(header.name)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(header.signature || 0x0403_4b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(header.flags, 6)
  head.writeUInt16LE(header.method, 8)
  head.writeUInt32LE(header.crc, 14)
  head.writeUInt32LE(header.packedBytes, 18)
  head.writeUInt32LE(header.bytes, 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

function centralHeader(header: Header, part: ZipPart): Buffer {
  const name = bytesOf(header.name)
  const extra = Buffer.from(part.extra ?? [])
  const comment = Buffer.from(part.comment ?? [])
  const head = Buffer.alloc(46)
  head.writeUInt32LE(header.signature || 0x0201_4b50, 0)
  head.writeUInt16LE(0x0314, 4)
  head.writeUInt16LE(20, 6)
  head.writeUInt16LE(header.flags, 8)
  head.writeUInt16LE(header.method, 10)
  head.writeUInt32LE(header.crc, 16)
  head.writeUInt32LE(header.packedBytes, 20)
  head.writeUInt32LE(header.bytes, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt16LE(comment.length, 32)
  head.writeUInt32LE(part.attributes ?? 0, 38)
  head.writeUInt32LE(header.at, 42)
  return Buffer.concat([head, name, extra, comment])
}

function descriptor(kind: 'marked' | 'plain' | 'wide' | 'wrong', { crc, packedBytes, bytes }: Header): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(kind === 'wrong' ? (crc ^ 1) >>> 0 : crc)
  const sizes = Buffer.alloc(kind === 'wide' ? 16 : 8)
  if (kind === 'wide') {
    sizes.writeBigUInt64LE(BigInt(packedBytes), 0)
    sizes.writeBigUInt64LE(BigInt(bytes), 8)
  } else {
    sizes.writeUInt32LE(packedBytes, 0)
    sizes.writeUInt32LE(bytes, 4)
  }
  return Buffer.concat([...(kind === 'plain' ? [] : [Buffer.from('PK\x07\x08', 'latin1')]), sum, sizes])
}

function zip64End(
  said: { here: number; count: number; directoryBytes: number; directoryAt: number },
  at: number,
  more: NonNullable<ZipShape['zip64']>,
): Buffer {
  const record = Buffer.alloc(56 + (more.extra ?? 0))
  record.writeUInt32LE(0x0606_4b50, 0)
  record.writeBigUInt64LE(BigInt(more.size ?? record.length - 12), 4)
  record.writeUInt16LE(45, 12)
  record.writeUInt16LE(45, 14)
  record.writeBigUInt64LE(BigInt(said.here), 24)
  record.writeBigUInt64LE(BigInt(said.count), 32)
  record.writeBigUInt64LE(BigInt(said.directoryBytes), 40)
  record.writeBigUInt64LE(BigInt(said.directoryAt), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x0706_4b50, 0)
  locator.writeBigUInt64LE(BigInt(more.at ?? at), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** An extra field. */
export function extraField(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** The zip64 extra field with these numbers. */
export function zip64Field(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => void data.writeBigUInt64LE(BigInt(value), index * 8))
  return extraField(0x0001, data)
}
