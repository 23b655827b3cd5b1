/**
 * What a builder pushes to the registry from an `image.tar` that may be hostile: complete images only, and it writes
 * nothing outside its own folder.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeRegistry, fakeRegistry } from '../../../test/support/fake-registry.js'
import { configOf, dockerParts, makeTar, ociParts, type TarPart } from '../../../test/support/image-tar.js'
import { NoImage, pushImage } from './push.js'

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
async function pushed(tar: readonly TarPart[] | Buffer): Promise<string> {
  const at = join(folder, String(tries++))
  const scratch = join(at, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const file = join(at, 'image.tar')
  writeFileSync(file, Buffer.isBuffer(tar) ? tar : makeTar(tar as TarPart[]))
  const target = { url: registry.url, repository: 'staging/j', tag: 'a', token: async () => 't' }
  try {
    return await pushImage(file, scratch, BYTES_MAX, { ...target, signal: AbortSignal.timeout(10_000) })
  } finally {
    const parts = join(scratch, 'parts')
    const held = existsSync(parts) ? readdirSync(parts).map((name) => statSync(join(parts, name)).size) : []
    expect(held.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BYTES_MAX)
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
