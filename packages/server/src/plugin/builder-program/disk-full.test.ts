/** A builder whose disk is full: it ends what runs, removes what it wrote, gives the build back in words, and goes on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import fs, { mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { bundle } from '../../../proof/bundle.js'
import { fakeRegistry } from '../../../test/support/fake-registry.js'
import { dockerParts, makeTar } from '../../../test/support/image-tar.js'
import { pluginZip } from '../../../test/support/plugins.js'
import { machineOf } from './about.js'
import { diskLack } from './disk.js'
import { fetchOwnBase } from './own-base.js'
import { pushImage } from './push.js'
import { runBuilder } from './run.js'
import { ended } from './sandbox.js'

/** Linux writes nothing to it and says that the disk is full. */
const FULL = '/dev/full'
const write = fs.createWriteStream
let isFull = (_path: string) => false

// Test files share the modules of a process, so a mock of `node:fs` would not reach what an earlier file imported.
beforeAll(() => {
  setCreateWriteStream(((path: string, options: object) => {
    if (!isFull(path)) return write(path, options)
    // The file is there, as it is on a full disk.
    writeFileSync(path, '')
    return write(FULL)
  }) as typeof write)
})
afterAll(() => setCreateWriteStream(write))

function setCreateWriteStream(to: typeof write): void {
  fs.createWriteStream = to
  syncBuiltinESMExports()
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-full-'))
})
afterEach(() => {
  isFull = () => false
  rmSync(folder, { recursive: true })
})

it('ends the sandbox whose image cannot be written', async () => {
  const child: ChildProcess = spawn('sh', ['-c', 'head -c 4000000 /dev/zero; exec sleep 60'])
  const closed = once(child, 'close')
  const build = { imageFile: FULL, limits: { imageMb: 100 } as never, signal: new AbortController().signal }
  await expect(ended(child, { ...build, onLog: () => undefined })).rejects.toThrow('ENOSPC')
  expect(await closed).toEqual([null, 'SIGKILL'])
})

it('fails the push of an image that cannot be unpacked, and not the process', async () => {
  const registry = await fakeRegistry()
  const file = join(folder, 'image.tar')
  writeFileSync(file, makeTar([...dockerParts()]))
  isFull = (path) => path.includes('/parts/')
  const target = { url: registry.url, repository: 'staging/j', tag: 'a', token: async () => 't' }
  try {
    const pushed = pushImage(file, folder, 1e6, { ...target, signal: AbortSignal.timeout(10_000) })
    await expect(pushed).rejects.toThrow('ENOSPC')
  } finally {
    await registry.close()
  }
})

it('leaves no part of a base image that cannot be written', async () => {
  const [config, size] = [`sha256:${'c'.repeat(64)}`, 7]
  const manifest = JSON.stringify({ config: { digest: config, size }, layers: [] })
  const server = await serve((path) => (path.includes('manifests') ? manifest : 'a layer'))
  isFull = (path) => path.endsWith('.partial')
  const own = { url: server.url, token: async () => 't' }
  const base = { repository: 'org-1/base', reference: '1', refOf: () => 'r' }
  try {
    await expect(fetchOwnBase(own, base, folder, AbortSignal.timeout(10_000))).rejects.toThrow('ENOSPC')
    expect(readdirSync(join(folder, 'blobs', 'sha256'))).toEqual([])
  } finally {
    await server.close()
  }
})

const JOB = {
  ...{ id: 'j', fence: 1, pluginName: 'web', version: '1.0.0', buildType: 'build_image', hasSecrets: false },
  timeoutSeconds: 600,
}
const LIMITS = { processes: 10, diskMb: 1, memoryMb: 1, cpus: 1, imageMb: 1 }

