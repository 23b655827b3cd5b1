/** The builder as a program: what it reads of Dockerfiles, hides in logs, and says of failures; and a build for real, where it can be. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BaseRefused } from './base-refused.js'
import { basesOf, fetchBases, registryOf } from './bases.js'
import { builderLacks } from './checks.js'
import { createHider, formsOf } from './hide.js'
import type { OwnRegistry } from './own-base.js'
import { checkOwn, failureOf } from './run.js'

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

  it('come from the registries that are allowed alone', async () => {
    const options = {
      layout: '/nowhere',
      allowed: ['ghcr.io'],
      signal: AbortSignal.timeout(1000),
      own: { url: 'http://own.example', token: async () => '' },
    }
    for (const name of ['debian:12', '127.0.0.1:5000/x', '--help', 'ghcr.io/$(x)']) {
      await expect(fetchBases([name], options), name).rejects.toThrow(BaseRefused)
    }
  })
})

it('hides a value in the forms that a build prints by accident', () => {
  const value = 's3cret-Value/with+signs'
  const forms = formsOf(value)
  for (const before of ['', 'a', 'ab']) {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const printed = Buffer.from(`${before}${value}tail`).toString(encoding)
      expect([encoding, before, forms.some((form) => printed.includes(form))]).toEqual([encoding, before, true])
    }
  }
  expect(forms).toContain(encodeURIComponent(value))
})

it('tells a failure of the plugin from one that may pass', () => {
  const of = (tail: string, code = 1) => {
    const { category, isPermanent } = failureOf(code, `STEP 1/2\n${tail}`, { diskMb: 10 })
    return [category, isPermanent]
  }
  expect(of('write /w/x: No space left on device')).toEqual(['quota', true])
  expect(of('Error: dockerfile parse error on line 3: unknown instruction: FOO')).toEqual(['validation', true])
  expect(of('Error: error building: exit status 7')).toEqual(['docker-build', false])
  expect(of('', 91)).toEqual(['docker-build', true])
  expect(() => failureOf(1, 'bwrap: setting up uid map: Permission denied', { diskMb: 1 })).toThrow('sandbox')
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
    expect(() => checkOwn(join(folder, 'link'))).toThrow('somebody else')
    chmodSync(folder, 0o777)
    expect(() => checkOwn(folder)).toThrow('others may write')
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
  const fetched = (tag: string) =>
    fetchBases([`${new URL(own.url).host}/org-1/base:${tag}`], { layout, allowed: [], own, signal })
  const blob = (digest: string) => join(layout, 'blobs', 'sha256', digest.slice(7))

  it('is put into the layout, and is hashed again when it is used again', async () => {
    const [ref] = [...(await fetched('1')).values()]
    const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'))
    expect(manifests).toMatchObject([
      { digest: digestOf(manifest), annotations: { 'org.opencontainers.image.ref.name': ref } },
    ])
    expect(readFileSync(blob(digestOf(layer)), 'utf8')).toBe(layer)
    asked.length = 0
    await fetched('1')
    expect(asked).toEqual(['manifests/1'])
    // Somebody changed what lies there.
    writeFileSync(blob(digestOf(layer)), 'other  ')
    await fetched('1')
    expect(readFileSync(blob(digestOf(layer)), 'utf8')).toBe(layer)
  })

  it('that has other bytes, more bytes, or is not there, is refused', async () => {
    await expect(fetched('2')).rejects.toThrow(BaseRefused)
    rmSync(blob(digestOf(layer)))
    for (const lie of ['a laxer', `${layer} and more`]) {
      answers[`blobs/${digestOf(layer)}`] = lie
      await expect(fetched('1')).rejects.toThrow('the registry')
      expect(existsSync(blob(digestOf(layer)))).toBe(false)
    }
    answers[`blobs/${digestOf(layer)}`] = layer
    await expect(fetched('1')).resolves.toBeDefined()
  })
})

it('hides a value wherever what a build printed was cut', () => {
  const values = [
    's3cret-Value/with+signs',
    '-----BEGIN KEY-----\nQUJDREVGR0hJSktMTU5P\nUFFSU1RVVldYWVphYmNk\n-----END KEY-----\n',
  ]
  const noise = fc.constantFrom('', '\n', 'step 1\n', 'x', ' '.repeat(50), '-----BEG', 's3cre', 'é\n')
  const printed = values.flatMap((value) => [
    value,
    ...['base64', 'hex'].map((form) => Buffer.from(value).toString(form as 'hex')),
  ])
  const texts = fc.array(fc.tuple(noise, fc.constantFrom(...printed), noise), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.nat(600), { maxLength: 20 }),
      fc.integer({ min: 40, max: 400 }),
      (parts, cuts, most) => {
        const whole = parts.flat().join('')
        const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b)
        const hider = createHider(values)
        let sent = ''
        for (const [n, end] of [...places, whole.length].entries()) {
          hider.add(whole.slice(n === 0 ? 0 : places[n - 1], end))
          sent += hider.take(most, false)
        }
        while (hider.held !== '') sent += hider.take(most, true)
        for (const secret of ['s3cret-Value', 'QUJDREVGR0hJSktMTU5P', Buffer.from(values[0] ?? '').toString('hex')]) {
          expect(sent.includes(secret), `${secret} in ${JSON.stringify(sent)}`).toBe(false)
        }
      },
    ),
    { numRuns: Number(process.env.PLUMBLINE_CUTS ?? 300), seed: 20_261_123 },
  )
})
