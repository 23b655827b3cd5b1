/**
 * What a builder pushes to the registry from an `image.tar` that may be hostile: complete images only, and it writes
 * nothing outside its own folder.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeRegistry, fakeRegistry } from '../../../test/support/fake-registry.js'
import { configOf, dockerParts, makeTar, ociParts, type TarPart } from '../../../test/support/image-tar.js'
import { RegistryAway } from './base-refused.js'
import { NoImage, PushFailed, pushImage } from './push.js'

const BYTES_MAX = 100_000
let registry: FakeRegistry
let folder = ''
let tries = 0
beforeAll(async () => {
  registry = await fakeRegistry()
  folder = mkdtempSync(join(tmpdir(), 'plumbline-push-'))
})
afterAll(async () => {
  await registry.close()
  rmSync(folder, { recursive: true })
})

/** Pushes from a separate folder; the files next to it must not change. */
async function pushed(tar: readonly TarPart[] | Buffer, bytesMax = BYTES_MAX): Promise<string> {
  const at = join(folder, String(tries++))
  const scratch = join(at, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const file = join(at, 'image.tar')
  writeFileSync(file, Buffer.isBuffer(tar) ? tar : makeTar(tar as TarPart[]))
  const target = { url: registry.url, repository: 'staging/j', tag: 'a', token: async () => 't' }
  try {
    return await pushImage(file, scratch, bytesMax, { ...target, signal: AbortSignal.timeout(10_000) })
  } finally {
    const parts = join(scratch, 'parts')
    const held = existsSync(parts) ? readdirSync(parts).map((name) => statSync(join(parts, name)).size) : []
    expect(held.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(bytesMax)
    expect([readdirSync(at).sort(), readdirSync(scratch)]).toEqual([
      ['image.tar', 'scratch'],
      held.length > 0 || existsSync(parts) ? ['parts'] : [],
    ])
    rmSync(at, { recursive: true })
  }
}

it('puts an image there, of either form, with blobs under their own digests', async () => {
  for (const parts of [dockerParts(), ociParts()]) {
    const digest = await pushed(parts)
    const manifest = JSON.parse(String(registry.manifests.get(`staging/j@${digest}`)))
    for (const { digest: blob, size } of [manifest.config, ...manifest.layers]) {
      expect(registry.blobs.get(blob)?.length).toBe(size)
    }
  }
  // A layer that docker wrote as a link has the contents of the linked one.
  const twice = JSON.stringify([{ Config: 'c', Layers: ['l', 'again'] }])
  const linked = [
    ...[
      { name: 'l', content: 'x' },
      { name: 'again', type: '2', linkTo: 'l' },
    ],
    ...[
      { name: 'c', content: configOf() },
      { name: 'manifest.json', content: twice },
    ],
  ]
  const { layers } = JSON.parse(String(registry.manifests.get(`staging/j@${await pushed(linked)}`)))
  expect(layers[0]).toEqual(layers[1])
})

it('sends a large blob in pieces, each of which takes a moment where the registry is slow', async () => {
  const MiB = 1024 ** 2
  const sent: string[] = []
  registry.flap = (method, path) => {
    if (path.includes('/uploads/')) sent.push(method)
    return null
  }
  try {
    for (const [bytes, pieces] of [
      [4 * MiB, 0],
      [4 * MiB + 1, 1],
      [9 * MiB + 7, 2],
    ] as const) {
      sent.length = 0
      const layer = Buffer.alloc(bytes, `${bytes} `)
      const digest = await pushed(
        [
          { name: 'l', content: layer },
          { name: 'c', content: configOf() },
          { name: 'manifest.json', content: JSON.stringify([{ Config: 'c', Layers: ['l'] }]) },
        ],
        16 * MiB,
      )
      const { layers } = JSON.parse(String(registry.manifests.get(`staging/j@${digest}`)))
      expect(registry.blobs.get(layers[0].digest)?.equals(layer)).toBe(true)
      expect(sent.slice(0, pieces + 2)).toEqual(['POST', ...Array(pieces).fill('PATCH'), 'PUT'])
    }
    expect(registry.uploads.size).toBe(0)
  } finally {
    registry.flap = () => null
  }
})

type Answer = number | 'cut'
const isUpload = (path: string) => path.includes('/blobs/')

it.each<[string, (path: string) => Answer, typeof RegistryAway | typeof PushFailed, boolean?]>([
  ['costs no attempt when the registry cuts every connection', () => 'cut', RegistryAway],
  ['costs no attempt when the registry answers nothing but 503', () => 503, RegistryAway],
  ['costs no attempt when the registry is read-only', () => 405, RegistryAway],
  [
    'fails the attempt when the registry cuts this image alone',
    (path) => (isUpload(path) ? 'cut' : 401),
    PushFailed,
    false,
  ],
  [
    'fails the attempt when the registry has 500 for this image alone',
    (path) => (isUpload(path) ? 500 : 401),
    PushFailed,
    false,
  ],
  ['fails the attempt when a proxy before the registry has no patience', () => 408, PushFailed, false],
  ['fails for good when the registry refuses', () => 403, PushFailed, true],
])('%s', async (_, answerOf, error, isPermanent) => {
  const server = createServer((request, response) => {
    const answer = answerOf(request.url ?? '')
    request.resume()
    if (answer === 'cut') request.socket.destroy()
    else response.writeHead(answer).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { url } = registry
  Object.assign(registry, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  try {
    const refused = await pushed(dockerParts()).catch((thrown: unknown) => thrown)
    expect(refused).toBeInstanceOf(error)
    expect(refused).toMatchObject({
      message: expect.stringMatching(/^the registry /),
      ...(isPermanent === undefined ? {} : { isPermanent }),
    })
  } finally {
    Object.assign(registry, { url })
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const asManifest = (image: unknown): TarPart[] => [
  { name: 'c', content: configOf() },
  { name: 'l', content: 'x' },
  { name: 'manifest.json', content: JSON.stringify(image) },
]
const sparse = '22 GNU.sparse.major=1\n'

it.each<[string, () => readonly TarPart[] | Buffer]>([
  ['two entries of a name', () => [...dockerParts(), { name: 'l1/layer.tar', content: 'another' }]],
  ['a blob with other bytes', () => ociParts().map((part, n) => (n === 2 ? { ...part, content: 'a lie' } : part))],
  ['a name that climbs', () => asManifest([{ Config: 'c', Layers: ['../../../../etc/passwd'] }])],
  [
    'a link out',
    () => [{ name: 'out', type: '2', linkTo: '/etc/passwd' }, ...asManifest([{ Config: 'c', Layers: ['out'] }])],
  ],
  [
    'a hard link out',
    () => [{ name: 'out', type: '1', linkTo: '../../x' }, ...asManifest([{ Config: 'c', Layers: ['out'] }])],
  ],
  [
    'links in a circle',
    () => [
      ...[
        { name: 'a', type: '2', linkTo: 'b' },
        { name: 'b', type: '2', linkTo: 'a' },
      ],
      ...asManifest([{ Config: 'c', Layers: ['a'] }]),
    ],
  ],
  ['a device', () => [{ name: 'l', type: '3' }, ...dockerParts()]],
  ['a sparse file', () => [{ name: 'h', type: 'x', content: sparse }, ...dockerParts()]],
  ['too many bytes', () => [{ name: 'big', content: Buffer.alloc(BYTES_MAX + 1) }, ...dockerParts()]],
  [
    'too many bytes in pieces',
    () => Array.from({ length: 300 }, (_, n) => ({ name: `p${n}`, content: 'x'.repeat(999) })),
  ],
  ['an end in the middle', () => makeTar(dockerParts()).subarray(0, 1300)],
  ['two images', () => [{ name: 'index.json', content: '{"manifests":[{},{}]}' }]],
  ['no image', () => [{ name: 'x', content: 'y' }]],
  ['no JSON', () => [{ name: 'manifest.json', content: '[' }]],
])('refuses %s', async (_what, tar) => {
  await expect(pushed(tar())).rejects.toThrow(NoImage)
})

it('refuses every other document as one, never as a fault of the builder', async () => {
  const names = fc.constantFrom('c', 'l', 'index.json', 'manifest.json', '__proto__')
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, '', 'c', 'l', [], {}),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('Config', 'Layers', 'manifests', 'digest', 'config', 'layers', 'x'), tie('value'), {
        maxKeys: 3,
      }),
    ),
  })).value
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('index.json', 'manifest.json'), value, names, async (name, document, other) => {
      const parts = [
        ...[
          { name: 'c', content: '{}' },
          { name: 'l', content: 'x' },
        ],
        { name, content: JSON.stringify(document) },
        ...(['c', 'l', name].includes(other) ? [] : [{ name: other, content: '{}' }]),
      ]
      await pushed(parts).catch((error: unknown) => expect(error).toBeInstanceOf(NoImage))
    }),
    { numRuns: 60, seed: 20_261_127 },
  )
})
