/**
 * Uploads that end in the middle: the client goes away, or the server is killed, while the body arrives or after its last
 * byte. There is the whole plugin or nothing of it: no row, no build, no place of the account; and what stays on disk is taken
 * by the sweeps that run anyway.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { bundle } from '../proof/bundle.js'
import { pluginRegistration } from '../src/plugin/registration.js'
import { pluginTables } from '../src/plugin/tables.js'
import { fileBlobStore } from '../src/runtime/blobs/file-store.js'
import { sweepBlobsJob, UNNAMED_MS_MAX } from '../src/runtime/blobs/sweep.js'
import { uploadFolder } from '../src/runtime/http/upload-folder.js'
import type { JobContext } from '../src/runtime/jobs/define.js'
import { openSqliteStore } from '../src/runtime/store/open-store.js'
import { readersOf } from './support/readers.js'
import { TEST_ENVIRONMENT } from './support/settings.js'
import { type IdentityApp, type SignedIn, signUp } from './support/sign-in.js'
import { makeZip } from './support/zip.js'

/** What is waited for happens; a slow machine only takes its time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const MiB = 1024 ** 2
const KILLS = 4
const BOUNDARY = 'plumbline-boundary'

let built: Awaited<ReturnType<typeof bundle>>
let folder: string
let child: ChildProcess
let url: string
let ann: SignedIn

async function serve(): Promise<void> {
  child = spawn(process.execPath, [built.file], {
    env: {
      PATH: process.env['PATH'],
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'info',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: `sqlite:${join(folder, 'plumbline.db')}`,
      PLUMBLINE_DEMO: 'false',
      LIMITER_MAX: '0',
      AUTH_LIMITER_MAX: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  url = await new Promise<string>((ready, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (found !== undefined) ready(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => failed(new Error(`the server ended with ${code}: ${output}`)))
  })
}

async function kill(): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

const call: IdentityApp['call'] = async (method, path, { as = null, body } = {}) => {
  const token = typeof as === 'string' ? as : as?.accessToken
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const parsed = JSON.parse(await response.text())
  return { status: response.status, body: parsed, data: parsed.data, code: parsed.code, headers: response.headers }
}

beforeAll(async () => {
  built = await bundle('src/main.ts')
  folder = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
  await serve()
  ann = await signUp({ call } as IdentityApp, 'ann')
})
afterAll(async () => {
  await kill()
  built.clean()
  rmSync(folder, { recursive: true, force: true })
})

/** An archive of some megabytes that cannot be packed. */
const archive = (name: string) =>
  makeZip([
    { name: 'plugin-spec.yaml', content: `name: ${name}\nversion: 1.0.0\ncommands: [make]\n` },
    { name: 'config.yaml', content: 'buildType: build_image\n' },
    { name: 'Dockerfile', content: 'FROM debian:12\nUSER app\n' },
    { name: 'data.bin', content: randomBytes(6 * MiB), method: 0 },
  ])

interface Sending {
  readonly request: ClientRequest
  /** The status, or that there was none. */
  readonly answer: Promise<number | 'none'>
  isAnswered: boolean
  retryAfter?: string | undefined
}

function begin(length: number): Sending {
  const sending = request(`${url}/api/plugins`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.accessToken}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
    },
  })
  const answer = new Promise<number | 'none'>((resolve) => {
    sending.on('response', (response) => {
      response.resume()
      begun.retryAfter = response.headers['retry-after']
      resolve(response.statusCode ?? 'none')
    })
    sending.on('error', () => resolve('none'))
  })
  const begun: Sending = { request: sending, answer, isAnswered: false }
  void answer.then(() => {
    begun.isAnswered = true
  })
  return begun
}

