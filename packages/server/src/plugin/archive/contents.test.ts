/** Goal: when an entry unpacks to more than its directory declares, unpacking stops at once. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ArchiveEntry } from '../archive-content.js'
import { checkContent } from './contents.js'

const MiB = 1024 ** 2
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-contents-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** @returns how many pieces were unpacked, and the reason of the refusal. */
async function unpacked(content: Buffer, saidBytes: number): Promise<[pieces: number, refusal: string | null]> {
  const packed = deflateRawSync(content)
  const file = join(folder, 'packed')
  writeFileSync(file, packed)
  const entry = {
    name: 'x',
    dataAt: 0,
    packedBytes: packed.length,
    bytes: saidBytes,
    crc32: crc32(content),
    isDeflated: true,
  }
  const fd = openSync(file, 'r')
  let pieces = 0
  try {
    await checkContent(fd, entry as unknown as ArchiveEntry, () => {
      pieces += 1
    })
    return [pieces, null]
  } catch (error) {
    return [pieces, (error as Error).message]
  } finally {
    closeSync(fd)
  }
}

it('unpacks no more of an entry than it says that it has', async () => {
  const content = Buffer.alloc(64 * MiB)
  const [all, refusal] = await unpacked(content, content.length)
  expect([all, refusal]).toEqual([1024, null])
  const [some, larger] = await unpacked(content, MiB)
  expect([some, larger]).toEqual([16, expect.stringContaining('is larger than declared')])
  const [every, smaller] = await unpacked(content, content.length + 1)
  expect([every, smaller]).toEqual([1024, expect.stringContaining('is smaller than declared')])
})
