/** Repositories by the APIs of three forges, against the fake: what is read, the limits, and which host gets what. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { testSettings } from '../../../test/support/settings.js'
import { createEgress } from '../../runtime/egress/egress.js'
import type { Refusal } from '../../runtime/errors.js'
import type { FakeRepositories } from '../fake/forge.js'
import { type FakeAi, startFakeAi } from '../fake/server.js'
import { readAddress } from './address.js'
import { analyze } from './analyze.js'
import { type GitHost, hostsOf } from './hosts.js'
import { openRepository, readRepository } from './read.js'
import { requestsTo } from './requests.js'

const FORGES = ['github.com', 'gitlab.com', 'bitbucket.org'] as const
const WIRE = { 'github.com': 'github', 'gitlab.com': 'gitlab', 'bitbucket.org': 'bitbucket' } as const

let fake: FakeAi | undefined
let server: Server | undefined
afterEach(async () => {
  await fake?.close()
  fake = undefined
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

interface How {
  readonly ref?: string
  readonly token?: string
  readonly ms?: number
  readonly port?: number
  readonly signal?: AbortSignal
}

const start = async (repositories?: FakeRepositories) => {
  fake = await startFakeAi(repositories === undefined ? {} : { repositories })
  return fake.port
}

async function read(host: (typeof FORGES)[number], name: string, how: How = {}) {
  const port = how.port ?? fake?.port ?? (await start())
  const hosts = hostsOf(testSettings({ GIT_HOSTS: `${WIRE[host]}:${host}=http://127.0.0.1:${port}` }))
  const signal = how.signal ?? new AbortController().signal
  const address = readAddress(`https://${host}/${name}`, hosts, '/body/gitUrl')
  const way = {
    egress: createEgress(),
    signal,
    token: how.token ?? null,
    ...(how.ms === undefined ? {} : { ms: how.ms }),
  }
  return readRepository(await openRepository(address, how.ref, way), signal)
}

const refusal = async (reading: Promise<unknown>) => {
  const error = (await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  )) as Refusal | null
  const [issue] = (error?.details?.['issues'] ?? []) as { path: string; code: string; message: string }[]
  return { code: error?.code, field: issue?.path, why: issue?.code, message: error?.message ?? '' }
}

describe.each(FORGES)('a repository of %s', (host) => {
  it('is read with its licence where the forge says one, its known files and its tools', async () => {
    const repository = await read(host, 'acme/shop')
    expect(repository).toMatchObject({ ref: 'main', isCut: false, about: { description: 'A web shop' } })
    expect(repository.about.licence).toBe(host === 'bitbucket.org' ? null : 'Apache-2.0')
    expect(repository.files.map(({ name }) => name)).toEqual([
      'package.json',
      'Dockerfile',
      'README.md',
      'tsconfig.json',
    ])
    expect(analyze(repository)).toEqual({
      projectType: 'node',
      languages: ['TypeScript'],
      frameworks: ['Fastify'],
      packageManager: 'npm',
      tools: ['Vitest', 'TypeScript'],
      hasTests: true,
      hasDockerfile: true,
      hasCdkJson: false,
    })
  })

  it('that cannot be drafted from says which field is wrong, and what to do', async () => {
    const rows: readonly [string, How, object][] = [
      ['acme/nothing', {}, { code: 'NOT_FOUND', field: '/body/gitUrl', why: 'repository_missing' }],
      ['acme/private', {}, { code: 'NOT_FOUND', field: '/body/gitUrl', why: 'repository_missing' }],
      [
        'acme/private',
        { token: 'wrong' },
        { code: 'VALIDATION_ERROR', field: '/body/repoToken', why: 'token_refused' },
      ],
      ['acme/empty', {}, { code: 'VALIDATION_ERROR', field: '/body/gitUrl', why: 'repository_empty' }],
      ['acme/moved', {}, { code: 'VALIDATION_ERROR', field: '/body/gitUrl', why: 'repository_moved' }],
      ['acme/shop', { ref: 'nope' }, { code: 'VALIDATION_ERROR', field: '/body/ref', why: 'ref_missing' }],
    ]
    for (const [name, how, expected] of rows) expect(await refusal(read(host, name, how)), name).toMatchObject(expected)
    expect((await refusal(read(host, 'acme/private'))).message).toContain('repoToken')
    expect((await read(host, 'acme/private', { token: 'token-of-acme' })).files).toHaveLength(1)
  })

  it('of 6,000 files is refused where the forge says how many, in few requests', async () => {
    const found = await refusal(read(host, 'acme/huge'))
    // Bitbucket reports no total, so it is read up to the limit of requests.
    const expected = host === 'bitbucket.org' ? undefined : 'repository_too_large'
    expect(found.why).toBe(expected)
    if (expected !== undefined) expect(found.message).toContain('5000')
    expect(fake?.requests.length).toBeLessThanOrEqual(20)
  })

  it('is read without its links, without what is large or a pointer, and in 20 requests', async () => {
    const packages = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`p${n}/package.json`, '{}']))
    const files = {
      Dockerfile: '-> /etc/passwd',
      'README.md': 'x'.repeat(65_537),
      Makefile: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
      'go.mod': 'module a\u0000',
      ...packages,
    }
    await start({ 'a/b': { files } })
    const repository = await read(host, 'a/b')
    expect(repository.files.length).toBeGreaterThan(5)
    expect(repository.files.every(({ name }) => name.endsWith('package.json'))).toBe(true)
    expect(repository.isCut).toBe(true)
    expect(repository.paths).not.toContain('Dockerfile')
    expect(fake?.requests.length).toBeLessThanOrEqual(20)
  })

  it('is read to half a mebibyte', async () => {
    const files = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`p${n}/package.json`, ' '.repeat(60_000)]))
    await start({ 'a/b': { files } })
    const repository = await read(host, 'a/b')
    expect(repository.files.reduce((sum, { text }) => sum + text.length, 0)).toBe(480_000)
    expect(repository.isCut).toBe(true)
  })
})

it('is asked at most 20 times, whatever would be read next', async () => {
  const port = await start()
  const hosts = hostsOf(testSettings({ GIT_HOSTS: `github:github.com=http://127.0.0.1:${port}` }))
  const at = hosts.get('github.com') as GitHost
  const signal = new AbortController().signal
  const requests = requestsTo(at, { egress: createEgress(), signal, token: null })
  for (let n = 0; n < 20; n++) expect((await requests.get('/repos/acme/shop')).status).toBe(200)
  expect(await refusal(requests.get('/repos/acme/shop'))).toMatchObject({
    code: 'UPSTREAM_ERROR',
    message: expect.stringContaining('more than 20 requests'),
  })
  expect(fake?.requests).toHaveLength(20)
})

describe('a token of a repository', () => {
  it('goes to the host of the repository and to nothing that an answer names', async () => {
    await read('bitbucket.org', 'acme/shop', { token: 'canary-token' })
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`f${n}.md`, '']))
    await fake?.close()
    await start({ 'a/b': { files: many, token: 'canary-token' } })
    // The address of the second page is on another host.
    expect((await read('bitbucket.org', 'a/b', { token: 'canary-token' })).paths).toHaveLength(150)
    expect(fake?.requests.every(({ headers }) => headers['authorization'] === 'Bearer canary-token')).toBe(true)
  })

  it('does not follow a redirect', async () => {
    const heard: unknown[] = []
    server = createServer(({ headers }, response) => {
      heard.push(headers)
      response.end('{}')
    })
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const elsewhere = (server.address() as AddressInfo).port
    const first = createServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/` }).end()
    })
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
    const { port } = first.address() as AddressInfo
    expect(await refusal(read('github.com', 'a/b', { port, token: 'canary' }))).toMatchObject({
      why: 'repository_moved',
    })
    expect(heard).toEqual([])
    first.close()
  })
})

describe('a forge that misbehaves', () => {
  const forge = async (answer: (path: string, end: (status: number, body: string) => void) => void) => {
    server = createServer(({ url }, response) =>
      answer(url ?? '', (status, body) => void response.writeHead(status).end(body)),
    )
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  it.each([
    ['HTML', (_: string, end: (status: number, body: string) => void) => end(200, '<html>'), 'UPSTREAM_ERROR'],
    ['a list', (_: string, end: (status: number, body: string) => void) => end(200, '[]'), 'VALIDATION_ERROR'],
    ['429', (_: string, end: (status: number, body: string) => void) => end(429, ''), 'UPSTREAM_ERROR'],
    ['500', (_: string, end: (status: number, body: string) => void) => end(500, ''), 'UPSTREAM_ERROR'],
    ['silence', () => undefined, 'UPSTREAM_TIMEOUT'],
    [
      '5 MiB',
      (_: string, end: (status: number, body: string) => void) => end(200, ' '.repeat(5 << 20)),
      'UPSTREAM_ERROR',
    ],
  ])('by %s is an error with a code', async (_, answer, code) => {
    const port = await forge(answer)
    for (const host of FORGES) {
      expect(
        (await refusal(read(host, 'a/b', { port, ms: code === 'UPSTREAM_TIMEOUT' ? 300 : 60_000 }))).code,
        host,
      ).toBe(code)
      if (code === 'UPSTREAM_TIMEOUT') return
    }
  })

  it('in the middle of files leaves them out', async () => {
    const tree = [{ path: 'package.json', mode: '100644', type: 'blob', sha: '0'.repeat(40), size: 2 }]
    const port = await forge((path, end) => {
      if (path.includes('/git/blobs/')) end(500, '')
      else end(200, JSON.stringify({ default_branch: 'main', tree }))
    })
    expect(await read('github.com', 'a/b', { port })).toMatchObject({ files: [], isCut: true, paths: ['package.json'] })
  })

  it('by lists of other values counts as an empty one', async () => {
    const odd = [null, 5, 'x', [], { path: 5 }]
    for (const host of FORGES) {
      const port = await forge((path, end) => {
        const about = { default_branch: 'main', mainbranch: { name: 'main' }, tree: odd, values: odd }
        end(200, JSON.stringify(path.includes('/repository/tree') ? odd : about))
      })
      expect((await refusal(read(host, 'a/b', { port }))).why, host).toBe('repository_empty')
      server?.close()
    }
  })

  it('is left when the client goes', async () => {
    const port = await forge(() => undefined)
    const gone = new AbortController()
    const reading = read('github.com', 'a/b', { port, signal: gone.signal })
    gone.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
  })

  it('that is not public is not asked, unless the operator names its address', async () => {
    const hosts = hostsOf(testSettings({ GIT_HOSTS: 'github:git.acme.test' }))
    const address = readAddress('https://git.acme.test/a/b', hosts, '/body/gitUrl')
    const egress = createEgress({ resolve: async () => ['10.0.0.5'] })
    const way = { egress, signal: new AbortController().signal, token: null }
    expect(await refusal(openRepository(address, undefined, way))).toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('not public'),
    })
  })
})
