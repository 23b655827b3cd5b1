/**
 * The structure of a zip file, read strictly. The central directory lists the entries, each local header must agree
 * with it, and together they must account for every byte of the file. So no two programs can see different contents in
 * it.
 */
import { fstatSync } from 'node:fs'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import type { ArchiveEntry } from '../archive-content.js'
import { ArchiveFault, type ArchiveIssue, fault, shown } from './fault.js'
import { FdReader } from './fd-reader.js'
import { type ArchiveLimits, RATIO_FREE_BYTES } from './limits.js'
import { decodeName, NameBook, pathIssue } from './names.js'
import { readAt } from './read-at.js'

interface Listed extends Omit<ArchiveEntry, 'dataAt'> {
  readonly rawName: Buffer
  readonly flags: number
  readonly headerAt: number
}

const ISSUES_MAX = 20

const EXTRA_BYTES_MAX = 4096

const COMMENT_BYTES_MAX = 4096

const FLAG_ENCRYPTED = 0x1 | 0x40 | 0x2000

const FLAG_DESCRIPTOR = 0x8

const FLAG_UTF8 = 0x800

const FLAG_PATCH = 0x20

const METHOD_STORED = 0

const METHOD_DEFLATED = 8

const UNKNOWN_32 = 0xffff_ffff

/** @throws ArchiveFault */
export async function readStructure(fd: number, limits: ArchiveLimits): Promise<ArchiveEntry[]> {
  const zip = await openZip(fd)
  const directoryAt = Number(zip.readEntryCursor)
  // guard: too-many-entries
  if (zip.entryCount > limits.entriesMax) {
    throw fault('too_many_entries', `the archive has ${zip.entryCount} entries, at most ${limits.entriesMax}`)
  }
  const { listed, issues } = await readDirectory(zip, limits)
  if (issues.length > 0) throw new ArchiveFault(issues)
  // guard: what-stands-behind-the-directory
  checkTail(fd, zip, directoryAt)
  const total = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  // guard: too-much-unpacked
  if (total > limits.extractedBytesMax) {
    throw fault('too_large', `the archive holds ${total} bytes, at most ${limits.extractedBytesMax}`)
  }
  return checkLocalHeaders(fd, listed, directoryAt)
}

async function openZip(fd: number): Promise<ZipFile> {
  try {
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true }
    return await fromRandomAccessReaderPromise(new FdReader(fd), fstatSync(fd).size, options)
  } catch (error) {
    throw unreadable(error, 'not_zip')
  }
}

/** An error of the zip library describes the format and can be shown; any other error is a bug. */
function unreadable(error: unknown, code: 'not_zip' | 'structure'): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  if ('code' in error || error instanceof TypeError) return error
  const [first = ''] = error.message.split('\n')
  const text = first.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 160)
  return fault(code, `the archive cannot be read: ${text.charAt(0).toLowerCase()}${text.slice(1)}`)
}

async function readDirectory(
  zip: ZipFile,
  limits: ArchiveLimits,
): Promise<{ listed: Listed[]; issues: ArchiveIssue[] }> {
  const listed: Listed[] = []
  const issues: ArchiveIssue[] = []
  const names = new NameBook()
  try {
    for await (const entry of zip.eachEntry()) {
      const found = readEntry(entry, limits)
      const issue = 'message' in found ? found : names.add(found.name)
      if (issue !== null) issues.push(issue)
      else if ('name' in found) listed.push(found)
      if (issues.length >= ISSUES_MAX) break
    }
  } catch (error) {
    throw unreadable(error, 'structure')
  }
  return { listed, issues }
}

