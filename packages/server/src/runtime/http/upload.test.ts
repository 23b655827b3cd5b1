/** Uploads are received in a stream, by those who may, within their limits, and leave nothing behind. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Floor, floor, standInAuthenticator } from '../../../test/support/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { Refusal } from '../errors.js'
import { permission } from '../operation/access.js'
import { changed } from '../operation/context.js'
import { fromHeader, none, upload } from '../operation/operation.js'
import { strictObject } from '../operation/schema.js'
import type { Store } from '../store/db.js'
import type { Authenticator } from './authenticator.js'
import { readMultipart } from './multipart.js'
import { uploadFolder } from './upload-folder.js'

const BYTES_MAX = 2_000_000
const folder = mkdtempSync(join(tmpdir(), 'plumbline-uploads-'))
let runs = 0

const uploadThing = upload({
  name: 'test.thing.upload',
  summary: 'Upload a thing',
  http: { method: 'post', path: '/things', status: 201 },
  access: permission('pipelines:write'),
  tenant: fromHeader,
  input: {
    body: strictObject({
      isPublic: Type.Optional(Type.Boolean()),
      count: Type.Optional(Type.Integer()),
      notes: Type.Optional(Type.Unsafe<object>({ type: 'object', 'x-json': true })),
    }),
  },
  output: Type.Record(Type.String(), Type.Unknown()),
  errors: [],
  audit: none('a test'),
  idempotent: true,
  upload: { part: 'thing', bytesMax: BYTES_MAX, arrivesMs: 60_000, contentTypes: ['application/zip'] },
  prepare: async (_context, _input, file) => {
    const { path, ...rest } = file
    return { ...rest, onDisk: createHash('sha256').update(readFileSync(path)).digest('hex') }
  },
  run: async (_context, { body }, prepared) => {
    runs += 1
    return changed({ ...body, ...prepared })
  },
})

let store: Store
let http: Floor
beforeAll(async () => {
  store = await sqliteStore()
  http = floor(store, [uploadThing], { uploadFolder: uploadFolder(folder) })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const zip = (content: string | Uint8Array<ArrayBuffer> = 'PK zip', name = 'a.zip', type = 'application/zip') =>
  new File([content], name, { type })
const send = (fields: [string, string | File][], headers: Record<string, string> = { authorization: 'Bearer ann' }) => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return http.app.request('/api/things', { method: 'POST', headers, body: form })
}

describe('an upload', () => {
  it('hands on fields as their types, and the file by its digest, wherever it stands', async () => {
    const content = new Uint8Array(1_500_000).map((_, n) => (n * 7919) % 251)
    const sha256 = createHash('sha256').update(content).digest('hex')
    for (const fields of [
      [
        ['isPublic', 'true'],
        ['thing', zip(content)],
        ['count', '3'],
      ],
      [
        ['thing', zip(content)],
        ['count', '3'],
        ['isPublic', 'true'],
      ],
    ] as [string, string | File][][]) {
      const response = await send(fields)
      expect(await response.json()).toMatchObject({
        statusCode: 201,
        data: { isPublic: true, count: 3, name: 'a.zip', bytes: 1_500_000, sha256, onDisk: sha256 },
      })
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\x.zip', 'x.zip'],
    ['', 'file'],
    ['a\u202eb\u0007.zip', 'ab.zip'],
  ])('shows the name %j as %j', async (name, shown) => {
    const body = `--b\r\ncontent-disposition: form-data; name="thing"; filename="${name}"\r\ncontent-type: application/zip\r\n\r\nx\r\n--b--\r\n`
    const headers = { authorization: 'Bearer ann', 'content-type': 'multipart/form-data; boundary=b' }
    const response = await http.app.request('/api/things', { method: 'POST', headers, body })
    expect(await response.json()).toMatchObject({ data: { name: shown } })
  })

  it('ends while its text fields arrive, when they are too large', async () => {
    let sent = 0
    const piece = new Uint8Array(65_536).fill(97)
    const head = new TextEncoder().encode('--b\r\ncontent-disposition: form-data; name="count"\r\n\r\n')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(head),
      pull(controller) {
        sent += piece.byteLength
        controller.enqueue(piece)
        if (sent > BYTES_MAX) controller.close()
      },
    })
    const headers = { authorization: 'Bearer ann', 'content-type': 'multipart/form-data; boundary=b' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await http.app.request('/api/things', init)
    expect(await response.json()).toMatchObject({ statusCode: 413, details: { bytesMax: 262_144, field: 'count' } })
    expect(response.headers.get('connection')).toBe('close')
    expect(sent).toBeLessThan(600_000)
  })

  it('of many fields counts them together', async () => {
    const fields = Array.from({ length: 5 }, (): [string, string] => ['count', 'a'.repeat(60_000)])
    expect((await send([...fields, ['thing', zip()]])).status).toBe(413)
    expect((await send([...fields.slice(1), ['thing', zip()]])).status).toBe(400)
  })

  it('refuses a key in the JSON of a field that could reach the prototype', async () => {
    const response = await send([
      ['notes', '{"__proto__":{"a":1}}'],
      ['thing', zip()],
    ])
    expect(await response.json()).toMatchObject({ statusCode: 400, details: { issues: [{ code: 'unsafe_key' }] } })
  })

  it.each([
    ['no file', [['count', '1']], 400, 'MISSING_REQUIRED_FIELD'],
    [
      'a second file',
      [
        ['thing', zip()],
        ['thing', zip()],
      ],
      400,
      'VALIDATION_ERROR',
    ],
    ['a file of another name', [['other', zip()]], 400, 'VALIDATION_ERROR'],
    ['another type', [['thing', zip('x', 'a.txt', 'text/plain')]], 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'an unknown field',
      [
        ['thing', zip()],
        ['role', 'owner'],
      ],
      400,
      'VALIDATION_ERROR',
    ],
    ...['constructor', 'toString', '__proto__'].map((name): [string, [string, string | File][], number, string] => [
      `a field called ${name}`,
      [
        ['thing', zip()],
        [name, 'x'],
      ],
      400,
      'VALIDATION_ERROR',
    ]),
    [
      'a field of another type',
      [
        ['thing', zip()],
        ['count', 'x'],
      ],
      400,
      'VALIDATION_ERROR',
    ],
    [
      'a field twice',
      [
        ['thing', zip()],
        ['count', '1'],
        ['count', '2'],
      ],
      400,
      'VALIDATION_ERROR',
    ],
    ['too much', [['thing', zip(new Uint8Array(BYTES_MAX + 1))]], 413, 'PAYLOAD_TOO_LARGE'],
    ['far too much', [['thing', zip(new Uint8Array(BYTES_MAX * 2))]], 413, 'PAYLOAD_TOO_LARGE'],
  ] as [string, [string, string | File][], number, string][])(
    'with %s is refused and deleted',
    async (_what, fields, status, code) => {
      runs = 0
      expect(await (await send(fields)).json()).toMatchObject({ statusCode: status, code })
      expect(runs).toBe(0)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it.each([
    ['JSON', 'application/json', '{}', 415],
    ['no boundary', 'multipart/form-data', 'x', 415],
    ['another boundary', 'multipart/form-data; boundary=b', '--c\r\n\r\n', 400],
    [
      'an early end',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="thing"; filename="x"\r\ncontent-type: application/zip\r\n\r\nabc',
      400,
    ],
    [
      'a part without a name',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-type: application/zip\r\n\r\nabc\r\n--b--',
      400,
    ],
    ['endless part headers', 'multipart/form-data; boundary=b', `--b\r\nx: ${'y'.repeat(20_000)}`, 400],
  ])('that is %s is refused', async (_what, type, body, status) => {
    const headers = { authorization: 'Bearer ann', 'content-type': type }
    expect((await http.app.request('/api/things', { method: 'POST', headers, body })).status).toBe(status)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['nobody', {}, 401],
    ['somebody without the right', { authorization: 'Bearer bob' }, 403],
    ['an announced size above the limit', { authorization: 'Bearer ann', 'content-length': '9999999999' }, 413],
  ])('of %s is refused before a byte of it is read', async (_who, more, status) => {
    let isRead = false
    const body = new ReadableStream(
      {
        pull() {
          isRead = true
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'content-type': 'multipart/form-data; boundary=b', ...more } as Record<string, string>
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await http.app.request('/api/things', init)).status).toBe(status)
    expect(isRead).toBe(false)
  })

  const beginning =
    '--b\r\ncontent-disposition: form-data; name="thing"; filename="x"\r\ncontent-type: application/zip\r\n\r\nabc'
  const sendStream = (to: Floor, body: ReadableStream) => {
    const headers = { authorization: 'Bearer ann', 'content-type': 'multipart/form-data; boundary=b' }
    return to.app.request('/api/things', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
  }

  it('that takes too long is refused, and leaves nothing', async () => {
    let cancelled = false
    const hasty = { ...uploadThing, upload: { ...uploadThing.upload, arrivesMsOf: () => 20 } }
    const slow = floor(store, [hasty], { uploadFolder: uploadFolder(folder) })
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
      cancel() {
        cancelled = true
      },
    })
    runs = 0
    const response = await sendStream(slow, body)
    expect(await response.json()).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT' })
    expect(response.headers.get('connection')).toBe('close')
    expect([runs, cancelled, readdirSync(folder), slow.errors]).toEqual([0, true, [], []])
  })

  it('that breaks off leaves nothing', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
      pull: (controller) => controller.error(new Error('the connection was reset')),
    })
    runs = 0
    expect((await sendStream(http, body)).status).toBe(400)
    expect([runs, readdirSync(folder), http.errors]).toEqual([0, [], []])
  })

  it('takes away what a process that was killed left, and nothing else', async () => {
    const aged = join(folder, 'aged')
    mkdirSync(aged)
    const left = 'upload-3f0c1b9e-0000-4000-8000-000000000001'
    const young = 'upload-3f0c1b9e-0000-4000-8000-000000000002'
    for (const name of [left, young, 'upload-notes']) writeFileSync(join(aged, name), 'half')
    for (const name of [left, 'upload-notes']) utimesSync(join(aged, name), 0, Date.now() / 1000 - 3 * 3600)
    await uploadFolder(aged).next()
    expect(readdirSync(aged).sort()).toEqual([young, 'upload-notes'])
    rmSync(aged, { recursive: true })
  })

  it('is the same request for an Idempotency-Key only with the same content', async () => {
    const headers = { authorization: 'Bearer ann', 'idempotency-key': 'k' }
    runs = 0
    expect((await send([['thing', zip('one')]], headers)).status).toBe(201)
    expect((await send([['thing', zip('one')]], headers)).headers.get('idempotency-replayed')).toBe('true')
    expect((await send([['thing', zip('two')]], headers)).status).toBe(422)
    expect(runs).toBe(1)
  })
})

it('multipart is read the same however its bytes are cut', async () => {
  const part = fc.record({ name: fc.constantFrom('a', 'b', 'c'), content: fc.uint8Array({ maxLength: 40 }) })
  const cuts = fc.array(fc.integer({ min: 1, max: 17 }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), cuts, async (parts, sizes) => {
      const head = (name: string) => Buffer.from(`--mark\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`)
      // Contents that nearly hold the boundary are the hard ones.
      const contents = parts.map(({ content }) => Buffer.concat([content, Buffer.from('\r\n--mar')]))
      const whole = Buffer.concat([
        ...parts.flatMap(({ name }, n) => [head(name), contents[n] as Buffer, Buffer.from('\r\n')]),
        Buffer.from('--mark--\r\n'),
      ])
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0, n = 0; at < whole.length; n++) {
            const size = sizes[n % sizes.length] ?? 1
            controller.enqueue(whole.subarray(at, at + size))
            at += size
          }
          controller.close()
        },
      })
      const seen: { name: string; content: string }[] = []
      for await (const each of readMultipart(body, 'mark', 100_000)) {
        const chunks: Uint8Array[] = []
        for await (const chunk of each.content) chunks.push(chunk)
        seen.push({ name: each.name, content: Buffer.concat(chunks).toString('hex') })
      }
      expect(seen).toEqual(parts.map(({ name }, n) => ({ name, content: contents[n]?.toString('hex') })))
    }),
    { numRuns: 200 },
  )
})

describe('an upload that takes a while', () => {
  it.each([
    ['the membership', 'ORG_MISMATCH'],
    ['the permission', 'INSUFFICIENT_PERMISSIONS'],
    ['the credential', 'TOKEN_REVOKED'],
  ] as const)('is stored by nobody who lost %s meanwhile', async (lost, code) => {
    let isLost = false
    const usual = standInAuthenticator()
    const authenticator: Authenticator = {
      ...usual,
      authenticate(headers, method) {
        if (isLost && lost === 'the credential') throw new Refusal('TOKEN_REVOKED', 'the session has ended')
        return usual.authenticate(headers, method)
      },
      async authority(...asked) {
        if (isLost && lost === 'the membership') throw new Refusal('ORG_MISMATCH', 'it is not one of yours')
        const found = await usual.authority(...asked)
        return isLost && lost === 'the permission' ? { ...found, permissions: new Set() } : found
      },
    }
    const slow = floor(store, [uploadThing], { uploadFolder: uploadFolder(folder), authenticator })
    const form = new FormData()
    form.append('thing', zip('PK'.repeat(50_000)))
    const { headers, body } = new Request('http://x', { method: 'POST', body: form })
    let isFirst = true
    const held = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          // The caller was admitted before anything was read.
          if (isFirst) isFirst = false
          else isLost = true
          controller.enqueue(chunk)
        },
        flush: () => {
          isLost = true
        },
      }),
    )
    const before = runs
    const answer = await slow.app.request('/api/things', {
      method: 'POST',
      headers: { authorization: 'Bearer ann', 'content-type': headers.get('content-type') ?? '' },
      body: held,
      duplex: 'half',
    } as RequestInit)
    expect(await answer.json()).toMatchObject({ code })
    expect(runs).toBe(before)
    expect(slow.errors).toEqual([])
  })
})
