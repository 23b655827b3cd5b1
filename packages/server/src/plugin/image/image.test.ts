/** Images are identified by their contents, each blob by its digest, and a false one is refused with a reason. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configOf, digestOf, dockerParts, makeTar, ociParts, type TarPart } from '../../../test/support/image-tar.js'
import { ImageFault, readImage } from './image.js'

async function* inPieces(bytes: Buffer, size = 700) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const read = (parts: readonly TarPart[]) => readImage(inPieces(makeTar(parts)))
const config = configOf()
const changed = (parts: readonly TarPart[], name: RegExp, content: string | ((was: string) => string)) =>
  parts.map((part) =>
    name.test(part.name)
      ? { ...part, content: typeof content === 'string' ? content : content(String(part.content)) }
      : part,
  )
const without = (parts: readonly TarPart[], name: RegExp) => parts.filter((part) => !name.test(part.name))

function twice(index: string) {
  const { manifests } = JSON.parse(index) as { manifests: unknown[] }
  return { manifests: [...manifests, ...manifests] }
}

describe('an image', () => {
  it.each([
    ['docker save', dockerParts()],
    ['an OCI layout', ociParts()],
    ['both in one', [...ociParts(), ...dockerParts()]],
    ['names with a dot in front', dockerParts().map((part) => ({ ...part, name: `./${part.name}` }))],
  ])('of %s is read', async (_what, parts) => {
    expect(await read(parts)).toEqual({
      configDigest: `sha256:${digestOf(config)}`,
      usesRootUser: false,
      baseImage: null,
    })
  })

  it.each([
    [{ User: 'root' }, true],
    [{ User: '0:0' }, true],
    [{ User: '' }, true],
    [{}, true],
    [null, true],
    [{ User: '1000' }, false],
  ])('with the configuration %j runs as root: %s', async (said, usesRootUser) => {
    expect(await read(ociParts(configOf(said)))).toMatchObject({ usesRootUser })
  })

  it('says what it was built from, where it does', async () => {
    const labels = { Labels: { 'org.opencontainers.image.base.name': 'debian:12' } }
    expect(await read(ociParts(configOf(labels)))).toMatchObject({ baseImage: 'debian:12' })
  })

  it('may link to a layer that it holds, and have long names', async () => {
    const parts = dockerParts()
    const long = `${'d'.repeat(120)}/layer.tar`
    const manifest = (was: string) => was.replace('l1/layer.tar', long)
    const linked = [
      ...changed(parts, /^manifest/, manifest),
      { name: '././@LongLink', type: 'L', content: `${long}\0` },
      { name: long.slice(0, 100), type: '2', linkTo: '../l1/layer.tar' },
    ]
    expect(await read(linked)).toMatchObject({ usesRootUser: false })
  })

  it.each([
    ['nothing', [], 'neither `manifest.json`'],
    [
      'another configuration',
      changed(dockerParts(), /json$/, (was) => was.replace('app', 'root')),
      'with a digest that does not match',
    ],
    [
      'a changed blob',
      changed(ociParts(), /^blobs/, (was) => was.replace('a layer', 'b layer')),
      'a digest that does not match',
    ],
    ['a missing layer', without(dockerParts(), /layer/), 'which it does not contain'],
    ['a missing configuration', without(ociParts(), new RegExp(digestOf(config))), 'which it does not contain'],
    ['a layer too few', dockerParts(configOf({}, [])), 'has 1 layers, and its configuration names 0'],
    ['two images of different files', [...ociParts(), ...dockerParts(configOf({}))], 'and another in'],
    [
      'two images',
      changed(dockerParts(), /^manifest/, (was) => `${was.slice(0, -1)},${was.slice(1)}`),
      'manifest.json',
    ],
    ['an index of two', changed(ociParts(), /^index/, (was) => JSON.stringify(twice(was))), 'several images'],
    ['a file twice', [...dockerParts(), { name: 'manifest.json', content: '[]' }], 'twice'],
    ['a link out of it', [...dockerParts(), { name: 'x', type: '2', linkTo: '../../etc/passwd' }], 'does not contain'],
    ['a device', [...dockerParts(), { name: 'x', type: '3' }], 'neither a file nor a folder'],
    ['no JSON', changed(dockerParts(), /^manifest/, '{'), 'is not JSON'],
    [
      'a wrong size',
      changed(ociParts(), /^index/, (was) => was.replace(/"size":\d+/, '"size":1')),
      'a size that does not match',
    ],
  ] as [string, TarPart[], string][])('with %s is refused', async (_what, parts, message) => {
    await expect(read(parts)).rejects.toThrow(message)
  })
  it('that is cut off or changed anywhere is read as the same image, or refused', async () => {
    const whole = makeTar(ociParts())
    const expected = await readImage(inPieces(whole))
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
        const other = Buffer.from(cut ? whole.subarray(0, at) : whole)
        if (!cut) other[at] = byte
        try {
          expect(await readImage(inPieces(other, 4096))).toEqual(expected)
        } catch (error) {
          expect(error).toBeInstanceOf(ImageFault)
        }
      }),
      { numRuns: 300 },
    )
  })
})