function readEntry(entry: Entry, limits: ArchiveLimits): Listed | ArchiveIssue {
  const flags = entry.generalPurposeBitFlag
  const name = decodeName(entry.fileNameRaw, (flags & FLAG_UTF8) !== 0)
  if (typeof name !== 'string') return name
  const wrongPath = pathIssue(name)
  if (wrongPath !== null) return wrongPath
  // guard: an-encrypted-entry
  if ((flags & FLAG_ENCRYPTED) !== 0) return { code: 'encrypted', message: `${shown(name)} is encrypted` }
  if ((flags & FLAG_PATCH) !== 0) return { code: 'method', message: `${shown(name)} is a patch of other data` }
  const { compressionMethod: method, compressedSize: packedBytes, uncompressedSize: bytes } = entry
  if (method !== METHOD_STORED && method !== METHOD_DEFLATED) {
    return { code: 'method', message: `${shown(name)} uses compression method ${method}: use deflate, or none` }
  }
  const isFolder = name.endsWith('/')
  const wrongKind = kindIssue(entry, name, isFolder) ?? extraIssue(entry, name)
  if (wrongKind !== null) return wrongKind
  if (![packedBytes, bytes, entry.relativeOffsetOfLocalHeader].every(Number.isSafeInteger)) {
    return { code: 'zip64', message: `${shown(name)} has sizes beyond all files` }
  }
  if (isFolder && bytes > 0) return { code: 'structure', message: `the folder ${shown(name)} has contents` }
  // guard: what-unpacks-too-well
  if (bytes > RATIO_FREE_BYTES && bytes > limits.ratioMax * packedBytes) {
    return {
      code: 'ratio',
      message: `${shown(name)} unpacks to more than ${limits.ratioMax} times its size`,
    }
  }
  return {
    name,
    isFolder,
    isExecutable: !isFolder && isExecutable(entry),
    packedBytes,
    bytes,
    crc32: entry.crc32,
    isDeflated: method === METHOD_DEFLATED,
    rawName: Buffer.from(entry.fileNameRaw),
    flags,
    headerAt: entry.relativeOffsetOfLocalHeader,
  }
}

/** Systems whose attributes contain Unix modes: Unix and macOS. */
const MADE_ON_UNIX: ReadonlySet<number> = new Set([3, 19])

const OWNER_RUNS = 0o100

/** Only this bit of the mode is used: no rights of others, no set-user-ID. */
const isExecutable = ({ versionMadeBy, externalFileAttributes }: Entry): boolean =>
  MADE_ON_UNIX.has(versionMadeBy >>> 8) && ((externalFileAttributes >>> 16) & OWNER_RUNS) !== 0

const KIND = 0o170000

const KIND_FILE = 0o100000

const KIND_FOLDER = 0o040000

const KIND_LINK = 0o120000

const WINDOWS_REPARSE = 0x400

const WINDOWS_DEVICE = 0x40

/** Refuses links, pipes, sockets and devices, whichever system claims to have written them. */
function kindIssue({ externalFileAttributes }: Entry, name: string, isFolder: boolean): ArchiveIssue | null {
  const kind = (externalFileAttributes >>> 16) & KIND
  // guard: a-link
  if (kind === KIND_LINK || (externalFileAttributes & WINDOWS_REPARSE) !== 0) {
    return { code: 'link', message: `${shown(name)} is a link` }
  }
  // guard: a-device
  if ((kind !== 0 && kind !== KIND_FILE && kind !== KIND_FOLDER) || (externalFileAttributes & WINDOWS_DEVICE) !== 0) {
    return { code: 'device', message: `${shown(name)} is neither a file nor a folder` }
  }
  if ((kind === KIND_FOLDER && !isFolder) || (kind === KIND_FILE && isFolder)) {
    return { code: 'structure', message: `${shown(name)} is a folder by its name or by its attributes, not by both` }
  }
  return null
}

const EXTRA_ZIP64 = 0x0001

const EXTRA_PKWARE_UNIX = 0x000d

const EXTRA_ASI_UNIX = 0x756e

const EXTRA_UNICODE_PATH = 0x7075

const EXTRA_STRONG_ENCRYPTION = 0x0017

const EXTRA_AES = 0x9901

/** Refuses extra fields that give an entry another name, a link target or encryption. */
function extraIssue({ extraFields, extraFieldLength, fileCommentLength }: Entry, name: string): ArchiveIssue | null {
  if (extraFieldLength > EXTRA_BYTES_MAX || fileCommentLength > COMMENT_BYTES_MAX) {
    return {
      code: 'structure',
      message: `${shown(name)} has more than ${EXTRA_BYTES_MAX} bytes of extra fields or comment`,
    }
  }
  for (const { id, data } of extraFields) {
    if (id === EXTRA_STRONG_ENCRYPTION || id === EXTRA_AES) {
      return { code: 'encrypted', message: `${shown(name)} is encrypted` }
    }
    // After times, user and group, the field has the target of a link or the numbers of a device.
    if (id === EXTRA_PKWARE_UNIX && data.length > 12) return { code: 'link', message: `${shown(name)} is a link` }
    if (id === EXTRA_ASI_UNIX && data.length > 14) return { code: 'link', message: `${shown(name)} is a link` }
    if (id === EXTRA_UNICODE_PATH && data.subarray(5).toString('utf8') !== name) {
      return { code: 'name', message: `${shown(name)} has a second, different name` }
    }
  }
  if (extraFields.filter(({ id }) => id === EXTRA_ZIP64).length > 1) {
    return { code: 'zip64', message: `${shown(name)} declares its sizes twice` }
  }
  return null
}

