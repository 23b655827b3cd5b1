/**
 * The builder as a program: what it reads in Dockerfiles, hides in logs and reports of failures; and a real build,
 * where the machine allows it.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkOwn, takeFolder } from './alone.js'
import { builderApi } from './api.js'
import { BaseAway, BaseRefused } from './base-refused.js'
import { basesOf, fetchBases, registryOf } from './bases.js'
import { builderLacks } from './checks.js'
import { failureOf } from './failed.js'
import type { OwnRegistry } from './own-base.js'
import { pruneBases } from './prune-bases.js'
import { runBuilder } from './run.js'

describe('base images', () => {
  it('are those that a Dockerfile names, without its stages', () => {
    const text = [
      'ARG TAG=12',
      'FROM --platform=linux/amd64 debian:$TAG AS base',
      'FROM base',
      'COPY --from=registry.example/tools:1 /x /x',
      'COPY --from=0 /y /y',
      'RUN --mount=type=bind,from=ghcr.io/a/b,source=/ ls',
      'FROM scratch',
    ].join('\n')
    expect(basesOf(text, {})).toEqual(['debian:12', 'registry.example/tools:1', 'ghcr.io/a/b'])
    expect(basesOf(text, { TAG: '13' })[0]).toBe('debian:13')
    expect(['debian', 'a/b', 'ghcr.io/a', 'localhost/x', 'h:5000/x'].map(registryOf)).toEqual([
      'docker.io',
      'docker.io',
      'ghcr.io',
      'localhost',
      'h:5000',
    ])
  })

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: a Dockerfile writes it so
  it.each<[string, string, string[]]>([
    [
      'text that looks like a source',
      'FROM a/b\nENV Q="x,from=y"\nLABEL z=1,from=w\nRUN tool --from=v --to=u',
      ['a/b'],
    ],
    ['a default where the argument is empty', 'ARG V\nFROM a/b:${V:-1}', ['a/b:1']],
    ['a text where the argument is set', 'ARG V=1\nFROM a/b:${V:+2}', ['a/b:2']],
    ['quotes', 'ARG V="1"\nFROM "a/b:$V"', ['a/b:1']],
    ['two arguments of one line', 'ARG A=a B=b\nFROM $A/$B', ['a/b']],
    ['another joiner', '# escape=`\nFROM `\n a/b', ['a/b']],
    ['a comment within a line', 'FROM \\\n# FROM x/y\n a/b', ['a/b']],
    ['a here-document', 'FROM a/b\nRUN <<EOF\nFROM x/y\nEOF', ['a/b']],
    ['an argument of the stage', 'FROM a/b\nARG T=c/d\nCOPY --chown=1 --from=$T /x /y', ['a/b', 'c/d']],
  ])('are found beside %s', (_what, text, names) => {
    expect(basesOf(text, {})).toEqual(names)
  })

  it('are asked for where an argument has no value', () => {
    expect(() => basesOf('ARG BASE\nFROM ${BASE}', {})).toThrow(
      'FROM ${BASE} needs an argument that has no value: give its ARG a default, or name it in `buildArgs`',
    )
  })
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

  it('come from the registries that are allowed alone', async () => {
    const options = {
      layout: '/nowhere',
      view: join(tmpdir(), 'plumbline-no-view'),
      allowed: ['ghcr.io'],
      signal: AbortSignal.timeout(1000),
      own: { url: 'http://own.example', token: async () => '' },
    }
    const refused: [string, RegExp][] = [
      [
        'debian:12',
        /is of docker\.io; allowed are `scratch` and images of own\.example, ghcr\.io: use one.* add docker\.io to PLUGIN_BASE_REGISTRIES/,
      ],
      ['127.0.0.1:5000/x', /is of 127\.0\.0\.1:5000; allowed are/],
      ['--help', /`--help` names no image/],
      ['ghcr.io/$(x)', /names no image/],
    ]
    for (const [name, text] of refused) {
      await expect(fetchBases([name], options), name).rejects.toThrow(BaseRefused)
      await expect(fetchBases([name], options), name).rejects.toThrow(text)
    }
    const many = fetchBases(
      Array.from({ length: 51 }, (_, n) => `ghcr.io/a:${n}`),
      options,
    )
    await expect(many).rejects.toThrow('the Dockerfile names 51 base images, and the limit is 50')
    await expect(many).rejects.toThrow(BaseRefused)
  })
})

const LIMITS = { diskMb: 10, memoryMb: 20, processes: 30 }

it.each<[string, string, [code: number, tail: string], string, boolean, RegExp]>([
  [
    'too much on disk',
    'by a program',
    [1, 'write /w/x: No space left on device'],
    'quota',
    true,
    /more than 10 MiB.*PLUGIN_BUILD_DISK_MB \(--disk-mb/,
  ],
  ['too much on disk', 'by a mount', [1, 'cp: Input/output error'], 'quota', true, /PLUGIN_BUILD_DISK_MB/],
  [
    'too much memory',
    'by a shell',
    [1, 'sh: out of memory'],
    'quota',
    true,
    /more than 20 MiB of memory.*PLUGIN_BUILD_MEMORY_MB \(--memory-mb/,
  ],
  [
    'too much memory',
    'by Go',
    [1, 'fork/exec /bin/sh: cannot allocate memory'],
    'quota',
    true,
    /PLUGIN_BUILD_MEMORY_MB/,
  ],
  [
    'too much memory',
    'by Go, with a stack after it',
    [2, 'fatal error: failed to reserve page summary memory\n\nruntime stack:\na.go:1\nb.go:2\nc.go:3'],
    'quota',
    true,
    /PLUGIN_BUILD_MEMORY_MB/,
  ],
  [
    'a file that is not in the archive',
    'in COPY',
    [
      125,
      'Error: building at STEP "COPY x /x": checking on sources under "/context": copier: stat: "/x": no such file or directory',
    ],
    'validation',
    true,
    /copies what the archive does not contain[\s\S]*"COPY x \/x"/,
  ],
  [
    'a host that cannot be reached',
    'in RUN',
    [1, 'curl: (6) Could not resolve host: example.com\nError: building at STEP: exit status 6'],
    'docker-build',
    false,
    /Could not resolve host[\s\S]*PLUGIN_BUILD_EGRESS/,
  ],
  [
    'too many processes',
    'by a shell',
    [2, "sh: can't fork: Resource temporarily unavailable"],
    'quota',
    true,
    /more than 30 processes.*PLUGIN_BUILD_PIDS \(--processes/,
  ],
  [
    'a Dockerfile that does not parse',
    'an instruction',
    [1, 'Error: dockerfile parse error on line 3: unknown instruction: FOO'],
    'validation',
    true,
    /Dockerfile is invalid[\s\S]*line 3: unknown instruction: FOO/,
  ],
  [
    'a Dockerfile that does not parse',
    'as a whole',
    [125, 'error building: no FROM statement found'],
    'validation',
    true,
    /Dockerfile is invalid[\s\S]*no FROM statement/,
  ],
  [
    'a base image that is not there',
    'in the layout',
    [125, 'Error: creating build container: image not known'],
    'validation',
    true,
    /a base image is unknown/,
  ],
  [
    'a step that fails',
    'in RUN',
    [1, 'Error: building at STEP "RUN make": exit status 7'],
    'docker-build',
    false,
    /exit status 7/,
  ],
  ['a step that fails', 'without a word', [3, ''], 'docker-build', false, /STEP 1/],
  [
    'too many processes',
    'in a smoke test, with a stack after it',
    [
      91,
      'runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\na.go:1\nb.go:2\nc.go:3',
    ],
    'quota',
    true,
    /PLUGIN_BUILD_PIDS/,
  ],
  [
    'a smoke test that fails',
    'by its code',
    [91, 'no such file: /app'],
    'docker-build',
    true,
    /smoke test failed: [\s\S]*no such file/,
  ],
])('tells %s (%s) with what to do', (_what, _how, [code, tail], category, isPermanent, text) => {
  const begun = 'STEP 1/2\n'
  const failed = failureOf(code, { begun, tail: `${begun}${tail}` }, LIMITS)
  expect([failed.category, failed.isPermanent]).toEqual([category, isPermanent])
  expect(failed.message).toMatch(text)
})

describe('a fault of the Dockerfile fails at once', () => {
  const failed = (said: string, more: { dockerfile?: string; given?: string[] } = {}) =>
    failureOf(1, { begun: 'STEP 1/2', tail: `STEP 2/2: X\n${said}`, ...more }, LIMITS)
  const RUN = 'RUN --mount=type=secret,id=NPM,required=true npm ci'

  it.each([
    ['RUN only supports the --mount flag', 'RUN --network=none "x": y'],
    [
      'COPY only supports the --chmod=<permissions> --chown=<uid:gid> and the --from=<image|stage> flags',
      'COPY --link x /y',
    ],
    ['WORKDIR requires exactly one argument', 'WORKDIR '],
    ['Unknown type "NOPE" in HEALTHCHECK (try CMD)', 'HEALTHCHECK NOPE'],
    ['determining run uid: user: unknown user error looking up user "nosuch"', 'RUN echo hi'],
  ])('%s', (why, step) => {
    const { category, isPermanent, message } = failed(`Error: building at STEP "${step}": ${why}`)
    expect([category, isPermanent]).toEqual(['validation', true])
    expect(message).toContain('the Dockerfile is invalid: ')
  })

  it('unless a program that a step runs ended with an error', () => {
    const said = 'usage: x only supports y\nError: building at STEP "RUN x": while running runtime: exit status 1'
    expect(failed(said)).toMatchObject({ category: 'docker-build', isPermanent: false })
  })

  it('of a secret that its step was not given, with how it gets it', () => {
    const said = (step: string) =>
      `cat: no such file\nError: building at STEP "${step}": while running runtime: exit status 1`
    expect(failed(said(RUN), { given: ['OTHER'] })).toMatchObject({
      category: 'auth-secrets',
      isPermanent: true,
      message: expect.stringContaining(
        'a step mounts the secret NPM, which the build was not given: declare it under `secrets` of plugin-spec.yaml, and release it with `plumbline secrets set NPM --plugin`',
      ),
    })
    expect(failed(said(RUN), { given: ['NPM'] })).toMatchObject({ category: 'docker-build', isPermanent: false })
    const byTarget = 'RUN --mount=type=secret,target=/run/secrets/KEY x'
    expect(failed(said(byTarget)).message).toContain('the secret KEY,')
    expect(failed(said('RUN --mount=type=cache,target=/x,id=NPM x')).category).toBe('docker-build')
  })

  it('of a here-document and of another platform, in words of its author', () => {
    const heredoc = failed('Error: building at STEP "ECHO ": Build error: Unknown instruction: "ECHO"', {
      dockerfile: 'FROM x\nRUN <<EOF\necho one\nEOF\n',
    })
    expect(heredoc).toMatchObject({ category: 'validation', isPermanent: true })
    expect(heredoc.message).toContain('the builder reads no here-documents (`<<EOF`): join the commands with `&&`')
    const platform = failed('Error: creating build container: x: image not known', {
      dockerfile: 'from --platform=linux/arm64 x\n',
    })
    expect(platform.message).toContain('of another platform than linux/arm64: leave out --platform')
  })
})

it('speaks of the network that a build has not, where apt-get went on without its lists', () => {
  const tail = [
    "W: Failed to fetch http://deb.debian.org/x  Temporary failure resolving 'deb.debian.org'",
    ...['Reading package lists...', 'Building dependency tree...', 'E: Unable to locate package curl'],
    'Error: building at STEP "RUN apt-get update && apt-get install -y curl": while running runtime: exit status 100',
  ].join('\n')
  expect(failureOf(1, { begun: 'STEP 1/2', tail }, LIMITS).message).toContain('builds reach no network here: ')
  expect(failureOf(1, { begun: 'STEP 1/2', tail }, LIMITS, true).message).not.toContain('builds reach no network')
})

it('speaks of no network only where builds have none', () => {
  const tail = 'Could not resolve host: example.com'
  expect(failureOf(1, { begun: 'STEP 1/2\n', tail }, LIMITS, true).message).toBe(tail)
})

it('never takes a fault of the machine for one of the plugin', () => {
  const said = 'bwrap: setting up uid map: Permission denied'
  expect(() => failureOf(1, { begun: said, tail: said }, LIMITS)).toThrow('sandbox')
})

it('never takes what a step prints for a fault of the machine', () => {
  // The log is longer than its end that is kept.
  const tail = 'unshare: unshare failed: Operation not permitted\nError: building at STEP "RUN make": exit status 1'
  expect(failureOf(1, { begun: 'STEP 1/2: FROM scratch\n', tail }, LIMITS)).toMatchObject({
    ...{ category: 'docker-build', isPermanent: false },
    message: expect.stringContaining('unshare failed'),
  })
})

it('builds nothing as root, and says how to get a user', async () => {
  const asked = vi.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(0)
  try {
    expect((await builderLacks()).join('\n')).toContain('useradd -m builder')
  } finally {
    asked.mockRestore()
  }
})

it('works in a folder of its own alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-own-'))
  try {
    expect(() => checkOwn(folder)).not.toThrow()
    symlinkSync(folder, join(folder, 'link'))
    expect(() => checkOwn(join(folder, 'link'))).toThrow('another user')
    chmodSync(folder, 0o777)
    expect(() => checkOwn(folder)).toThrow('others can write')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('a base image of the registry that builds go to', () => {
  const digestOf = (bytes: string) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  const [config, layer] = ['{"os":"linux"}', 'a layer']
  const manifest = JSON.stringify({
    schemaVersion: 2,
    config: { digest: digestOf(config), size: config.length },
    layers: [{ digest: digestOf(layer), size: layer.length }],
  })
  const stored: Record<string, string> = { [`blobs/${digestOf(config)}`]: config, [`blobs/${digestOf(layer)}`]: layer }
  const answers: Record<string, string> = { 'manifests/1': manifest, ...stored }
  const asked: string[] = []
  let layout = ''
  let server: Server
  let own: OwnRegistry
  beforeAll(async () => {
    layout = mkdtempSync(join(tmpdir(), 'plumbline-bases-'))
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace('/v2/org-1/base/', '')
      asked.push(path)
      const text = answers[path]
      response.writeHead(text === undefined ? 404 : 200).end(text)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    own = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: async () => 'token' }
  })
  afterAll(() => {
    server.close()
    rmSync(layout, { recursive: true })
  })
  const signal = AbortSignal.timeout(10_000)
  const name = (tag: string) => `${new URL(own.url).host}/org-1/base:${tag}`
  const fetched = (tag: string) => fetchBases([name(tag)], { layout, view: view(), allowed: [], own, signal })
  const blob = (digest: string) => join(layout, 'blobs', 'sha256', digest.slice(7))
  /** The layout of a separate build. */
  const view = () => mkdtempSync(join(layout, 'view-'))

  it('is put into the layout, and is hashed again when it is used again', async () => {
    const [found] = [...(await fetched('1')).values()]
    expect(found?.digest).toBe(digestOf(manifest))
    const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'))
    expect(manifests).toMatchObject([
      { digest: digestOf(manifest), annotations: { 'org.opencontainers.image.ref.name': found?.ref } },
    ])
    expect(readFileSync(blob(digestOf(layer)), 'utf8')).toBe(layer)
    asked.length = 0
    await fetched('1')
    expect(asked).toEqual(['manifests/1'])
    // A stored blob was changed.
    writeFileSync(blob(digestOf(layer)), 'other  ')
    await fetched('1')
    expect(readFileSync(blob(digestOf(layer)), 'utf8')).toBe(layer)
  })

  it('is shown to a build without those of other builds', async () => {
    answers['manifests/other'] = manifest.replace('"schemaVersion":2', '"schemaVersion": 2')
    const mine = view()
    await fetched('other')
    const bases = await fetchBases([name('1')], { layout, view: mine, allowed: [], own, signal })
    const { manifests } = JSON.parse(readFileSync(join(mine, 'index.json'), 'utf8'))
    expect(manifests).toHaveLength(1)
    expect(bases.get(name('1'))?.digest).toBe(manifests[0].digest)
    expect(readdirSync(join(mine, 'blobs', 'sha256')).sort()).toEqual(
      [manifest, config, layer].map((bytes) => digestOf(bytes).slice(7)).sort(),
    )
  })

  it('that an earlier attempt fetched is fetched by its digest, whatever its tag names by now', async () => {
    answers[`manifests/${digestOf(manifest)}`] = manifest
    asked.length = 0
    const known = new Map([[name('2'), digestOf(manifest)]])
    const bases = await fetchBases([name('2')], { layout, view: view(), allowed: [], own, known, signal })
    expect(asked[0]).toBe(`manifests/${digestOf(manifest)}`)
    expect(bases.get(name('2'))?.digest).toBe(digestOf(manifest))
  })

  it('is forgotten when no build began from it lately, but for what others need', async () => {
    const young = manifest.replace('"schemaVersion":2', '"schemaVersion":  2')
    answers['manifests/young'] = young
    const mine = view()
    await fetchBases([name('1')], { layout, view: mine, allowed: [], own, signal })
    await fetched('young')
    const stored = () => readdirSync(join(layout, 'blobs', 'sha256')).sort()
    const named = (texts: readonly string[]) => texts.map((text) => digestOf(text).slice(7)).sort()
    expect(pruneBases(layout, Date.now() - 60_000)).toBe(0)
    for (const { digest } of JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests) {
      if (digest !== digestOf(young)) utimesSync(blob(digest), new Date(0), new Date(0))
    }
    expect(pruneBases(layout, Date.now() - 60_000)).toBeGreaterThan(0)
    expect(stored()).toEqual(named([young, config, layer]))
    // A running build keeps its base images.
    expect(readFileSync(join(mine, 'blobs', 'sha256', digestOf(manifest).slice(7)), 'utf8')).toBe(manifest)
    utimesSync(blob(digestOf(young)), new Date(0), new Date(0))
    expect([pruneBases(layout, 1), stored()]).toEqual([1, []])
    await fetched('1')
  })

  it('that has other bytes, more bytes, or is not there, is refused', async () => {
    await expect(fetched('2')).rejects.toThrow(BaseRefused)
    rmSync(blob(digestOf(layer)))
    for (const lie of ['a laxer', `${layer} and more`]) {
      answers[`blobs/${digestOf(layer)}`] = lie
      const refused = fetched('1')
      await expect(refused).rejects.toThrow('the registry')
      // A manifest may state a smaller size than its layer has.
      if (lie.length > layer.length) await expect(refused).rejects.toThrow(BaseAway)
      expect(existsSync(blob(digestOf(layer)))).toBe(false)
    }
    answers[`blobs/${digestOf(layer)}`] = layer
    await expect(fetched('1')).resolves.toBeDefined()
  })
})