it('gives the build back, says in its log that the disk is full, and leaves nothing', async () => {
  const asked: unknown[] = []
  const claims: unknown[] = []
  const server = await serve((path, body) => {
    asked.push(path)
    if (path.endsWith('/log')) asked.push(JSON.parse(body).text)
    if (path.endsWith('/claims')) claims.push(JSON.parse(body))
    if (path.endsWith('/release')) asked.push(JSON.parse(body).fault)
    return answerOf(path)
  })
  isFull = (path) => path.endsWith('archive.zip')
  const printed = await runUntilItWaits(server, 'full')
  const root = join(folder, 'plumbline-builder-full')
  const says = `the disk of the builder is full: free space in ${root}, or choose another --scratch`
  expect(asked).toEqual([
    ...['auth/token', 'builder/claims', 'builder/jobs/j/archive'],
    ...['builder/jobs/j/log', `${says}; the build is tried again\n`, 'builder/jobs/j/release'],
    { reason: 'disk-full', message: says },
  ])
  const { version } = createRequire(import.meta.url)('../../../package.json')
  const about = { machine: machineOf(hostname()), version, capabilities: expect.arrayContaining(['concurrency=1']) }
  expect(claims).toEqual([{ name: 'full', wait: 0, fault: null, ...about }])
  expect(printed.at(-1)).toBe(`${says}; again in 5 s`)
  expect(readdirSync(root)).toEqual(['bases'])
})

it('gives the build back when the disk is full during the push, and leaves nothing', async () => {
  const ended: { readonly path: string; readonly fault: unknown }[] = []
  const job = { ...JOB, buildType: 'prebuilt', extractBytesMax: 1e7 }
  const server = await serve((path, body) => {
    if (path.endsWith('/claims')) {
      const registry = { url: server.url, repository: 'staging/j' }
      return JSON.stringify({ data: { job: { ...job, registry } } })
    }
    if (path.endsWith('/archive')) return pluginZip({ buildType: 'prebuilt' })
    if (/\/(?:fail|release)$/.test(path)) ended.push({ path, fault: JSON.parse(body).fault })
    return answerOf(path)
  })
  isFull = (path) => path.includes('/parts/')
  await runUntilItWaits(server, 'push')
  const root = join(folder, 'plumbline-builder-push')
  const message = `the disk of the builder is full: free space in ${root}, or choose another --scratch`
  expect(ended).toEqual([{ path: 'builder/jobs/j/release', fault: { reason: 'disk-full', message } }])
  expect(readdirSync(root)).toEqual(['bases'])
})

it.each([
  ['counts an attempt whose base images fill a disk that had room', 1, 'fail'],
  ['gives the build back where base images meet a disk without room for a build', 1e9, 'release'],
] as const)('%s, and keeps no part of them', async (_, imageMb, how) => {
  const ended: { readonly path: string; readonly body: string }[] = []
  const part = 'a part that is there'
  const digest = `sha256:${createHash('sha256').update(part).digest('hex')}`
  const layer = { digest: `sha256:${'c'.repeat(64)}`, size: 7 }
  const manifest = JSON.stringify({ config: { digest, size: part.length }, layers: [layer] })
  const server = await serve((path, body) => {
    if (path.includes('/manifests/')) return manifest
    if (path.includes('/blobs/')) return path.endsWith(digest) ? part : 'a layer'
    if (/\/(?:fail|release)$/.test(path)) ended.push({ path: path.split('/').at(-1) ?? '', body })
    if (path.endsWith('/archive')) return pluginZip({ buildType: 'build_image' })
    if (path.endsWith('/claims')) return JSON.stringify({ data: { job: baseJob(server.url) } })
    return answerOf(path)
  })
  isFull = (path) => path.endsWith(`${'c'.repeat(64)}.partial`)
  const stop = new AbortController()
  try {
    await runBuilder({
      ...{ url: `${server.url}/api`, clientId: 'c', clientSecret: 's', name: 'bases', scratch: folder },
      ...{ limits: { ...LIMITS, imageMb }, concurrency: 1, baseRegistries: [], egress: [], signal: stop.signal },
      print: () => void (ended.length > 0 && setImmediate(() => stop.abort())),
    })
  } finally {
    await server.close()
  }
  expect(ended[0]?.path).toBe(how)
  if (how === 'fail') {
    const { category, message, permanent } = JSON.parse(ended[0]?.body ?? '{}')
    expect([category, permanent]).toEqual(['quota', false])
    expect(message).toMatch(/^the base images need more than the \d+ MiB that were free on the disk of the builder/)
  }
  expect(readdirSync(join(folder, 'plumbline-builder-bases', 'bases', 'blobs', 'sha256'))).toEqual([])
})