const readLarge = (buffer: Buffer, at: number): number => Number(buffer.readBigUInt64LE(at))

/** After the last listed entry, only end records that agree with one another may follow. */
function checkTail(fd: number, { readEntryCursor, fileSize, entryCount }: ZipFile, directoryAt: number): void {
  const directoryEnd = Number(readEntryCursor)
  const directoryBytes = directoryEnd - directoryAt
  const hidden = () => fault('structure', 'the archive has entries or bytes that its directory does not list')
  let endAt = directoryEnd
  let isZip64 = false
  if (fileSize - endAt < 22) throw hidden()
  if (readAt(fd, endAt, 4).readUInt32LE(0) === 0x0606_4b50) {
    isZip64 = true
    if (fileSize - endAt < 56 + 20 + 22) throw hidden()
    const record = readAt(fd, endAt, 56)
    const recordBytes = readLarge(record, 4) + 12
    const agrees =
      readLarge(record, 24) === entryCount &&
      readLarge(record, 32) === entryCount &&
      readLarge(record, 40) === directoryBytes &&
      readLarge(record, 48) === directoryAt &&
      record.readUInt32LE(20) === 0
    if (!agrees) throw fault('zip64', 'the zip64 end record contradicts the directory')
    if (recordBytes < 56 || recordBytes > fileSize) throw fault('zip64', 'the zip64 end record has a wrong size')
    const locator = readAt(fd, endAt + recordBytes, 20)
    if (locator.readUInt32LE(0) !== 0x0706_4b50 || readLarge(locator, 8) !== endAt || locator.readUInt32LE(4) !== 0) {
      throw fault('zip64', 'the zip64 locator has a wrong offset')
    }
    endAt += recordBytes + 20
  }
  if (fileSize - endAt < 22) throw hidden()
  const end = readAt(fd, endAt, 22)
  if (end.readUInt32LE(0) !== 0x0605_4b50 || endAt + 22 + end.readUInt16LE(20) !== fileSize) throw hidden()
  const agrees = (value: number, actual: number, unknown: number) => value === actual || (isZip64 && value === unknown)
  const isSame =
    agrees(end.readUInt16LE(8), entryCount, 0xffff) &&
    agrees(end.readUInt16LE(10), entryCount, 0xffff) &&
    agrees(end.readUInt32LE(12), directoryBytes, UNKNOWN_32) &&
    agrees(end.readUInt32LE(16), directoryAt, UNKNOWN_32) &&
    agrees(end.readUInt16LE(6), 0, 0xffff)
  if (!isSame) throw fault(isZip64 ? 'zip64' : 'structure', 'the end record contradicts the directory')
}

/**
 * Every byte before the directory must belong to exactly one entry, and each local header must agree with the
 * directory.
 */
function checkLocalHeaders(fd: number, listed: readonly Listed[], directoryAt: number): ArchiveEntry[] {
  const inOrder = [...listed].sort((a, b) => a.headerAt - b.headerAt)
  const dataAt = new Map<Listed, number>()
  let expectedAt = 0
  for (const entry of inOrder) {
    // guard: entries-that-overlap
    if (entry.headerAt < expectedAt) throw fault('overlap', `${shown(entry.name)} overlaps another entry`)
    if (entry.headerAt > expectedAt) throw fault('structure', `there are unused bytes before ${shown(entry.name)}`)
    const at = checkLocalHeader(fd, entry, directoryAt)
    dataAt.set(entry, at)
    expectedAt = at + entry.packedBytes
    if (expectedAt > directoryAt) throw fault('overlap', `${shown(entry.name)} overlaps the directory`)
    if ((entry.flags & FLAG_DESCRIPTOR) !== 0) expectedAt += descriptorBytes(fd, entry, expectedAt, directoryAt)
  }
  if (expectedAt !== directoryAt) throw fault('structure', 'there are unused bytes before the directory')
  return listed.map(({ rawName, flags, headerAt, ...entry }, index) => ({
    ...entry,
    dataAt: dataAt.get(listed[index] as Listed) ?? 0,
  }))
}

