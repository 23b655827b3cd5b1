/**
 * Writes a zip file of texts in the form that `readStructure` accepts: stored, without extra fields, one after the
 * other.
 */
import { crc32 } from 'node:zlib'

export interface TextFile {
  readonly name: string
  readonly text: string
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
const UTF8 = 0x800
/** The fixed date 1980-01-01, so that the same files give the same bytes. */
const DOS_DATE = 0x21
/** A plain file with mode 0644, made on Unix. */
const MADE_BY = (3 << 8) | VERSION
const ATTRIBUTES = 0o100644 * 0x10000

export function writeZip(files: readonly TextFile[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, text } of files) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)]
    const common = commonFields(content, path.length)
    const head = Buffer.alloc(4)
    head.writeUInt32LE(LOCAL)
    const local = Buffer.concat([head, common, path, content])
    directory.push(centralRecord(common, path, at))
    pieces.push(local)
    at += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...pieces, central, end])
}

/** The fields from the version to the length of the extra field, which both headers share. */
function commonFields(content: Buffer, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(UTF8, 2)
  fields.writeUInt16LE(0, 4)
  fields.writeUInt16LE(0, 6)
  fields.writeUInt16LE(DOS_DATE, 8)
  fields.writeUInt32LE(crc32(content), 10)
  fields.writeUInt32LE(content.length, 14)
  fields.writeUInt32LE(content.length, 18)
  fields.writeUInt16LE(nameBytes, 22)
  fields.writeUInt16LE(0, 24)
  return fields
}

function centralRecord(common: Buffer, path: Buffer, at: number): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt32LE(CENTRAL, 0)
  head.writeUInt16LE(MADE_BY, 4)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(ATTRIBUTES, 6)
  tail.writeUInt32LE(at, 10)
  return Buffer.concat([head, common, tail, path])
}
