/** Bills of materials from inspected layers; `attestation.test.ts` validates them against the schema. */
import { expect, it } from 'vitest'
import type { LayerContents } from '../layer/inspect.js'
import { readBom } from '../scan/given-bom.js'
import { cycloneDx, packageNames } from './cyclonedx.js'

const contents: LayerContents = {
  packages: [
    {
      type: 'apk',
      name: 'musl',
      version: '1.2.4-r2',
      architecture: 'x86_64',
      license: 'MIT',
      location: 'lib/apk/db/installed',
    },
    { type: 'pypi', name: 'Foo_Bar', version: '1.0', location: 'a' },
    { type: 'pypi', name: 'foo.bar', version: '1.0', location: 'b' },
  ],
  release: { id: 'alpine', version: '3.19' },
  isComplete: true,
}
const digest = `sha256:${'a'.repeat(64)}`
const image = { repository: 'org-1/x', version: '1.0.0', digest, createdAt: '2026-01-01T00:00:00Z', toolVersion: '1' }
const bomOf = (more: Partial<LayerContents> = {}) =>
  cycloneDx({ ...contents, ...more }, image) as {
    serialNumber: string
    components: { purl: string }[]
    compositions: { aggregate: string }[]
  }

it('name each package once, as its kind is written', () => {
  expect(bomOf().components.map(({ purl }) => purl)).toEqual([
    'pkg:apk/alpine/musl@1.2.4-r2?arch=x86_64&distro=alpine-3.19',
    'pkg:pypi/foo-bar@1.0',
  ])
  expect(bomOf()).toEqual(bomOf())
  expect(bomOf().serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('say that they lack something, and rules are told nothing then', () => {
  expect(bomOf({ isComplete: false }).compositions).toMatchObject([{ aggregate: 'incomplete' }])
  expect(packageNames(contents)).toEqual(['Foo_Bar', 'foo.bar', 'musl'])
  expect(packageNames({ ...contents, isComplete: false })).toBeNull()
})

it('of others are read for their names, and not taken when they are something else', () => {
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ group: '@a', name: 'b' }, { name: 'c' }, null, { name: 1 }],
  }
  expect(readBom(bom).names).toEqual(['@a/b', 'c'])
  for (const wrong of [null, {}, { ...bom, specVersion: '2.0' }, { ...bom, components: {} }])
    expect(() => readBom(wrong)).toThrow()
})
