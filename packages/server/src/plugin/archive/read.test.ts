/** Every crafted archive is refused with the right reason, without writing a byte, and within the limits. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { CRAFTED } from '../../../test/support/crafted-archives.js'
import { makeZip } from '../../../test/support/zip.js'
import { ArchiveFault } from './fault.js'
import { ARCHIVE_LIMITS } from './limits.js'
import { decodeName, foldName, NameBook, pathIssue } from './names.js'
import { withArchive } from './read.js'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-archives-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'a.zip')
async function codeOf(bytes: Uint8Array): Promise<string | null> {
  writeFileSync(file, bytes)
  try {
    // The time of this process is shared with other tests. The proof of archives holds each to the limit, in a process of its own.
    await withArchive(file, { ...ARCHIVE_LIMITS, cpuMsMax: 60_000 }, async () => undefined)
    return null
  } catch (error) {
    if (error instanceof ArchiveFault) return error.issues[0]?.code ?? ''
    throw error
  }
}

describe('a crafted archive', () => {
  it('there are at least 80 that are refused', () => {
    expect(CRAFTED.filter(({ code }) => code !== null).length).toBeGreaterThanOrEqual(80)
    expect(new Set(CRAFTED.map(({ title }) => title)).size).toBe(CRAFTED.length)
  })

  it.each(CRAFTED.map((each) => [each.title, each] as const))('%s', async (_title, { make, code }) => {
    expect(await codeOf(make())).toBe(code)
  })
})

describe('an archive', () => {
  it('gives its files by their exact names, and their texts', async () => {
    writeFileSync(
      file,
      makeZip([{ name: 'a/' }, { name: 'a/b', content: 'grün' }, { name: 'c', content: 'x', method: 0 }]),
    )
    await withArchive(file, ARCHIVE_LIMITS, async (archive) => {
      expect(archive.entries.map(({ name }) => name)).toEqual(['a/', 'a/b', 'c'])
      expect(archive.bytes).toBe(6)
      expect([archive.find('a/'), archive.find('A/b'), archive.find('d')]).toEqual([null, null, null])
      const entry = archive.find('a/b')
      expect(entry && (await archive.text(entry))).toBe('grün')
    })
  })

  it('names every entry that is wrong, up to 20', async () => {
    writeFileSync(file, makeZip(Array.from({ length: 30 }, (_, n) => ({ name: `../${n}` }))))
    const refusal = await withArchive(file, ARCHIVE_LIMITS, async () => undefined).catch((error: unknown) => error)
    expect((refusal as ArchiveFault).issues).toHaveLength(20)
  })

  it('is given up when it takes too long', async () => {
    writeFileSync(file, makeZip([{ name: 'a', content: Buffer.alloc(3_000_000, 'ab') }]))
    const limits = { ...ARCHIVE_LIMITS, cpuMsMax: 0, ratioMax: 1e6 }
    await expect(withArchive(file, limits, async () => undefined)).rejects.toMatchObject({ issues: [{ code: 'time' }] })
  })
})

describe('a name', () => {
  it('that is accepted stays inside any folder and is one name however it is folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const decoded = decodeName(Buffer.from(name), true)
        if (typeof decoded !== 'string' || pathIssue(decoded) !== null) return
        const root = '/srv/builds/1'
        const target = join(root, decoded)
        expect(target.startsWith(`${root}/`)).toBe(true)
        expect(foldName(foldName(decoded))).toBe(foldName(decoded))
        const book = new NameBook()
        expect(book.add(decoded)).toBeNull()
        expect(book.add(decoded)?.code).toBe('duplicate')
      }),
      { numRuns: 2000 },
    )
  })
})
