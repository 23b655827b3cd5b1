/**
 * The attestations of an image: its bill of materials, its provenance and its scan, each verified as an outsider would.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry, type ImageParts } from '../../../test/support/fake-registry.js'
import type { TarPart } from '../../../test/support/image-tar.js'
import { runJobs } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { createHostServicePrincipal } from '../../identity/index.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { newTokenKey, registryClient } from '../../registry/index.js'
import type { Store } from '../../runtime/store/db.js'
import { pluginRegistration } from '../registration.js'
import { pluginTables } from '../tables.js'
import { attestImageJob } from './attest-image.js'
import { finishBuildJob } from './finish.js'

const VERIFIER = fileURLToPath(new URL('../../../../../examples/verify-provenance/verify.py', import.meta.url))
const hasPrograms = ['python3', 'openssl'].every(
  (name) => spawnSync(name, ['--version']).error === undefined && spawnSync(name, ['version']).error === undefined,
)
const hasSandbox = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0
const key = (name: string) => `${name}:${randomBytes(32).toString('base64')}`

const FILES: readonly (readonly TarPart[])[] = [
  [
    { name: 'etc/os-release', content: 'ID=debian\nVERSION_ID="12"\n' },
    {
      name: 'var/lib/dpkg/status',
      content: 'Package: libssl3\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:3.0.15+deb12u1\n',
    },
  ],
  [
    {
      name: 'app/node_modules/@acme/tool/package.json',
      content: '{"name":"@acme/tool","version":"1.0.0","license":"MIT"}',
    },
  ],
]

await describeStores('what is known of an image', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: PluginApp
  let registry: FakeRegistry
  let ann: SignedIn
  let ben: SignedIn
  let builder: string
  let folder: string
  let names = 0
  const [current, former] = [key('b'), key('a')]
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-attest-'))
    store = await open()
    registry = await fakeRegistry()
    app = await pluginApp(store, {
      operations: TENANT_OPERATIONS,
      settings: {
        ...{ REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0) },
        PROVENANCE_KEYS: `${current},${former}`,
      },
    })
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
    builder = await hostPrincipal(['builds:work'])
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    rmSync(folder, { recursive: true })
    await registry.close()
    await store.close()
  })

  async function hostPrincipal(scopes: string[]): Promise<string> {
    const made = await createHostServicePrincipal(
      { runtime: app.runtime, osUser: 'ops' },
      { name: `p${names++}`, scopes },
    )
    return tokenOf(made)
  }
  async function tokenOf({ clientId, clientSecret }: { clientId: string; clientSecret: string }): Promise<string> {
    const body = { grant_type: 'client_credentials', clientId, clientSecret }
    return (await app.call('POST', '/auth/token', { body })).data.accessToken
  }
  const queued = (spec = '') => uploaded(app, ann, { name: `a${names++}`, buildType: 'build_image', spec })
  async function built(
    image: ImageParts = { files: FILES },
    whileBuilt: (job: { readonly id: string; readonly fence: number }) => Promise<void> = async () => undefined,
  ): Promise<{ readonly jobId: string; readonly digest: string }> {
    const { job } = (await app.call('POST', '/builder/claims', { as: builder, body: { name: 'b' } })).data
    const digest = registry.stage(`staging/${job.id}`, image)
    const headers = { 'x-build-fence': String(job.fence) }
    await whileBuilt(job)
    await app.call('POST', `/builder/jobs/${job.id}/complete`, { as: builder, headers, body: { digest } })
    await runJobs(app, [finishBuildJob, attestImageJob])
    return { jobId: job.id, digest }
  }
  const get = (path: string, as = ann) => app.call('GET', path, { as })
  const plugin = async (id: string) => (await get(`/plugins/${id}`)).data.plugin
  const build = async (id: string) => (await get(`/plugins/builds/${id}`)).data.build
  const jobRow = (id: string) =>
    store.system.read(async (db) => {
      const { buildJobs: t } = pluginTables(db)
      return (await db.select().from(t).where(eq(t.id, id)))[0]
    })
  const put = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  it('is a bill of materials that the library of CycloneDX takes', async () => {
    const id = await queued()
    expect((await get(`/plugins/${id}/sbom`)).status).toBe(404)
    await built()
    const answer = await get(`/plugins/${id}/sbom`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.cyclonedx+json'])
    const text = JSON.stringify(answer.body)
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
    const { components, metadata } = answer.body as { components: { purl: string }[]; metadata: object }
    expect(components.map(({ purl }) => purl)).toEqual([
      'pkg:deb/debian/libssl3@1:3.0.15%2Bdeb12u1?arch=amd64&distro=debian-12',
      'pkg:npm/%40acme/tool@1.0.0',
    ])
    expect(metadata).toMatchObject({ component: { type: 'container', name: `org-${ann.orgId}/a1`, version: '1.0.0' } })
    expect((await get(`/plugins/${id}/sbom`, ben)).status).toBe(404)
    // Rules read the package names; answers refer to the document.
    expect((await plugin(id)).builtImage).not.toHaveProperty('sbomPackages')
    const again = await app.call('PUT', `/plugins/${id}`, {
      as: ann,
      body: { ...(await plugin(id)), description: 'x' },
    })
    expect(again.status).toBe(200)
    expect(await keysOf()).toContain(await stored(id, 'sbom'))
  })

  const rows = async (id: string) => {
    const found = await store.system.read((db) =>
      db.rows<{ attestations: string | object; built_image: string | object }>(
        `SELECT attestations, built_image FROM plugins WHERE id = '${id}'` as never,
      ),
    )
    const parsed = (value: string | object) => (typeof value === 'string' ? JSON.parse(value) : value)
    return { attestations: parsed(found[0]?.attestations ?? '{}'), builtImage: parsed(found[0]?.built_image ?? '{}') }
  }
  const stored = async (id: string, kind: string): Promise<string> => (await rows(id)).attestations[kind].key
  async function keysOf(): Promise<string[]> {
    const keys: string[] = []
    await store.system.read(async (db) => {
      for await (const each of pluginRegistration.blobs(db, ann.orgId)) keys.push(each)
    })
    return keys
  }

  it.skipIf(!hasPrograms)('is provenance that openssl, and a program that shares no code, verify', async () => {
    const id = await queued('buildArgs: { TOKEN_FILE: "a value" }\n')
    const { jobId, digest } = await built()
    const answer = await get(`/plugins/${id}/provenance`)
    expect(answer.headers.get('content-type')).toBe('application/vnd.dsse.envelope.v1+json')
    const envelope = answer.body as { payload: string; signatures: { keyid: string; sig: string }[] }
    const { keys } = (await app.call('GET', '/registry/provenance-keys', { as: '' })).data
    expect(keys.map((each: { name: string; isCurrent: boolean }) => [each.name, each.isCurrent])).toEqual([
      ['b', true],
      ['a', false],
    ])
    expect(envelope.signatures.map(({ keyid }) => keyid)).toEqual([keys[0].keyid])
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString())
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: `org-${ann.orgId}/a2`, digest: { sha256: digest.slice(7) } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { plugin: { id, version: '1.0.0' }, buildArgumentNames: ['TOKEN_FILE'] },
          resolvedDependencies: [
            { name: 'archive', digest: { sha256: (await plugin(id)).archiveSha256 } },
            { name: 'base', uri: 'docker://debian:12' },
          ],
        },
        runDetails: { metadata: { invocationId: jobId } },
      },
    })
    expect(JSON.stringify(statement)).not.toContain('a value')

    const file = put('p.json', JSON.stringify(envelope))
    const pem = put('b.pem', keys[0].publicKeyPem)
    const verify = (...args: string[]) => spawnSync('python3', [VERIFIER, ...args], { encoding: 'utf8' })
    expect(verify(file, pem, digest)).toMatchObject({ status: 0, stdout: expect.stringContaining('"verified": true') })
    expect(verify(file, pem, `sha256:${'0'.repeat(64)}`).status).toBe(1)
    expect(verify(file, put('a.pem', keys[1].publicKeyPem)).status).toBe(1)
    const payload = Buffer.from(envelope.payload, 'base64')
    payload[40] = (payload[40] ?? 0) ^ 1
    expect(
      verify(put('q.json', JSON.stringify({ ...envelope, payload: payload.toString('base64') })), pem).status,
    ).toBe(1)
    expect(verify(put('r.json', JSON.stringify({ ...envelope, payloadType: 'text/plain' })), pem).status).toBe(1)
    // With openssl alone, over the bytes that DSSE signs.
    const type = 'application/vnd.in-toto+json'
    const body = Buffer.from(envelope.payload, 'base64')
    const signed = put('signed', Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${body.length} `), body]))
    const sig = put('sig', Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))
    const said = execFileSync('openssl', [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      pem,
      '-rawin',
      '-in',
      signed,
      '-sigfile',
      sig,
    ])
    expect(said.toString()).toContain('Signature Verified Successfully')
    expect((await plugin(id)).builtImage.signed).toBe(true)

    // It is also stored with the image, where registries look for it.
    const tag = registry.manifests.get(`org-${ann.orgId}/a2:${digest.replace(':', '-')}`)
    const index = JSON.parse(String(tag)) as { manifests: { digest: string; artifactType: string }[] }
    expect(index.manifests.map(({ artifactType }) => artifactType)).toEqual([
      'application/vnd.in-toto+json',
      'application/vnd.cyclonedx+json',
    ])
    const artifact = JSON.parse(String(registry.manifests.get(`org-${ann.orgId}/a2@${index.manifests[0]?.digest}`)))
    expect(artifact.subject.digest).toBe(digest)
    expect(JSON.parse(String(registry.blobs.get(artifact.layers[0].digest)))).toEqual(envelope)
  })

  it('is provenance that names what the builder fetched for each base', async () => {
    const id = await queued()
    const bases = ['debian:12', `tools:1@sha256:${'e'.repeat(64)}`].map((name) => ({
      ...{ name, digest: `sha256:${'e'.repeat(64)}` },
    }))
    await built({ files: FILES }, async ({ id, fence }) => {
      const headers = { 'x-build-fence': String(fence) }
      await app.call('POST', `/builder/jobs/${id}/heartbeat`, { as: builder, headers, body: { bases } })
    })
    const { payload } = (await get(`/plugins/${id}/provenance`)).body as { payload: string }
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString())
    expect(predicate.buildDefinition.resolvedDependencies.slice(1)).toEqual([
      {
        ...{ name: 'base', uri: 'docker://debian:12', digest: { sha256: 'e'.repeat(64) } },
        annotations: { resolvedBy: 'builder' },
      },
      { name: 'base', uri: `docker://${bases[1]?.name}`, digest: { sha256: 'e'.repeat(64) } },
    ])
  })

  it('is not kept where a document was changed in the store', async () => {
    const id = await queued()
    await built()
    const { blobs } = app.runtime
    if (blobs === undefined) throw new Error('no store of blobs')
    const at = await stored(id, 'sbom')
    await blobs.delete(at)
    expect((await get(`/plugins/${id}/sbom`)).status).toBe(404)
    const { Readable } = await import('node:stream')
    await blobs.put(at, Readable.from([Buffer.from('{}')]), 2)
    expect((await get(`/plugins/${id}/sbom`)).code).toBe('UPSTREAM_ERROR')
  })

  it('is uploaded to the registry alone', async () => {
    const location = 'http://169.254.169.254/v2/a/blobs/uploads/1'
    const asked: string[] = []
    const elsewhere = async (url: unknown) => {
      asked.push(String(url))
      return new Response(null, { status: asked.length === 1 ? 202 : 201, headers: { location } })
    }
    const client = registryClient(app.runtime, elsewhere as typeof fetch)
    await expect(client.putBlob('system/a', Buffer.from('{}'))).rejects.toThrow('redirects an upload')
    expect(asked).toHaveLength(1)
  })

  it('is refused where a secret of its build lies in it', async () => {
    const headers = await stepUp(app, ann)
    const body = { value: 'hunter2-hunter2', plugins: ['*'] }
    await app.call('PUT', `/organization/${ann.orgId}/secrets/NPM_TOKEN`, { as: ann, body, headers })
    const spec = 'secrets: [{ name: NPM_TOKEN, required: true }]\n'
    const base64 = Buffer.from('ab//r/:_authToken=hunter2-hunter2').toString('base64')
    const hiding: ImageParts[] = [
      {
        files: [
          ...FILES,
          [
            { name: 'root/.npmrc', content: '//r/:_authToken=hunter2-hunter2' },
            { name: 'x', content: '' },
          ],
        ],
      },
      { files: [[{ name: 'a', content: base64 }]] },
      { config: { Env: ['NPM_TOKEN=hunter2-hunter2'] } },
    ]
    for (const image of hiding) {
      const id = await queued(spec)
      const { jobId } = await built(image)
      const ended = await build(jobId)
      expect(ended).toMatchObject({ state: 'dead', exhausted: true, category: 'auth-secrets' })
      expect(ended.error).toMatch(/contains the value of the secret NPM_TOKEN in .*--mount=type=secret,id=NPM_TOKEN/)
      expect(JSON.stringify(ended)).not.toContain('hunter2')
      expect(await plugin(id)).toMatchObject({ buildStatus: 'failed', imageDigest: null })
    }
    expect([...registry.manifests.keys()].filter((each) => each.startsWith('staging/'))).toEqual([])
    await queued(spec)
    expect((await build((await built()).jobId)).state).toBe('completed')
  })

  it('is refused for what its build received, whatever became of the secret and the plugin meanwhile', async () => {
    const path = `/organization/${ann.orgId}/secrets/LATER`
    const set = { value: 'was-here-once', plugins: ['*'] }
    await app.call('PUT', path, { as: ann, body: set, headers: await stepUp(app, ann) })
    const id = await queued('secrets: [{ name: LATER, required: true }]\n')
    const { jobId } = await built({ files: [[{ name: 'a', content: 'was-here-once' }]] }, async (job) => {
      const taken = await app.call('GET', `/builder/jobs/${job.id}/secrets`, {
        as: builder,
        headers: { 'x-build-fence': String(job.fence) },
      })
      expect(taken.data.secrets).toEqual([{ name: 'LATER', value: 'was-here-once' }])
      expect((await app.call('PUT', `/plugins/${id}`, { as: ann, body: { secrets: [] } })).status).toBe(200)
      const gone = await app.call('DELETE', path, { as: ann, headers: await stepUp(app, ann) })
      expect(gone.status).toBeLessThan(300)
      // It is stored sealed.
      expect(JSON.stringify(await jobRow(job.id))).not.toContain('was-here-once')
    })
    expect(await build(jobId)).toMatchObject({ state: 'dead', exhausted: true, category: 'auth-secrets' })
    expect(await jobRow(jobId)).toMatchObject({ secretsGiven: null })
  })

  it('is refused where its layers are not what they are said to be', async () => {
    const lying: [ImageParts, string][] = [
      [{ tars: [Buffer.from('not a tar file'.padEnd(600, '.'))] }, 'not a tar file'],
      [{ files: [[{ name: '../.wh.etc', content: '' }]] }, 'leads out of it'],
    ]
    for (const [image, why] of lying) {
      await queued()
      const ended = await build((await built(image)).jobId)
      expect(ended).toMatchObject({
        state: 'dead',
        exhausted: true,
        category: 'validation',
        error: expect.stringContaining(why),
      })
    }
  })

  it('is what a scanner reports, by its scope, for the image that is there', async () => {
    const headers = await stepUp(app, ann)
    const create = { name: 'scanner', scopes: ['images:scan'] }
    const made = await app.call('POST', `/organization/${ann.orgId}/service-principals`, {
      as: ann,
      body: create,
      headers,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { servicePrincipal, clientId = servicePrincipal?.clientId, clientSecret } = made.data
    const scanner = await tokenOf({ clientId, clientSecret })
    const id = await queued()
    const send = (imageDigest: string, report: object, as: string | SignedIn = scanner) =>
      app.call('PUT', `/plugins/${id}/scan`, { as: as as string, body: { imageDigest, report } })
    const report = { scanner: 'acme 1', findings: [{ id: 'CVE-1', severity: 'HIGH' }, { id: 'CVE-2' }] }
    const none = `sha256:${'0'.repeat(64)}`
    expect((await send(none, report)).code).toBe('CONFLICT')
    const { digest } = await built()
    expect((await send(none, report)).code).toBe('CONFLICT')
    expect((await send(digest, report, ann)).code).toBe('INSUFFICIENT_PERMISSIONS')
    expect((await send(digest, { scanner: 'x' })).code).toBe('VALIDATION_ERROR')
    const before = (await plugin(id)).revision
    expect((await send(digest, report)).data.vulnerabilities).toMatchObject({
      critical: 0,
      high: 1,
      unknown: 1,
      scanner: 'acme 1',
    })
    expect(await plugin(id)).toMatchObject({ revision: before + 1, builtImage: { vulnerabilities: { high: 1 } } })
    expect((await evidence(app)).at(-1)).toMatchObject({ action: 'plugin.update', targetId: id })
    expect((await rows(id)).builtImage.sbomPackages).toEqual(['@acme/tool', 'libssl3'])
  })

  it.skipIf(!hasSandbox)('is what programs of the operator say, which see nothing of the server', async () => {
    // The sandbox has neither the folder of temporary files nor the server's data.
    const tools = mkdtempSync('/var/tmp/plumbline-tools-')
    const script = (name: string, ...lines: string[]) => {
      writeFileSync(join(tools, name), ['#!/bin/sh', 'set -e', ...lines, ''].join('\n'), { mode: 0o755 })
      return join(tools, name)
    }
    const data = mkdtempSync('/var/tmp/plumbline-data-')
    writeFileSync(join(data, 'keys.json'), 'secret')
    const isShut = `test ! -e ${data}/keys.json && test -z "$LEAK" && ! touch ${tools}/mark 2>/dev/null`
    const scan = script(
      'scan',
      isShut,
      'test -f "$2/oci-layout" && test -f "$2/index.json" && test "$(ls "$2"/blobs/sha256 | wc -l)" = 4',
      `echo '{"scanner":"acme","findings":[{"severity":"critical"}]}'`,
    )
    const bom = script(
      'bom',
      isShut,
      `echo '{"bomFormat":"CycloneDX","specVersion":"1.5","components":[{"name":"theirs"}]}'`,
    )
    const use = (
      PLUGIN_SCAN_COMMAND: string,
      PLUGIN_SBOM_COMMAND: string | null = null,
      PLUGIN_SCAN_TIMEOUT_SECONDS = 60,
    ) => {
      const settings = { PLUGIN_SCAN_COMMAND, PLUGIN_SBOM_COMMAND, PLUGIN_SCAN_TIMEOUT_SECONDS, DATA_DIR: data }
      Object.assign(app.runtime, { settings: { ...app.runtime.settings, ...settings } })
    }
    process.env['LEAK'] = 'a secret of the server'
    const before = app.runtime.settings
    try {
      use(`${scan} --quiet`, `${bom} json`)
      const id = await queued()
      await built()
      const { builtImage } = await rows(id)
      expect(builtImage).toMatchObject({ vulnerabilities: { critical: 1, scanner: 'acme' }, sbomPackages: ['theirs'] })
      expect((await get(`/plugins/${id}/sbom`)).body).toMatchObject({
        specVersion: '1.5',
        components: [{ name: 'theirs' }],
      })
      // A program that fails, takes too long or prints something else adds no fact, and the server's own bill of
      // materials is used.
      const bad = [
        script('fails', `echo '{"scanner":"x","findings":[]}'`, 'exit 3'),
        script('late', 'sleep 30'),
        script('prints', 'echo clean'),
        script('floods', `echo '{"scanner":"x","findings":[]}'`, `head -c 40000000 /dev/zero | tr '\\0' ' '`),
        join(tools, 'is-not-there'),
      ]
      for (const command of bad) {
        use(command, command, 1)
        const other = await queued()
        await built()
        const facts = (await rows(other)).builtImage
        expect(facts).not.toHaveProperty('vulnerabilities')
        expect(facts.sbomPackages).toEqual(['@acme/tool', 'libssl3'])
      }
    } finally {
      delete process.env['LEAK']
      Object.assign(app.runtime, { settings: before })
      for (const each of [tools, data]) rmSync(each, { recursive: true })
    }
  })
})
