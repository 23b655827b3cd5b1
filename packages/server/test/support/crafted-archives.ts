/** Crafted archives, each with the code of its refusal; null for archives that are accepted. */
import { crc32, deflateRawSync } from 'node:zlib'
import type { ArchiveCode } from '../../src/plugin/archive/fault.js'
import { extraField, makeZip, type ZipPart, type ZipShape, zip64Field } from './zip.js'

export interface Crafted {
  readonly title: string
  readonly code: ArchiveCode | null
  make(): Buffer<ArrayBuffer>
}

const spec: ZipPart = { name: 'plugin-spec.yaml', content: 'name: a\nversion: 1.0.0\n' }
const other: ZipPart = { name: 'src/app.js', content: 'console.log(1)\n' }
const MiB = 1024 ** 2

const list: Crafted[] = []
const craft = (title: string, code: ArchiveCode | null, make: () => Buffer<ArrayBuffer>) =>
  void list.push({ title, code, make })
const parts = (title: string, code: ArchiveCode | null, given: readonly ZipPart[], shape?: ZipShape) =>
  craft(title, code, () => makeZip(given, shape))
const named = (title: string, code: ArchiveCode | null, name: string | Uint8Array, more: Partial<ZipPart> = {}) =>
  parts(title, code, [spec, { ...other, name, ...more }])

// Archives as common programs write them.
parts('the same file', null, [spec])
parts('stored files', null, [
  { ...spec, method: 0 },
  { ...other, method: 0 },
])
parts('folders of their own', null, [{ name: 'src/', method: 0, attributes: 0o040755 * 65_536 + 16 }, spec, other])
parts('an empty file', null, [spec, { name: 'empty', content: '', method: 0 }])
parts('a comment', null, [spec], { comment: Buffer.from('made by hand') })
parts('sizes behind the data', null, [
  { ...spec, descriptor: 'marked' },
  { ...other, descriptor: 'plain' },
])
parts('sizes of 64 bits behind the data', null, [{ ...spec, descriptor: 'wide' }])
parts('a zip64 end record', null, [spec, other], { zip64: {} })
parts('a longer zip64 end record', null, [spec], { zip64: { extra: 12 } })
craft('zip64 sizes of one entry', null, () => {
  const content = Buffer.from('name: a\n')
  const packed = deflateRawSync(content)
  const extra = zip64Field(content.length, packed.length)
  const large = { packedBytes: 0xffff_ffff, bytes: 0xffff_ffff }
  return makeZip([{ ...spec, content, extra, local: large, central: large }])
})
named('letters outside ASCII', null, 'docs/überblick.md')
named('the mode of a Unix file', null, 'run.sh', { attributes: 0o100755 * 65_536 })
parts('times in extra fields', null, [{ ...spec, extra: extraField(0x5455, Buffer.from([1, 0, 0, 0, 0])) }])
craft('a file of a megabyte', null, () => makeZip([spec, { name: 'data', content: noise(MiB) }]))
craft('a small file that packs very well', null, () => makeZip([spec, { name: 'blank', content: ' '.repeat(4096) }]))
craft('10,000 entries', null, () => makeZip(many(10_000)))