const baseJob = (url: string) => ({
  ...{ ...JOB, dockerfile: `FROM ${new URL(url).host}/org-1/base:1\n`, buildArgs: {}, smokeTest: null, bases: [] },
  ...{ extractBytesMax: 1e6, registry: { url, repository: 'staging/j' } },
})

it('gives the build back when it cannot even make a folder for it', async () => {
  const asked: string[] = []
  const root = join(folder, 'plumbline-builder-gone')
  const server = await serve((path) => {
    asked.push(path)
    if (path === 'builder/claims') rmSync(root, { recursive: true })
    return answerOf(path)
  })
  await runUntilItWaits(server, 'gone')
  expect(asked).toEqual(['auth/token', 'builder/claims', 'builder/jobs/j/release'])
})

it('goes on when its own log cannot be written', async () => {
  const built = await bundle('src/plugin/builder-program/process.ts')
  let reached: () => void = () => undefined
  const fetching = new Promise<void>((resolve) => {
    reached = resolve
  })
  const server = await serve((path) => {
    if (path.endsWith('/archive')) reached()
    return answerOf(path)
  })
  const given = {
    ...{ url: `${server.url}/api`, clientId: 'c', clientSecret: 's', name: 'log', scratch: folder, limits: LIMITS },
    ...{ concurrency: 1, baseRegistries: [], egress: [] },
  }
  const options = join(folder, 'options.json')
  writeFileSync(options, JSON.stringify(given))
  const child = spawn(process.execPath, [built.file], {
    stdio: ['ignore', 'ignore', openSync(FULL, 'w'), openSync(options, 'r')],
  })
  const ends = once(child, 'exit')
  try {
    // The name of the build is in the log by then.
    await Promise.race([fetching, ends])
    child.kill('SIGTERM')
    expect(await ends).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await server.close()
    built.clean()
  }
})

function answerOf(path: string): string {
  const data =
    path === 'auth/token' ? { accessToken: 't', expiresIn: 900 } : path === 'builder/claims' ? { job: JOB } : {}
  return JSON.stringify({ data })
}

/** Runs a builder until it waits for its next turn, and closes the server. @returns what it printed. */
async function runUntilItWaits(server: Awaited<ReturnType<typeof serve>>, name: string): Promise<string[]> {
  const stop = new AbortController()
  const printed: string[] = []
  try {
    await runBuilder({
      ...{ url: `${server.url}/api`, clientId: 'c', clientSecret: 's', name, scratch: folder, limits: LIMITS },
      ...{ concurrency: 1, baseRegistries: [], egress: [], signal: stop.signal },
      print(line) {
        printed.push(line)
        if (line.includes('again in')) setImmediate(() => stop.abort())
      },
    })
  } finally {
    await server.close()
  }
  return printed
}

async function serve(
  answer: (path: string, body: string) => string | Uint8Array,
): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.end(answer((request.url ?? '').replace('/api/', ''), body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

it('says before a build that the disk has no room for one, in a folder that does not exist yet as well', () => {
  const later = join(folder, 'not', 'there')
  expect(diskLack({ imageMb: 1 }, later)).toBeNull()
  const says = diskLack({ imageMb: 1e9 }, later)
  expect(says).toMatch(/^the disk of .*\/not\/there has \d+ MiB free, and a build may need 2000000000: free space, or /)
  expect(says).toContain('(--scratch, PLUGIN_BUILD_SCRATCH)')
})
