/**
 * The archive of a backup compared with `tar-stream`: both read the same entries, and a file that ours did not write is
 * refused.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { extract, pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEntries, readEntry, writeEnd, writeFileEntry, writeText } from './archive.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Entries = readonly (readonly [name: string, content: Buffer])[]

/** Every second entry comes from a file. */
async function written(entries: Entries): Promise<string> {
  const file = join(folder, 'ours.tar')
  const out = createWriteStream(file)
  for (const [index, [name, content]] of entries.entries()) {
    if (index % 2 === 0) {
      await writeText(out, name, content.toString('latin1').replaceAll(/[^\x20-\x7e]/g, '.'))
    } else {
      const path = join(folder, 'content')
      writeFileSync(path, content)
      await writeFileEntry(out, name, path, content.length)
    }
  }
  await writeEnd(out)
  out.end()
  await once(out, 'close')
  return file
}

async function listed(file: string): Promise<[string, string][]> {
  const handle = await open(file)
  try {
    const entries = await listEntries(handle)
    return await Promise.all(
      entries.map(
        async (entry): Promise<[string, string]> => [entry.name, (await readEntry(file, entry)).toString('hex')],
      ),
    )
  } finally {
    await handle.close()
  }
}

async function readByTarStream(file: string): Promise<[string, string][]> {
  const found: [string, string][] = []
  const reading = createReadStream(file).pipe(extract())
  for await (const entry of reading) found.push([entry.header.name, (await buffer(entry)).toString('hex')])
  return found
}

const part = fc.string({ unit: fc.constantFrom('a', 'b', '0', '-', '.', 'é'), minLength: 1, maxLength: 45 })
const name = fc
  .array(
    part.filter((each) => !/^\.+$/.test(each)),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('/'))
const content = fc.uint8Array({ maxLength: 1500 }).map((bytes) => Buffer.from(bytes))

describe('the archive of a backup', () => {
  it('is read alike by itself and by tar-stream', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, content), { maxLength: 5 }), async (entries) => {
        const file = await written(entries)
        const found = await listed(file)
        expect(found.map(([each]) => each)).toEqual(entries.map(([each]) => each))
        expect(await readByTarStream(file)).toEqual(found)
      }),
      { numRuns: 60 },
    )
  })

  it('is refused when another program wrote it, or when it was cut', async () => {
    const theirs = join(folder, 'theirs.tar')
    const made = pack()
    made.entry({ name: 'manifest.json', mode: 0o600, mtime: new Date(0) }, '{}')
    made.finalize()
    writeFileSync(theirs, await buffer(made))
    await expect(listed(theirs)).rejects.toThrow('this is not a backup of Plumbline, or it was damaged')

    const ours = await written([['manifest.json', Buffer.from('{"a":1}')]])
    const bytes = await buffer(createReadStream(ours))
    for (const length of [100, 511, 512 + 3, 1024]) {
      writeFileSync(theirs, bytes.subarray(0, length))
      await expect(listed(theirs), String(length)).rejects.toThrow('the backup ends too early')
    }
  })
})