// Files that are not zip archives, or are incomplete.
craft('nothing', 'not_zip', () => Buffer.alloc(0))
craft('21 bytes', 'not_zip', () => Buffer.alloc(21))
craft('zeros', 'not_zip', () => Buffer.alloc(5000))
craft('a text', 'not_zip', () => Buffer.from('plugin-spec.yaml'))
craft('a gzip file', 'not_zip', () => Buffer.from('1f8b0800000000000003', 'hex'))
craft('an end record alone that names an entry', 'structure', () => makeZip([], { end: { here: 1, count: 1 } }))
craft('cut behind the first entry', 'not_zip', () => makeZip([spec, other]).subarray(0, 60) as Buffer<ArrayBuffer>)
craft('cut by one byte', 'not_zip', () => makeZip([spec]).subarray(0, -1) as Buffer<ArrayBuffer>)
craft('the first byte missing', 'structure', () => makeZip([spec]).subarray(1) as Buffer<ArrayBuffer>)
craft('a program in front', 'structure', () => makeZip([spec], { prefix: Buffer.from('#!/bin/sh\n') }))
craft('a program in front that is not counted', 'structure', () =>
  Buffer.concat([Buffer.from('#!/bin/sh\n'), makeZip([spec])]),
)
parts('bytes behind the end', 'not_zip', [spec], { suffix: Buffer.from('x') })
craft('another archive behind it', 'structure', () => Buffer.concat([makeZip([spec]), makeZip([other])]))
craft('another archive in the comment', 'structure', () => makeZip([spec], { comment: makeZip([other]) }))
parts('bytes before the directory', 'structure', [spec], { beforeDirectory: Buffer.from('hidden') })
parts('bytes behind the directory', 'structure', [spec], { afterDirectory: Buffer.from('hidden') })
parts('bytes between two entries', 'structure', [{ ...spec, gap: Buffer.from('hidden') }, other])
parts('an entry that the directory does not count', 'structure', [spec, other], { end: { here: 1, count: 1 } })
parts('an entry that the directory counts and lacks', 'structure', [spec], { end: { here: 2, count: 2 } })
parts('two counts', 'structure', [spec, other], { end: { here: 1 } })
parts('a wrong size of the directory', 'structure', [spec], { end: { directoryBytes: 7 } })
parts('a directory that begins elsewhere', 'structure', [spec], { end: { directoryAt: 0 } })
parts('a directory beyond the file', 'structure', [spec], { end: { directoryAt: 4_000_000_000 } })
parts('a second disk', 'not_zip', [spec], { end: { disk: 1 } })
parts('a directory on a second disk', 'structure', [spec], { end: { directoryDisk: 1 } })
parts('a comment that is longer than it says', 'not_zip', [spec], {
  comment: Buffer.from('abc'),
  end: { commentBytes: 1 },
})
parts('an entry without its mark', 'structure', [{ ...spec, local: { signature: 0x0403_4b51 } }])
parts('a directory entry without its mark', 'structure', [{ ...spec, central: { signature: 0x0201_4b51 } }])

// Entries that share bytes, or are outside of the file.
parts('two entries with the same data', 'overlap', [
  spec,
  { ...spec, name: 'again', central: { at: 0, name: 'again' } },
])
parts('an entry inside another', 'overlap', [
  { ...spec, method: 0 },
  { ...other, central: { at: 40 } },
])
parts('an entry that begins in the directory', 'structure', [spec, { ...other, central: { at: 130 } }])
parts('an entry beyond the file', 'structure', [spec, { ...other, central: { at: 3_000_000_000 } }])
craft('quoted entries that share one kernel', 'overlap', () => kernelBomb(200))
parts('more packed bytes than there are', 'overlap', [
  { ...spec, method: 8, local: { packedBytes: 5000 }, central: { packedBytes: 5000 } },
])

// The directory disagrees with an entry.
parts('another name in the entry', 'header_mismatch', [{ ...spec, local: { name: 'plugin-spec.yamm' } }])
parts('a longer name in the entry', 'header_mismatch', [{ ...spec, local: { name: 'plugin-spec.yaml2' } }])
parts('other flags in the entry', 'header_mismatch', [{ ...spec, local: { flags: 0x800 } }])
parts('encrypted by the entry alone', 'header_mismatch', [{ ...spec, local: { flags: 1 } }])
parts('another method in the entry', 'header_mismatch', [{ ...spec, local: { method: 0 } }])
parts('another checksum in the entry', 'header_mismatch', [{ ...spec, local: { crc: 1 } }])
parts('another packed size in the entry', 'header_mismatch', [{ ...spec, local: { packedBytes: 3 } }])
parts('another size in the entry', 'header_mismatch', [{ ...spec, local: { bytes: 3 } }])
parts('another checksum behind the data', 'header_mismatch', [{ ...spec, descriptor: 'wrong' }])
parts('sizes announced behind the data and not there', 'header_mismatch', [{ ...spec, flags: 8 }, other])

// Wrong values in zip64 fields.
parts('zip64: another count', 'zip64', [spec], { zip64: { here: 2 } })
parts('zip64: another place of the directory', 'structure', [spec], { zip64: { directoryAt: 1 } })
parts('zip64: another size of the directory', 'zip64', [spec], { zip64: { directoryBytes: 1 } })
parts('zip64: a locator that points elsewhere', 'not_zip', [spec], { zip64: { at: 0 } })
parts('zip64: a locator beyond all files', 'not_zip', [spec], { zip64: { at: 2 ** 52 } })
parts('zip64: a record without end', 'zip64', [spec], { zip64: { size: 2 ** 50 } })
parts('zip64: counts that the short record contradicts', 'zip64', [spec], { zip64: {}, end: { count: 5 } })
parts('zip64: 2^40 entries', 'too_many_entries', [spec], { zip64: { here: 2 ** 40, count: 2 ** 40 } })
parts('zip64: sizes announced and absent', 'ratio', [{ ...spec, central: { bytes: 0xffff_ffff } }])
parts('zip64: a size of 2^50', 'ratio', [{ ...spec, extra: zip64Field(2 ** 50), central: { bytes: 0xffff_ffff } }])
parts('zip64: a size beyond exact numbers', 'zip64', [
  { ...spec, extra: extraField(1, Buffer.alloc(8, 0xff)), central: { bytes: 0xffff_ffff } },
])
parts('zip64: sizes twice', 'zip64', [{ ...spec, extra: Buffer.concat([zip64Field(1), zip64Field(2)]) }])
parts('zip64: other sizes in the entry', 'header_mismatch', [
  { ...spec, localExtra: zip64Field(9, 9), local: { bytes: 0xffff_ffff, packedBytes: 0xffff_ffff } },
])
parts('an extra field longer than it is', 'structure', [{ ...spec, extra: Buffer.from([0x55, 0x54, 0xff, 0x00]) }])

