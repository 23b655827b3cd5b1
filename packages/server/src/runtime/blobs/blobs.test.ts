/** Every store keeps the same promises; what is particular to files and to buckets comes after. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_S3, type FakeS3, fakeS3 } from '../../../test/support/fake-s3.js'
import { testSettings } from '../../../test/support/settings.js'
import type { ByteRange } from '../blob-store.js'
import type { BlobBackend } from './backend.js'
import { fileBlobStore } from './file-store.js'
import { blobCheck, openBlobs } from './open.js'
import { readListing } from './s3-answers.js'
import { s3BlobStore } from './s3-store.js'

let s3: FakeS3
let folder: string
beforeAll(async () => {
  s3 = await fakeS3()
  folder = mkdtempSync(join(tmpdir(), 'plumbline-blobs-'))
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})
afterEach(() => {
  s3.objects.clear()
  s3.failing.length = 0
  rmSync(folder, { recursive: true })
  folder = mkdtempSync(join(tmpdir(), 'plumbline-blobs-'))
})

const bucket = (more: Partial<Parameters<typeof s3BlobStore>[0]> = {}) =>
  s3BlobStore({ ...FAKE_S3, endpoint: s3.endpoint, sessionToken: null, prefix: 'a/b/', pathStyle: true, ...more })
const bytesOf = async (store: BlobBackend, key: string, range?: ByteRange) => {
  const stream = await store.open(key, range)
  return stream === null ? null : (await buffer(stream)).toString('latin1')
}
const put = (store: BlobBackend, key: string, text: string) =>
  store.put(key, Readable.from([Buffer.from(text)]), Buffer.byteLength(text))
const keysOf = async (store: BlobBackend, prefix: string) => {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys.sort()
}
const ORG = '0193a5c0-0000-7000-8000-000000000001'
const OTHER = '0193a5c0-0000-7000-8000-000000000002'

describe.each([
  ['files', () => fileBlobStore(folder)],
  ['a bucket', () => bucket()],
] as const)('a store of %s', (_, open) => {
  it('gives back what was put: the size, the whole, any part of it', async () => {
    const store = open()
    const key = `${ORG}/attachments/0193a5c0-1111-7000-8000-000000000001`
    await put(store, key, 'hello world')
    expect(await store.stat(key)).toEqual({ bytes: 11 })
    expect(await bytesOf(store, key)).toBe('hello world')
    expect(await bytesOf(store, key, { first: 0, last: 0 })).toBe('h')
    expect(await bytesOf(store, key, { first: 6, last: 10 })).toBe('world')
  })

  it('keeps an empty blob, and one of many pieces', async () => {
    const store = open()
    await store.put('o/k/empty', Readable.from([]), 0)
    expect(await store.stat('o/k/empty')).toEqual({ bytes: 0 })
    expect(await bytesOf(store, 'o/k/empty')).toBe('')
    const piece = Buffer.alloc(65_536, 7)
    await store.put('o/k/large', Readable.from(Array.from({ length: 50 }, () => piece)), 50 * 65_536)
    expect(await store.stat('o/k/large')).toEqual({ bytes: 50 * 65_536 })
  })

  it('knows nothing of a blob that is not there, and deletes it without a word', async () => {
    const store = open()
    expect(await store.stat('o/k/none')).toBeNull()
    expect(await store.open('o/k/none')).toBeNull()
    await store.delete('o/k/none')
    await put(store, 'o/k/some', 'x')
    await store.delete('o/k/some')
    expect(await store.open('o/k/some')).toBeNull()
  })

  it('lists by the beginning of the key, over pages and folders', async () => {
    const store = open()
    const keys = [1, 2, 3, 4, 5].map((n) => `${ORG}/attachments/b${n}`)
    for (const key of [...keys, `${ORG}/archives/z`, `${OTHER}/attachments/b1`]) await put(store, key, key)
    expect(await keysOf(store, `${ORG}/attachments/`)).toEqual(keys)
    expect(await keysOf(store, `${ORG}/attachments/b1`)).toEqual(keys.slice(0, 1))
    expect(await keysOf(store, `${ORG}/`)).toEqual([`${ORG}/archives/z`, ...keys].sort())
    expect(await keysOf(store, '')).toHaveLength(7)
    expect(await keysOf(store, 'nobody/')).toEqual([])
    for await (const { bytes, modifiedAtMs } of store.list(OTHER)) {
      expect({ bytes, isRecent: Math.abs(Date.now() - modifiedAtMs) < 60_000 }).toEqual({ bytes: 51, isRecent: true })
    }
  })

  it('keeps nothing of content that breaks off, is shorter or longer than announced', async () => {
    const store = open()
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('the client went away')
      })(),
    )
    await expect(store.put('o/k/broken', broken, 8)).rejects.toThrow('the client went away')
    await expect(store.put('o/k/short', Readable.from([Buffer.from('abc')]), 8)).rejects.toThrow()
    await expect(store.put('o/k/long', Readable.from([Buffer.from('abcdefghij')]), 8)).rejects.toThrow()
    expect(await keysOf(store, '')).toEqual([])
  })

  it.each(['../x', 'a//b', 'a/.b', '.incoming/x', 'a/b/', '/a', 'a b', 'ä', `a/${'x'.repeat(200)}`, 'a/@00/b', ''])(
    'refuses the key %j',
    async (key) => {
      await expect(put(open(), key, 'x')).rejects.toThrow(/not a key/)
      await expect(open().open(key)).rejects.toThrow(/not a key/)
    },
  )
})

describe('a store of files', () => {
  it('shows no blob before it is whole, and tidies up what a crash left', async () => {
    const store = fileBlobStore(folder)
    let seen: string[] | undefined
    const slow = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        seen = await keysOf(store, '')
        yield Buffer.from('half')
      })(),
    )
    await store.put('o/k/slow', slow, 8)
    expect(seen).toEqual([])
    expect(await keysOf(store, '')).toEqual(['o/k/slow'])
    writeFileSync(join(folder, '.incoming', 'old'), 'x')
    utimesSync(join(folder, '.incoming', 'old'), 1, 1)
    writeFileSync(join(folder, '.incoming', 'young'), 'x')
    await store.tidy(Date.now() - 3_600_000)
    expect(readdirSync(join(folder, '.incoming'))).toEqual(['young'])
  })

  it('answers 503 where the disk cannot', async () => {
    writeFileSync(join(folder, 'file'), '')
    const store = fileBlobStore(join(folder, 'file'))
    await expect(put(store, 'o/k/x', 'x')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await expect(store.stat('o/k/x')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a bucket', () => {
  it('gets nothing outside of the prefix', async () => {
    const store = bucket()
    s3.objects.set('elsewhere/x', { content: Buffer.from('x'), modifiedAtMs: 0 })
    await put(store, 'o/k/x', 'x')
    expect([...s3.objects.keys()].sort()).toEqual(['a/b/o/k/x', 'elsewhere/x'])
    expect(await keysOf(store, '')).toEqual(['o/k/x'])
  })

  it('is asked again while it is out of breath or silent, three times at most; a put only once', async () => {
    const store = bucket()
    await put(store, 'o/k/x', 'x')
    s3.failing.push(503, 500)
    expect(await bytesOf(store, 'o/k/x')).toBe('x')
    s3.hangUps = 1
    expect(await store.stat('o/k/x')).toEqual({ bytes: 1 })
    s3.failing.push(503, 503, 503)
    await expect(store.stat('o/k/x')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' })
    s3.failing.push(503)
    await expect(put(store, 'o/k/y', 'y')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' })
    expect(s3.requests.filter((each) => each === 'PUT /files/a/b/o/k/y')).toHaveLength(1)
  })

  it('that is another one, or does not know the key, is an error and no empty store', async () => {
    for (const wrong of [{ bucket: 'other' }, { secretAccessKey: 'wrong' }, { accessKeyId: 'x' }, { region: 'x' }]) {
      const store = bucket(wrong)
      await expect(put(store, 'o/k/x', 'x')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' })
      await expect(store.open('o/k/x')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' })
      await expect(keysOf(store, '')).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' })
      await expect(store.ping()).rejects.toThrow()
    }
    await bucket().ping()
    expect(() => readListing('<html>sign in</html>')).toThrow()
  })
})

describe('the settings', () => {
  it('name the store, and a health check asks it', async () => {
    const DATA_DIR = join(folder, 'data')
    const files = openBlobs(testSettings({ DATA_DIR }))
    await put(files, 'o/k/x', 'x')
    expect(await fileBlobStore(join(DATA_DIR, 'blobs')).stat('o/k/x')).toEqual({ bytes: 1 })
    const settings = testSettings({
      BLOB_STORE: 's3',
      BLOB_S3_ENDPOINT: s3.endpoint,
      BLOB_S3_BUCKET: FAKE_S3.bucket,
      BLOB_S3_REGION: FAKE_S3.region,
      BLOB_S3_ACCESS_KEY_ID: FAKE_S3.accessKeyId,
      BLOB_S3_SECRET_ACCESS_KEY: FAKE_S3.secretAccessKey,
      BLOB_S3_PREFIX: 'one/',
    })
    await put(openBlobs(settings), 'o/k/x', 'x')
    expect([...s3.objects.keys()]).toEqual(['one/o/k/x'])
    let nowMs = 0
    const { check } = blobCheck(openBlobs(settings), () => nowMs)
    await check()
    s3.failing.push(403)
    await check()
    nowMs += 60_000
    await expect(check()).rejects.toThrow()
    expect(() => testSettings({ BLOB_STORE: 's3' })).toThrow(/BLOB_S3_BUCKET is required/)
  })
})