function bodyOf(name: string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="plugin"; filename="p.zip"\r\nContent-Type: application/zip\r\n\r\n`
  return Buffer.concat([Buffer.from(head), archive(name), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

async function sendHalf(name: string): Promise<Sending> {
  const body = bodyOf(name)
  const sending = begin(body.length)
  sending.request.write(body.subarray(0, body.length / 2))
  while (received().length === 0) await sleep(5)
  return sending
}

/** Files of uploads whose answer has not left. */
const received = (): string[] => {
  const path = join(folder, 'uploads')
  return existsSync(path) ? readdirSync(path) : []
}

const blobs = () => fileBlobStore(join(folder, 'blobs'))
async function blobKeys(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of blobs().list('')) keys.push(key)
  return keys.sort()
}

/** What the account sees. */
async function seen() {
  const [plugins, builds, places] = await Promise.all([
    call('GET', '/plugins?isActive=all&scope=own&limit=100', { as: ann }),
    call('GET', '/plugins/builds?limit=100', { as: ann }),
    call('GET', '/quotas', { as: ann }),
  ])
  const names = plugins.data.plugins.map(({ name }: { name: string }) => name).sort()
  const { quotas } = places.data.quota
  return {
    plugins: names,
    builds: builds.data.builds.map(({ pluginName }: { pluginName: string }) => pluginName).sort(),
    places: quotas.plugins.used,
    bytes: quotas.storageBytes.used,
  }
}
const NOTHING = { plugins: [], builds: [], places: 0, bytes: 0 }

it('leave nothing when the client goes away', async () => {
  const sending = await sendHalf('gone')
  sending.request.destroy()
  expect(await sending.answer).toBe('none')
  while (received().length > 0) await sleep(20)
  expect([await seen(), await blobKeys()]).toEqual([NOTHING, []])
})

it('leave a file when the server is killed in their middle, and the sweep of uploads takes it', async () => {
  const sending = await sendHalf('half')
  await kill()
  expect(await sending.answer).toBe('none')
  await serve()
  expect([await seen(), await blobKeys()]).toEqual([NOTHING, []])
  expect(received()).toHaveLength(1)
  const path = join(folder, 'uploads')
  await uploadFolder(path).sweep()
  expect(received()).toHaveLength(1)
  await uploadFolder(path, () => Date.now() + 3 * 3_600_000).sweep()
  expect(received()).toEqual([])
})

it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'are refused for now when %s ends the reader of archives, and can be sent again',
  async (signal) => {
    const readers = () => readersOf(child.pid as number, 'archive-reader')
    // The first upload of a server starts the reader.
    await kill()
    await serve()
    const before = { seen: await seen(), blobs: await blobKeys() }
    const body = bodyOf(`ended-by-${signal.toLowerCase()}`)
    const cut = begin(body.length)
    cut.request.end(body)
    while (readers().length === 0 && !cut.isAnswered) await sleep(1)
    for (const pid of readers()) process.kill(pid, signal)
    expect([await cut.answer, cut.retryAfter]).toEqual([503, '1'])
    expect({ seen: await seen(), blobs: await blobKeys() }).toEqual(before)
    while (received().length > 0) await sleep(20)
    const again = begin(body.length)
    again.request.end(body)
    expect(await again.answer).toBe(202)
    const { plugins } = await seen()
    expect(plugins).toHaveLength(before.seen.plugins.length + 1)
  },
)

it('are whole or nothing when the server is killed after their last byte, and the sweep of blobs takes the rest', async () => {
  for (let n = 0; n < KILLS; n++) {
    const body = bodyOf(`killed-${n}`)
    const before = (await blobKeys()).length
    const sending = begin(body.length)
    sending.request.end(body)
    // The later ones die about when their row is committed, the first ones while their archive is read.
    if (n < 2) {
      while (received().length === 0 && !sending.isAnswered) await sleep(1)
      await sleep(60 * n)
    } else {
      while ((await blobKeys()).length === before && !sending.isAnswered) await sleep(1)
      await sleep(n - 2)
    }
    await kill()
    await sending.answer
    await serve()
    const { plugins, builds, places, bytes } = await seen()
    expect(builds).toEqual(plugins)
    expect(places).toBe(plugins.length)
    expect(bytes > 0).toBe(plugins.length > 0)
  }
  const store = await openSqliteStore(join(folder, 'plumbline.db'))
  try {
    const { plugins: t } = pluginTables(await store.system.read(async (db) => db))
    const rows = await store.system.read((db) => db.select({ key: t.archiveKey, bytes: t.archiveBytes }).from(t))
    const named = rows.flatMap(({ key, bytes }) => (key === null ? [] : [{ key, bytes }]))
    // A row that is there has its archive, whole.
    for (const { key, bytes } of named) expect(await blobs().stat(key)).toEqual({ bytes })
    const context = {
      runtime: { domains: [pluginRegistration] },
      read: store.system.read,
      nowMs: Date.now() + UNNAMED_MS_MAX + 60_000,
      signal: new AbortController().signal,
    }
    await sweepBlobsJob(blobs()).run(context as unknown as JobContext<never>, {})
    expect(await blobKeys()).toEqual(named.map(({ key }) => key).sort())
    expect(readdirSync(join(folder, 'blobs', '.incoming'))).toEqual([])
  } finally {
    await store.close()
  }
  // The next upload goes its way.
  const body = bodyOf('next')
  const sending = begin(body.length)
  sending.request.end(body)
  expect(await sending.answer).toBe(202)
  expect((await seen()).plugins).toContain('next')
})
