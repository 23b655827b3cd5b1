/** Specifications that other people wrote, and the samples that ship, go through upload, listing, update and deletion over HTTP. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { dockerParts, makeTar } from './support/image-tar.js'
import { DOCKERFILE, type PluginApp, pluginApp, uploadZip } from './support/plugins.js'
import { type SignedIn, signUp } from './support/sign-in.js'
import { sqliteStore } from './support/stores.js'
import { makeZip } from './support/zip.js'

type Spec = Record<string, unknown> & { readonly name: string; readonly version: string }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DATA = here('../../../../shared/data/plugin-specs.json')
const SAMPLES = here('../../../samples/plugins')
/** What a sample says of the record, beside the specification. */
const BESIDE = [
  'kind',
  'buildType',
  'accessModifier',
  'isDefault',
  'isActive',
  'baseImage',
  'usesRootUser',
  'ownerId',
  'ownerType',
  'lifecycle',
  'criticality',
  'labels',
  'links',
]

function zipOf(spec: Spec) {
  const buildType = String(spec['buildType'] ?? 'build_image')
  const own = Object.fromEntries(Object.entries(spec).filter(([key, value]) => !BESIDE.includes(key) && value !== null))
  const text = String(own['dockerfile'] ?? '')
  const isText = text.includes('\n')
  if (isText || buildType !== 'build_image') delete own['dockerfile']
  if (own['primaryOutputDirectory'] === '') delete own['primaryOutputDirectory']
  return makeZip([
    { name: 'plugin-spec.yaml', content: stringify(own) },
    { name: 'config.yaml', content: stringify({ buildType }) },
    ...(buildType === 'build_image' ? [{ name: 'Dockerfile', content: isText ? text : DOCKERFILE }] : []),
    ...(buildType === 'prebuilt' ? [{ name: 'image.tar', content: makeTar(dockerParts()) }] : []),
  ])
}

const samples = readdirSync(SAMPLES).flatMap((name) =>
  [parseAllDocuments(readFileSync(join(SAMPLES, name), 'utf8'))].flat().map((document) => document.toJS() as Spec),
)
const real = existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as Spec[]) : []

let app: PluginApp
let ann: SignedIn
beforeAll(async () => {
  app = await pluginApp(await sqliteStore())
  ann = await signUp(app, 'ann')
})
afterAll(() => app.runtime.store.close())

async function goThrough(specs: readonly Spec[]): Promise<string[]> {
  const refused: string[] = []
  for (const spec of specs) {
    const answer = await uploadZip(app, ann, zipOf(spec))
    if (answer.status >= 300) {
      refused.push(
        `${spec.name}: ${answer.body.details?.issues?.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`).join('; ') ?? answer.code}`,
      )
      continue
    }
    const { pluginId } = answer.data
    // What a sample says of its image is what its Dockerfile says.
    const { plugin } = (await app.call('GET', `/plugins/${pluginId}`, { as: ann })).data
    if (spec['baseImage'] !== undefined && spec['dockerfile'] !== undefined) {
      const { baseImage, usesRootUser } = spec
      expect(plugin).toMatchObject({ name: spec.name, baseImage, usesRootUser })
    }
    const found = await app.call('GET', `/plugins?nameExact=${spec.name}&isActive=all`, { as: ann })
    expect(found.data.plugins).toMatchObject([{ id: pluginId, version: spec.version }])
    const changed = await app.call('PUT', `/plugins/${pluginId}`, { as: ann, body: { lifecycle: 'deprecated' } })
    expect([spec.name, changed.status, changed.data?.plugin.lifecycle]).toEqual([spec.name, 200, 'deprecated'])
    expect((await app.call('DELETE', `/plugins/${pluginId}`, { as: ann })).status).toBe(200)
  }
  return refused
}

describe('plugins', () => {
  it('that ship as samples, of which one is there to be refused', async () => {
    expect(await goThrough(samples)).toEqual([expect.stringMatching(/^Legacy_Upload: .*computeType .*must be one of/)])
  })

  it('that other people wrote, where ../shared/data has them', async () => {
    expect(await goThrough(real)).toEqual([])
  })
})