// Names.
named('a parent folder', 'traversal', '../evil')
named('a parent folder inside', 'traversal', 'a/../../evil')
named('a parent folder at the end', 'traversal', 'a/..')
named('an absolute path', 'absolute', '/etc/passwd')
named('a drive', 'absolute', 'C:/evil')
named('a drive without a slash', 'absolute', 'c:evil')
named('a backslash', 'name', '..\\evil')
named('a share', 'name', '\\\\host\\share')
named('a NUL', 'name', 'a\0.yaml')
named('a line break', 'name', 'a\nb')
named('a change of direction', 'name', 'a\u202egpj.exe')
named('a line separator', 'name', 'a\u2028b')
named('an empty name', 'name', '')
named('a slash alone', 'absolute', '/')
named('a dot', 'name', './a')
named('two slashes', 'name', 'a//b')
named('a dot at the end', 'name', 'Dockerfile.')
named('a space at the end', 'name', 'folder /a')
named('no UTF-8', 'name', Buffer.from([0x61, 0xff, 0xfe]), { flags: 0x800 })
named('an overlong slash', 'name', Buffer.from([0x2e, 0x2e, 0xc0, 0xaf]), { flags: 0x800 })
named('letters of an unknown code page', 'name', Buffer.from([0x61, 0x81]), { flags: 0 })
named('a name of 1,025 bytes', 'name', `${'a/'.repeat(512)}b`)
named('a segment of 256 bytes', 'name', 'a'.repeat(256))
named('65 folders', 'name', `${'a/'.repeat(65)}b`)
named('a second name in an extra field', 'name', 'a.txt', {
  extra: extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('../evil')])),
})
parts('the same name twice', 'duplicate', [spec, other, other])
parts('a specification twice', 'duplicate', [spec, { ...spec, content: 'name: b\n' }])
parts('a file that is a folder', 'duplicate', [spec, { name: 'a', content: 'x' }, { name: 'a/b', content: 'x' }])
parts('a folder that is a file', 'duplicate', [spec, { name: 'a/b', content: 'x' }, { name: 'a', content: 'x' }])
parts('names that differ in case', 'case_clash', [spec, { ...spec, name: 'Plugin-Spec.yaml' }])
parts('folders that differ in case', 'case_clash', [
  spec,
  { name: 'src/a', content: '' },
  { name: 'SRC/b', content: '' },
])
parts('names that differ in composition', 'case_clash', [
  spec,
  { name: '\u00e9', content: '' },
  { name: 'e\u0301', content: '' },
])
parts('names that differ in compatibility', 'case_clash', [
  spec,
  { name: 'file', content: '' },
  { name: '\ufb01le', content: '' },
])
parts('a sharp s beside two', 'case_clash', [spec, { name: 'straße', content: '' }, { name: 'STRASSE', content: '' }])

// Kinds of files.
const kind = (mode: number) => mode * 65_536
named('a symbolic link', 'link', 'a', { attributes: kind(0o120777), content: '/etc/passwd' })
named('a symbolic link named as a folder', 'link', 'a/', { attributes: kind(0o120777), content: '/etc' })
named('a Windows link', 'link', 'a', { attributes: 0x400 })
named('a link in an extra field', 'link', 'a', { extra: extraField(0x000d, Buffer.from('times, ids  /etc/passwd')) })
named('a link in another extra field', 'link', 'a', {
  extra: extraField(0x756e, Buffer.from('crc mode sz u g/etc/passwd')),
})
named('a block device', 'device', 'a', { attributes: kind(0o060660) })
named('a character device', 'device', 'a', { attributes: kind(0o020660) })
named('a pipe', 'device', 'a', { attributes: kind(0o010660) })
named('a socket', 'device', 'a', { attributes: kind(0o140660) })
named('a Windows device', 'device', 'a', { attributes: 0x40 })
named('a folder that is named as a file', 'structure', 'a', { attributes: kind(0o040755) })
named('a file that is named as a folder', 'structure', 'a/', { attributes: kind(0o100644), content: '' })
named('a folder with contents', 'structure', 'a/', { content: 'x' })
named('encrypted', 'encrypted', 'a', { flags: 1 })
named('strongly encrypted', 'structure', 'a', { flags: 0x41 })
named('encrypted by a field', 'encrypted', 'a', { extra: extraField(0x9901, Buffer.alloc(7)) })
named('a masked directory', 'encrypted', 'a', { flags: 0x2000 })
named('a patch', 'method', 'a', { flags: 0x20 })
named('packed by bzip2', 'method', 'a', { method: 12, packed: Buffer.from('BZh') })
named('packed by zstd', 'method', 'a', { method: 93, packed: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) })

