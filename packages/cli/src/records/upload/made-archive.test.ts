import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../resource.js'
import { madeArchive } from './made-archive.js'

const plugin = { name: 'lint', version: '1.0.0', commands: ['lint'], dockerfile: 'FROM node:22\nUSER node\n' }

async function read(document: JsonObject) {
  const { archive, fields } = madeArchive(document)
  const { content, ...part } = archive()
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  const files = unzipSync(Buffer.concat(chunks))
  return { part, fields, files: Object.fromEntries(Object.entries(files).map(([name, of]) => [name, strFromU8(of)])) }
}

describe('the archive of a document', () => {
  it('holds its specification, how its image is made, and its Dockerfile', async () => {
    const { part, fields, files } = await read({ ...plugin, env: { CI: 'true' }, description: null, isDefault: true })
    expect(part).toMatchObject({ part: 'plugin', name: 'lint.zip' })
    expect(Object.keys(files)).toEqual(['plugin-spec.yaml', 'config.yaml', 'Dockerfile'])
    expect(parse(files['plugin-spec.yaml'] ?? '')).toEqual({
      name: 'lint',
      version: '1.0.0',
      commands: ['lint'],
      env: { CI: 'true' },
    })
    expect(parse(files['config.yaml'] ?? '')).toEqual({ buildType: 'build_image' })
    expect(files['Dockerfile']).toBe(plugin.dockerfile)
    expect(fields).toEqual({ setDefault: 'true' })
  })

  it('is sent with what is said beside it: objects and lists as JSON', async () => {
    const links = [{ title: 'Runbook', url: 'https://runbooks.example.com' }]
    const said = {
      accessModifier: 'public',
      lifecycle: 'production',
      labels: { team: 'web' },
      links,
      criticality: null,
    }
    expect((await read({ ...plugin, ...said })).fields).toEqual({
      accessModifier: 'public',
      lifecycle: 'production',
      labels: '{"team":"web"}',
      links: JSON.stringify(links),
    })
  })

  it('takes the contract of a record that was read, and one that is written out', async () => {
    const contract = { requiredVars: ['a'], requiredMetadata: [], varsTypes: {}, metadataTypes: {} }
    const { files } = await read({ ...plugin, contract, requiredMetadata: ['b'] })
    expect(parse(files['plugin-spec.yaml'] ?? '')).toMatchObject({ requiredVars: ['a'], requiredMetadata: ['b'] })
  })

  it('has no Dockerfile where there is no image', async () => {
    const { dockerfile: _text, ...bare } = plugin
    expect(Object.keys((await read({ ...bare, buildType: 'metadata_only' })).files)).not.toContain('Dockerfile')
    const approval = await read({ name: 'go', version: '1.0.0', pluginType: 'ManualApprovalStep' })
    expect(approval.files['config.yaml']).toContain('metadata_only')
  })

  it.each([
    ['already built', { ...plugin, buildType: 'prebuilt' }],
    ['give `dockerfile`', { ...plugin, buildType: 'build_image', dockerfile: null }],
    ['the Dockerfile is missing', { name: 'a', version: '1.0.0', commands: ['a'] }],
  ])('cannot be made: %s', (text, document) => {
    expect(() => madeArchive(document)).toThrow(text)
  })

  it('is the same for the same document', async () => {
    const bytes = () => Buffer.from([...(madeArchive(plugin).archive().content as Iterable<Uint8Array>)][0] ?? [])
    expect(bytes().equals(bytes())).toBe(true)
  })
})