function checkLocalHeader(fd: number, entry: Listed, directoryAt: number): number {
  const differs = (what: string) =>
    fault('header_mismatch', `${shown(entry.name)}: the directory and the entry itself differ in ${what}`)
  if (entry.headerAt + 30 > directoryAt) throw fault('truncated', `${shown(entry.name)} has no header`)
  const header = readAt(fd, entry.headerAt, 30)
  if (header.readUInt32LE(0) !== 0x0403_4b50) throw fault('structure', `${shown(entry.name)} has no header`)
  const nameBytes = header.readUInt16LE(26)
  const extraBytes = header.readUInt16LE(28)
  const dataAt = entry.headerAt + 30 + nameBytes + extraBytes
  if (dataAt > directoryAt) throw fault('truncated', `the header of ${shown(entry.name)} has no end`)
  if (extraBytes > EXTRA_BYTES_MAX) throw fault('structure', `${shown(entry.name)} has too many extra fields`)
  const rest = readAt(fd, entry.headerAt + 30, nameBytes + extraBytes)
  // guard: two-names-of-one-entry
  if (!rest.subarray(0, nameBytes).equals(entry.rawName)) throw differs('its name')
  if (header.readUInt16LE(6) !== entry.flags) throw differs('its flags')
  if (header.readUInt16LE(8) !== (entry.isDeflated ? METHOD_DEFLATED : METHOD_STORED)) throw differs('its packing')
  const isLater = (entry.flags & FLAG_DESCRIPTOR) !== 0
  const allows = (value: number, actual: number) => value === actual || (isLater && value === 0)
  if (!allows(header.readUInt32LE(14), entry.crc32)) throw differs('its checksum')
  const sizes = localSizes(header, rest.subarray(nameBytes))
  if (sizes === null) throw differs('its sizes')
  if (!allows(sizes.packedBytes, entry.packedBytes) || !allows(sizes.bytes, entry.bytes)) throw differs('its sizes')
  return dataAt
}

/** Null when zip64 sizes are announced and missing, or present without being announced and different. */
function localSizes(header: Buffer, extra: Buffer): { packedBytes: number; bytes: number } | null {
  let packedBytes = header.readUInt32LE(18)
  let bytes = header.readUInt32LE(22)
  let large: Buffer | null = null
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (at + 4 + length > extra.length) return null
    if (extra.readUInt16LE(at) === EXTRA_ZIP64) {
      if (large !== null) return null
      large = extra.subarray(at + 4, at + 4 + length)
    }
    at += 4 + length
  }
  let used = 0
  const next = () => {
    const value = large !== null && large.length >= used + 8 ? readLarge(large, used) : null
    used += 8
    return value
  }
  if (bytes === UNKNOWN_32) {
    const value = next()
    if (value === null) return null
    bytes = value
  }
  if (packedBytes === UNKNOWN_32) {
    const value = next()
    if (value === null) return null
    packedBytes = value
  }
  return { packedBytes, bytes }
}

/**
 * Length of the data descriptor after an entry that was written in one pass: checksum and sizes, with or without a
 * signature, with sizes of 32 or 64 bits.
 */
function descriptorBytes(fd: number, entry: Listed, at: number, directoryAt: number): number {
  const found = readAt(fd, at, Math.max(0, Math.min(24, directoryAt - at)))
  for (const mark of [4, 0]) {
    if (mark === 4 && (found.length < 4 || found.readUInt32LE(0) !== 0x0807_4b50)) continue
    for (const wide of [false, true]) {
      const length = mark + (wide ? 20 : 12)
      if (found.length < length || found.readUInt32LE(mark) !== entry.crc32) continue
      const packedBytes = wide ? readLarge(found, mark + 4) : found.readUInt32LE(mark + 4)
      const bytes = wide ? readLarge(found, mark + 12) : found.readUInt32LE(mark + 8)
      if (packedBytes === entry.packedBytes && bytes === entry.bytes) return length
    }
  }
  throw fault('header_mismatch', `${shown(entry.name)}: the descriptor after its data contradicts the directory`)
}