// Contents.
craft('a bomb by ratio', 'ratio', () => makeZip([spec, { name: 'zeros', content: Buffer.alloc(20 * MiB) }]))
craft('a bomb that says it is small', 'content', () => makeZip([spec, lying(Buffer.alloc(50 * MiB), 1000)]))
craft('a bomb that says it is as large as allowed', 'content', () => {
  const content = Buffer.alloc(50 * MiB)
  return makeZip([spec, lying(content, deflateRawSync(content).length * 199)])
})
craft('a file smaller than it says', 'content', () => makeZip([spec, lying(noise(1000), 2000)]))
craft('a large file smaller than it says', 'content', () => makeZip([spec, lying(noise(MiB), MiB + 1)]))
craft('a large file larger than it says', 'content', () => makeZip([spec, lying(noise(MiB), MiB - 1)]))
craft('more than may be unpacked', 'too_large', () => makeZip(huge()))
craft('10,001 entries', 'too_many_entries', () => makeZip(many(10_001)))
named('a wrong checksum', 'content', 'a', { local: { crc: 7 }, central: { crc: 7 } })
craft('a wrong checksum of a large file', 'content', () => {
  const wrong = { crc: 7 }
  return makeZip([spec, { name: 'data', content: noise(MiB), local: wrong, central: wrong }])
})
named('a wrong checksum of a stored file', 'content', 'a', { method: 0, local: { crc: 7 }, central: { crc: 7 } })
named('data that is not packed', 'content', 'a', { content: 'x', packed: Buffer.from([0xff, 0xff, 0xff]) })
named('data cut in the middle', 'content', 'a', {
  packed: deflateRawSync('some text that is long enough').subarray(0, 9),
})
named('no data at all', 'content', 'a', { packed: Buffer.alloc(0) })
named('bytes behind packed data', 'content', 'a', {
  content: 'x',
  packed: Buffer.concat([deflateRawSync('x'), Buffer.from('hidden')]),
})
craft('bytes behind large packed data', 'content', () => {
  const content = noise(MiB)
  return makeZip([
    spec,
    { name: 'a', content, packed: Buffer.concat([deflateRawSync(content), Buffer.from('hidden')]) },
  ])
})
named('stored, of two sizes', 'structure', 'a', { method: 0, central: { bytes: 3 }, local: { bytes: 3 } })

export const CRAFTED: readonly Crafted[] = list

/** Bytes that do not compress, the same in every run. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 0x9e37_79b9
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (state ^ (state << 13)) >>> 0
    state = (state ^ (state >>> 17)) >>> 0
    state = (state ^ (state << 5)) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}

function many(count: number): ZipPart[] {
  return Array.from({ length: count }, (_, n) => ({ name: `f${n}`, content: 'x', method: 0 }))
}

/** An entry whose headers give another size than its data has. */
function lying(content: Buffer, bytes: number): ZipPart {
  return { name: 'data', content, local: { bytes }, central: { bytes } }
}

/** Entries that are within every other limit, and together larger than the total limit. Their sizes are false. */
function huge(): ZipPart[] {
  const packed = noise(11 * MiB)
  const bytes = 2 ** 31
  const facts = { bytes, crc: crc32(packed) }
  return [spec, { name: 'a', packed, local: facts, central: facts }]
}

/** Local headers inside each other's data, so that each entry contains the following ones. */
function kernelBomb(count: number): Buffer<ArrayBuffer> {
  const kernel = { name: 'kernel', content: noise(2000) }
  const shared = Array.from({ length: count }, (_, n) => ({
    ...kernel,
    name: `k${n}`,
    central: { at: 0, name: `k${n}` },
  }))
  return makeZip([{ ...kernel, name: 'k' }, ...shared])
}
