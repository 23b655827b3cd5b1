/** Untrusted layers: what is read from them, and what is refused. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { makeTar, type TarPart } from '../../../test/support/image-tar.js'
import { readersOf, said } from '../../../test/support/readers.js'
import { inspectLayers, type Layer, LayerFault, type LayerLimits } from './inspect.js'
import { createLayerReader } from './isolated.js'
import { searchFor } from './needles.js'

const sha = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const LIMITS: LayerLimits = { entriesMax: 10_000, unpackedBytesMax: 50_000_000, packagesMax: 100 }
const GZIP = 'application/vnd.oci.image.layer.v1.tar+gzip'

interface Made {
  readonly layers: Layer[]
  readonly bytes: Buffer
}
const packed = (...tars: readonly Buffer[]): Made => {
  const packs = tars.map((tar) => gzipSync(tar))
  return {
    layers: tars.map((tar, n) => ({
      ...{ mediaType: GZIP, digest: sha(packs[n] as Buffer), size: (packs[n] as Buffer).length, diffId: sha(tar) },
    })),
    bytes: Buffer.concat(packs),
  }
}
const made = (...layers: readonly (readonly TarPart[])[]): Made => packed(...layers.map((parts) => makeTar(parts)))

function taker(bytes: Buffer): (count: number) => AsyncIterable<Buffer> {
  let at = 0
  return async function* (count) {
    for (let left = count; left > 0 && at < bytes.length; ) {
      const piece = bytes.subarray(at, at + Math.min(left, 1000))
      at += piece.length
      left -= piece.length
      yield piece
    }
  }
}
const read = (
  { layers, bytes }: Made,
  limits: Partial<LayerLimits> = {},
  needles: Parameters<typeof inspectLayers>[1] = [],
) => inspectLayers(layers, needles, { ...LIMITS, ...limits }, taker(bytes))
const namesOf = async (image: Made) => (await read(image)).packages.map(({ name }) => name).sort()
const whyNot = (image: Made, ...more: [Partial<LayerLimits>?, Parameters<typeof inspectLayers>[1]?]) =>
  read(image, ...more).then(
    () => 'taken',
    (error: unknown) => {
      if (error instanceof LayerFault) return `${error.category}: ${error.message}`
      throw error
    },
  )

const DPKG = `Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u10
Description: a library
 Package: not-this-one

Package: gone
Status: deinstall ok config-files
Version: 1.0
Architecture: amd64

Package: bad name
Status: install ok installed
Version: 1.0
`
const APK = 'C:Q1abc=\nP:musl\nV:1.2.4-r2\nA:x86_64\nL:MIT\n\nP:zlib\nV:1.3-r0\n'
const at = (name: string, content: string): TarPart => ({ name, content })
const npm = (folder: string, name: string, version = '1.0.0') =>
  at(`${folder}/node_modules/${name}/package.json`, JSON.stringify({ name, version, license: 'ISC' }))

describe('what is installed', () => {
  it('is what dpkg, apk, npm and Python say', async () => {
    const contents = await read(
      made([
        { name: './', type: '5' },
        at('./var/lib/dpkg/status', DPKG),
        at('/var/lib/dpkg/status.d/base', 'Package: base-files\nVersion: 12\nArchitecture: all\n'),
        at('var/lib/dpkg/status.d/base.md5sums', 'Package: no\nVersion: 1\n'),
        at('lib/apk/db/installed', APK),
        npm('app', 'left-pad'),
        npm('app', '@scope/pkg', '2.0.0-rc.1'),
        at('app/package.json', '{"name":"app","version":"1.0.0"}'),
        at('app/node_modules/left-pad/test/package.json', '{"name":"no","version":"1.0.0"}'),
        at(
          'usr/lib/python3/dist-packages/PyYAML-6.0.dist-info/METADATA',
          'Metadata-Version: 2.1\nName: PyYAML\nVersion: 6.0\nLicense: MIT\n\nName: x\n',
        ),
        at('usr/lib/python3/dist-packages/six.egg-info', 'Name: six\nVersion: 1.16.0\n'),
        at('usr/lib/os-release', 'NAME="Debian"\nID=debian\nVERSION_ID="12"\n'),
        { name: 'etc/os-release', type: '2', linkTo: '../usr/lib/os-release' },
        { name: 'dev/null', type: '3' },
      ]),
    )
    expect(contents.packages.map(({ type, name, version }) => `${type} ${name} ${version}`).sort()).toEqual([
      'apk musl 1.2.4-r2',
      'apk zlib 1.3-r0',
      'deb base-files 12',
      'deb libc6 2.36-9+deb12u10',
      'npm @scope/pkg 2.0.0-rc.1',
      'npm left-pad 1.0.0',
      'pypi PyYAML 6.0',
      'pypi six 1.16.0',
    ])
    expect(contents).toMatchObject({ release: { id: 'debian', version: '12' }, isComplete: true })
  })

  it('is what the upper layers leave of it', async () => {
    const below = [npm('a', 'x'), npm('a', 'y'), npm('b', 'z'), at('var/lib/dpkg/status', DPKG)]
    expect(await namesOf(made(below, [at('a/node_modules/x/.wh.package.json', '')]))).toEqual(['libc6', 'y', 'z'])
    expect(await namesOf(made(below, [at('a/node_modules/.wh.x', '')]))).toEqual(['libc6', 'y', 'z'])
    expect(await namesOf(made(below, [at('.wh.a', '')]))).toEqual(['libc6', 'z'])
    expect(await namesOf(made(below, [at('a/.wh..wh..opq', ''), npm('a', 'new')]))).toEqual(['libc6', 'new', 'z'])
    expect(await namesOf(made(below, [npm('a', 'new'), at('a/.wh..wh..opq', '')]))).toEqual(['libc6', 'new', 'z'])
    expect(await namesOf(made(below, [at('.wh..wh..opq', '')]))).toEqual([])
    expect(await namesOf(made(below, [at('a', 'a file now')]))).toEqual(['libc6', 'z'])
    expect(await namesOf(made(below, [at('var/lib/dpkg/status', '')]))).toEqual(['x', 'y', 'z'])
    expect(await namesOf(made(below, [{ name: 'a/node_modules', type: '5' }]))).toEqual(['libc6', 'x', 'y', 'z'])
  })

  it('is told by hard links too, and said to be incomplete where one leads to what was not read', async () => {
    const link = (linkTo: string): TarPart => ({ name: 'b/node_modules/x/package.json', type: '1', linkTo })
    const known = await read(made([npm('a', 'x')], [link('a/node_modules/x/package.json')]))
    expect(known).toMatchObject({ isComplete: true, packages: [{ name: 'x' }, { name: 'x' }] })
    const unknown = await read(made([at('store/ab', '{"name":"x","version":"1.0.0"}'), link('store/ab')]))
    expect(unknown).toMatchObject({ isComplete: false, packages: [] })
  })

  it('is counted up to a bound', async () => {
    const many = await read(made(Array.from({ length: 101 }, (_, n) => npm('a', `p${n}`))))
    expect([many.packages.length, many.isComplete]).toEqual([100, false])
  })
})

describe('an image is refused', () => {
  const fine = made([at('a', 'b')])
  const [layer] = fine.layers as [Layer]
  const other = `sha256:${'0'.repeat(64)}`
  const holes = packed(Buffer.concat([makeTar([at('a', 'b')]), Buffer.alloc(60_000_000)]))
  it.each<[string, Made, string]>([
    [
      'whose layer lies about its digest',
      { ...fine, layers: [{ ...layer, digest: other }] },
      'does not match its digest',
    ],
    [
      'whose configuration lies about its layer',
      { ...fine, layers: [{ ...layer, diffId: other }] },
      'does not match the configuration when unpacked',
    ],
    ['whose layer breaks off', { ...fine, bytes: fine.bytes.subarray(0, 20) }, 'cannot be unpacked'],
    ['whose layer is not packed', { ...fine, bytes: Buffer.alloc(layer.size, 65) }, 'cannot be unpacked'],
    ['whose whiteout climbs', made([at('a/../../.wh.etc', '')]), 'leads out of it'],
    ['whose name climbs', made([at('../etc/passwd', '')]), 'leads out of it'],
    ['whose hard link climbs', made([{ name: 'a', type: '1', linkTo: '../../etc/shadow' }]), 'leads out of it'],
    ['of an unknown kind of file', made([{ name: 'a', type: 'S' }]), 'neither a file nor a folder'],
    ['with a sparse file', made([{ name: 'x', type: 'x', content: '22 GNU.sparse.major=1\n' }, at('a', '')]), 'sparse'],
    [
      'that is a bomb',
      holes,
      'quota: the layers of the image unpack to more bytes than the limit of the server: layer 1 of 1',
    ],
    [
      'packed by zstd',
      { ...fine, layers: [{ ...layer, mediaType: 'application/vnd.oci.image.layer.v1.tar+zstd' }] },
      'gzip',
    ],
  ])('%s', async (_, image, why) => {
    const isZstd = why === 'gzip'
    // A newer Node can decompress it, and finds that it is invalid.
    if (isZstd && 'createZstdDecompress' in (await import('node:zlib'))) return
    expect(await whyNot(image)).toContain(why)
  })

  it('with more entries than are read', async () => {
    const image = made([at('a', ''), at('b', '')], [at('c', ''), at('d', '')])
    expect(await whyNot(image, { entriesMax: 2 })).toContain('entries')
    expect(await whyNot(image, { entriesMax: 4 })).toBe('taken')
  })

  it('with a value of its build, which is not in the message', async () => {
    const value = 'hunter2-hunter2'
    const needles = [{ name: 'NPM_TOKEN', forms: ['unrelated-text', value] }]
    const image = made([at('a', 'x')], [at('root/.npmrc', `//r/:_authToken=${value}`)])
    const why = await whyNot(image, {}, needles)
    expect(why).toContain('auth-secrets: the image contains the value of the secret NPM_TOKEN in layer 2 of 2')
    expect(why).toContain('--mount=type=secret,id=NPM_TOKEN')
    expect(why).not.toContain(value)
    const behind = packed(Buffer.concat([makeTar([at('a', 'b')]), Buffer.from(value)]))
    expect(await whyNot(behind, {}, needles)).toContain('NPM_TOKEN')
    expect(await whyNot(made([at('a', value.slice(1))]), {}, needles)).toBe('taken')
  })
})

it('finds a value however the bytes are cut', () => {
  const bytes = Buffer.from('..needle..')
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
      const search = searchFor([{ name: 'n', forms: ['need', 'needle', 'eedle'] }])
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
      const found = places.slice(1).map((end, n) => search.look(bytes.subarray(places[n], end)))
      expect(found).toContain('n')
    }),
    { numRuns: 200 },
  )
})

it('is read in a process of its own, one image behind the other, and goes on after a bad one', async () => {
  const reader = createLayerReader()
  const good = made([npm('a', 'x')], [npm('b', 'y')])
  const bad = { ...good, layers: good.layers.map((layer) => ({ ...layer, diffId: good.layers[0]?.digest ?? '' })) }
  const ask = ({ layers, bytes }: Made, open = (digest: string) => one(layers, bytes, digest)) =>
    reader.read({ layers, needles: [], limits: LIMITS, open })
  const names = async (image: Made) => (await ask(image)).packages.map(({ name }) => name)
  expect(await Promise.all([names(good), names(good)])).toEqual([
    ['x', 'y'],
    ['x', 'y'],
  ])
  await expect(ask(bad)).rejects.toThrow('diff_ids')
  await expect(
    ask(good, async function* () {
      yield Buffer.from('a')
      throw new Error('the registry is away')
    }),
  ).rejects.toThrow('the registry is away')
  expect(await names(good)).toEqual(['x', 'y'])
  reader.close()
})

const readers = () => readersOf(process.pid, 'layer-reader')

it('that somebody ends says nothing about the image, which is read by another one', async () => {
  const reader = createLayerReader()
  const { layers, bytes } = made([npm('a', 'x')])
  const image = { layers, needles: [], limits: LIMITS }
  const before = new Set(readers())
  const cut = reader.read({
    ...image,
    async *open() {
      yield Buffer.from(bytes.subarray(0, 3))
      for (const pid of readers()) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 60_000).unref())
    },
  })
  const error = await cut.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).not.toBeInstanceOf(LayerFault)
  expect(String(error)).toContain('ended by SIGKILL')
  const again = await reader.read({ ...image, open: (digest) => one(layers, bytes, digest) })
  expect(again.packages.map(({ name }) => name)).toEqual(['x'])
  reader.close()
})

it('is started without the environment of the server, and ended when it is late', async () => {
  process.env['LEAK_OF_LAYERS'] = 'a secret'
  const before = new Set(readers())
  const reader = createLayerReader({ wallMs: 1500 })
  const { layers } = made([at('a', 'b')])
  const waiting = reader.read({
    ...{ layers, needles: [], limits: LIMITS },
    async *open() {
      yield Buffer.from('a')
      for (const pid of readers()) if (!before.has(pid)) process.kill(pid, 'SIGSTOP')
    },
  })
  const late = expect(waiting).rejects.toThrow('takes too long')
  const environments = () =>
    readers()
      .map((pid) => said(`/proc/${pid}/environ`))
      .filter((environment) => environment !== '')
  await vi.waitUntil(() => environments().length > 0, { timeout: 60_000, interval: 5 })
  for (const environment of environments()) expect(environment).not.toContain('LEAK_OF_LAYERS')
  await late
  delete process.env['LEAK_OF_LAYERS']
  reader.close()
})

it('is not late while the registry is slow', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const reader = createLayerReader()
  try {
    const { layers, bytes } = made([at('a', 'b'), at('c', 'd')])
    const read = reader.read({
      ...{ layers, needles: [], limits: LIMITS },
      async *open(digest) {
        await vi.advanceTimersByTimeAsync(600_000)
        for await (const piece of one(layers, bytes, digest)) {
          yield piece.subarray(0, 3)
          await vi.advanceTimersByTimeAsync(600_000)
          yield piece.subarray(3)
        }
        await vi.advanceTimersByTimeAsync(600_000)
      },
    })
    await expect(read).resolves.toMatchObject({ packages: [] })
  } finally {
    vi.useRealTimers()
    reader.close()
  }
})

async function* one(layers: readonly Layer[], bytes: Buffer, digest: string): AsyncGenerator<Buffer> {
  let from = 0
  for (const layer of layers) {
    if (layer.digest === digest) return yield bytes.subarray(from, from + layer.size)
    from += layer.size
  }
}