describe('a builder that is stopped', () => {
  let server: Server
  let scratch = ''
  const asked: string[] = []
  let answerOf: (path: string) => object | null = () => null
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'plumbline-stopped-'))
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace('/api/', '')
      asked.push(path)
      request.resume()
      const data = path === 'auth/token' ? { accessToken: 't', expiresIn: 900 } : answerOf(path)
      if (data === null) return
      const status = 'status' in data ? Number(data.status) : 200
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    rmSync(scratch, { recursive: true })
  })
  const run = (signal: AbortSignal, print: (line: string) => void) =>
    runBuilder({
      ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, clientId: 'c', clientSecret: 's' },
      ...{ name: 'stopped', scratch, concurrency: 1, baseRegistries: [], egress: [], signal, print },
      limits: { processes: 10, diskMb: 1, memoryMb: 1, cpus: 1, imageMb: 1 },
    })

  it('gives back at once what it was given meanwhile', async () => {
    const stop = new AbortController()
    const job = { id: 'j', fence: 1, pluginName: 'web', version: '1.0.0', timeoutSeconds: 600 }
    answerOf = (path) => (path === 'builder/claims' ? { job } : {})
    asked.length = 0
    await run(stop.signal, (line) => {
      if (line.includes('attempt of build')) stop.abort()
    })
    expect(asked).toEqual(['auth/token', 'builder/claims', 'builder/jobs/j/release'])
  })

  it('waits for no build any more', async () => {
    const stop = new AbortController()
    answerOf = (path) => {
      if (path === 'builder/claims') stop.abort()
      return null
    }
    const beganMs = Date.now()
    await run(stop.signal, () => undefined)
    expect(Date.now() - beganMs).toBeLessThan(10_000)
  })

  it('tells how a build ended when the server is back, which restarts at that moment', async () => {
    const stop = new AbortController()
    const registry = { url: 'http://127.0.0.1:1', repository: 'staging/j' }
    const job = { id: 'j', fence: 1, pluginName: 'web', version: '1.0.0', buildType: 'prebuilt', registry }
    const given = { ...job, timeoutSeconds: 600, extractBytesMax: 1024, hasSecrets: false, bases: [] }
    const away = ['builder/jobs/j/archive', 'builder/jobs/j/fail']
    answerOf = (path) => {
      if (path === 'builder/claims') return { job: given }
      const at = away.indexOf(path)
      if (at !== -1) return away.splice(at, 1) && { status: 503 }
      if (path === 'builder/jobs/j/fail') stop.abort()
      return {}
    }
    asked.length = 0
    await run(stop.signal, () => undefined)
    const archive = 'builder/jobs/j/archive'
    expect(asked.filter((path) => path === archive)).toEqual([archive, archive])
    expect(asked.slice(-2)).toEqual(['builder/jobs/j/fail', 'builder/jobs/j/fail'])
  })

  it('gives a build its time where its clock is a day ahead', async () => {
    const stop = new AbortController()
    const timeoutAt = new Date(Date.now() - 86_400_000).toISOString()
    const registry = { url: 'http://127.0.0.1:1', repository: 'staging/j' }
    const job = { id: 'j', fence: 1, pluginName: 'web', version: '1.0.0', buildType: 'prebuilt', registry, timeoutAt }
    const given = { ...job, timeoutSeconds: 600, extractBytesMax: 1024, hasSecrets: false, bases: [] }
    answerOf = (path) => {
      if (path === 'builder/jobs/j/fail') stop.abort()
      return path === 'builder/claims' ? { job: given } : {}
    }
    const said: string[] = []
    await run(stop.signal, (line) => said.push(line))
    expect(said.join('\n')).not.toContain('took too long')
    expect(said.join('\n')).toContain('web 1.0.0: ')
  })

  it('says what it cannot reach and why, and when it is reached', async () => {
    const stop = new AbortController()
    const said: string[] = []
    answerOf = () => ({ job: null })
    await run(stop.signal, (line) => {
      said.push(line)
      if (line.includes('answers')) stop.abort()
    })
    expect(said.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api answers: asking for builds$/)
    const options = { url: 'http://127.0.0.1:1/api', clientId: 'c', clientSecret: 's', name: 'n' }
    await expect(builderApi(options).claim(1, new AbortController().signal)).rejects.toThrow(
      'the server at http://127.0.0.1:1/api cannot be reached: ',
    )
  })
})

it('takes a folder that no other builder works in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-alone-'))
  const file = join(folder, 'builder.pid')
  const other = spawn('sleep', ['60'])
  try {
    takeFolder(folder)
    const own = readFileSync(file, 'utf8')
    const start = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(' ')[21]
    writeFileSync(file, `${other.pid} ${start}\n`)
    expect(() => takeFolder(folder)).toThrow(
      `another builder (process ${other.pid}) works in ${folder}: stop it, or give this one another --name or --scratch`,
    )
    // The number of a builder that was killed may be another program's by now.
    for (const left of [`${other.pid} 1\n`, 'x', '']) {
      writeFileSync(file, left)
      takeFolder(folder)
      expect(readFileSync(file, 'utf8')).toBe(own)
    }
  } finally {
    other.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})
