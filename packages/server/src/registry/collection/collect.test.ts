/** The garbage collection of a real registry, while clients push and the server publishes. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJobs, stepUp } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp } from '../../../test/support/plugins.js'
import { freePort, type RealRegistry, registryMissing, startRegistry } from '../../../test/support/registry.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { pluginNames } from '../../plugin/entities.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import type { Store } from '../../runtime/store/db.js'
import { type RegistryClient, registryClient } from '../client.js'
import { copyWhole } from '../image/copy-tree.js'
import { bundleOf } from '../keys.js'
import { newTokenKey } from '../new-key.js'
import { readAllJob, readRepositoryJob } from '../reading/job.js'
import { getToken } from '../token/get.js'
import { type CollectionSteps, collectRegistry } from './collect.js'
import { collectionCommand } from './command.js'
import { endHold, isPushHeld, takeHold } from './hold.js'

const sha = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const OCI = 'application/vnd.oci.image.'
const missing = registryMissing()

describe.skipIf(missing !== null)(`the collection of a registry${missing === null ? '' : ` (${missing})`}`, () => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let real: RealRegistry
  let registry: RegistryClient
  let basic = ''
  beforeAll(async () => {
    store = await sqliteStore()
    const port = await freePort()
    app = await pluginApp(store, {
      operations: [getToken, ...TENANT_OPERATIONS],
      settings: { REGISTRY_URL: `http://127.0.0.1:${port}`, REGISTRY_TOKEN_KEYS: newTokenKey() },
    })
    app.ports.set(pluginNamesPort, pluginNames)
    // The clock of the test is fixed; the registry's is not.
    app.clock.advance(Date.now() - app.clock.now())
    ann = await signUp(app, 'ann')
    const headers = await stepUp(app, ann)
    const made = await app.call('POST', '/auth/pats', { as: ann, body: { name: 'push' }, headers })
    basic = `Basic ${Buffer.from(`ann:${made.data.token}`).toString('base64')}`
    real = await startRegistry(bundleOf(app.runtime.settings.REGISTRY_TOKEN_KEYS ?? []), 'http://127.0.0.1:1/', port)
    registry = registryClient(app.runtime)
  })
  afterAll(async () => {
    await real.stop()
    expect(app.errors).toEqual([])
    await app.identity.settle()
    await store.close()
  })

  const own = (name: string) => `org-${ann.orgId}/${name}`
  const readAll = () => runJobs(app, [readAllJob, readRepositoryJob], [readAllJob.kind])

  /** The token that the service grants now. */
  async function granted(repository: string): Promise<string> {
    const query = new URLSearchParams({ service: 'plumbline-registry', scope: `repository:${repository}:pull,push` })
    const answer = await app.http.request(`/api/registry/token?${query}`, { headers: { authorization: basic } })
    return ((await answer.json()) as { token: string }).token
  }

  /** Pushes an image as a client does. @returns its digest; null if the push was refused. */
  async function push(repository: string, seed: string): Promise<string | null> {
    try {
      const authorization = `Bearer ${await granted(repository)}`
      const at = `${real.url}/v2/${repository}`
      const parts = ['config', 'layer'].map((kind) => Buffer.from(JSON.stringify({ kind, seed })))
      for (const bytes of parts) {
        const begun = await fetch(`${at}/blobs/uploads/`, { method: 'POST', headers: { authorization } })
        const to = new URL(begun.headers.get('location') ?? '', real.url)
        to.searchParams.set('digest', sha(bytes))
        const headers = { authorization, 'content-type': 'application/octet-stream' }
        if ((await fetch(to, { method: 'PUT', headers, body: new Uint8Array(bytes) })).status !== 201) return null
      }
      const [config, layer] = parts.map((bytes) => ({ digest: sha(bytes), size: bytes.length }))
      const manifest = Buffer.from(
        JSON.stringify({
          ...{ schemaVersion: 2, mediaType: `${OCI}manifest.v1+json` },
          config: { mediaType: `${OCI}config.v1+json`, ...config },
          layers: [{ mediaType: `${OCI}layer.v1.tar`, ...layer }],
        }),
      )
      const headers = { authorization, 'content-type': `${OCI}manifest.v1+json` }
      const put = await fetch(`${at}/manifests/${seed}`, { method: 'PUT', headers, body: new Uint8Array(manifest) })
      return put.status === 201 ? sha(manifest) : null
    } catch {
      // The registry is restarting.
      return null
    }
  }
  /** Whether a pull of the image would succeed. */
  async function isWhole(repository: string, digest: string): Promise<boolean> {
    const document = await registry.manifest(repository, digest)
    if (document === null) return false
    const { config, layers } = JSON.parse(document.bytes.toString()) as Record<string, { digest: string }[]>
    for (const { digest: blob } of [config, ...(layers ?? [])].flat() as { digest: string }[]) {
      if ((await registry.blobBytes(repository, blob)) === null) return false
    }
    return true
  }

  const steps = (...flags: string[]): CollectionSteps => ({
    setReadOnly: (isReadOnly) => real.restart(isReadOnly),
    async collect() {
      const args = ['garbage-collect', ...flags, join(real.folder, 'registry.yml')]
      const { PATH = '' } = process.env
      expect(spawnSync('docker-registry', args, { env: { PATH } }).status).toBe(0)
    },
    wait: async (ms) => sleep(Math.min(ms, 20)),
    tell: () => undefined,
  })

  it('loses nothing that ten people push and the server publishes ten times meanwhile, and frees what nothing names', async () => {
    const base = (await push(own('base'), 'base')) ?? ''
    const waste = await registry.putBlob(own('base'), Buffer.from('nothing names this'))
    await readAll()
    const pushed: [string, string][] = []
    let isOver = false
    const people = Array.from({ length: 10 }, async (_, person) => {
      for (let n = 0; !isOver || n === 0; n++) {
        const digest = await push(own(`p${person}`), `v${n}`)
        if (digest !== null) pushed.push([own(`p${person}`), digest])
      }
    })
    const builds = Array.from({ length: 10 }, async (_, build) => {
      for (let n = 0; !isOver || n === 0; n++) {
        const target = own(`b${build}`)
        const copied = copyWhole(registry, { source: own('base'), target }, base, `v${n}`)
        if (await copied.then(() => true).catch(() => false)) pushed.push([target, base])
        await sleep(5)
      }
    })
    const collected = await collectRegistry(app.runtime, steps())
    isOver = true
    await Promise.all([...people, ...builds])
    expect(collected.lost).toEqual([])
    expect(pushed.length).toBeGreaterThan(10)
    for (const [repository, digest] of pushed) {
      expect([repository, await isWhole(repository, digest)]).toEqual([repository, true])
    }
    expect(await registry.blobBytes(own('base'), waste)).toBeNull()
    // Afterwards pushes work again.
    expect(await push(own('base'), 'later')).not.toBeNull()
  })

  it('says what a collection lost that takes what indexes name', async () => {
    const child = (await push(own('both'), 'amd64')) ?? ''
    const media = `${OCI}manifest.v1+json`
    const index = {
      schemaVersion: 2,
      mediaType: `${OCI}index.v1+json`,
      manifests: [{ mediaType: media, digest: child, size: 1 }],
    }
    await registry.putManifest(own('both'), 'all', {
      ...{ bytes: Buffer.from(JSON.stringify(index)), media: `${OCI}index.v1+json` },
    })
    // Its tag moves to another image, so only the index refers to it now.
    await push(own('both'), 'other')
    const other = await registry.manifest(own('both'), 'other')
    if (other !== null) await registry.putManifest(own('both'), 'amd64', other)
    await readAll()
    expect((await collectRegistry(app.runtime, steps())).lost).toEqual([])
    const { lost } = await collectRegistry(app.runtime, steps('--delete-untagged'))
    expect(lost).toContain(`${own('both')}@${child}`)
  })

  it('does not run a program that takes what indexes name', () => {
    const { settings } = app.runtime
    expect(collectionCommand(settings, '/srv/registry.yml')).toBe(`docker-registry garbage-collect '/srv/registry.yml'`)
    for (const flag of ['--delete-untagged', '-m']) {
      const REGISTRY_GC_COMMAND = `registry garbage-collect ${flag} /srv/registry.yml`
      expect(() => collectionCommand({ ...settings, REGISTRY_GC_COMMAND }, '')).toThrow(
        'images that only indexes refer to',
      )
    }
  })

  it('withholds push while it goes on, is alone, and does not run where pushes are still taken', async () => {
    const isHeld = () => store.system.read((db) => isPushHeld(db, app.clock.now()))
    const actions = async () => {
      const [, claims = ''] = (await granted(own('base'))).split('.')
      const { access } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { access: { actions: string[] }[] }
      return access.flatMap((each) => each.actions)
    }
    expect(await actions()).toEqual(['pull', 'push'])
    await takeHold(app.runtime, 'one')
    expect([await isHeld(), await actions()]).toEqual([true, ['pull']])
    await expect(collectRegistry(app.runtime, steps())).rejects.toThrow('wait for its end')
    await endHold(app.runtime, 'other')
    expect(await isHeld()).toBe(true)
    // The hold of a killed process lapses.
    app.clock.advance(6 * 60_000)
    expect(await isHeld()).toBe(false)
    app.clock.advance(-6 * 60_000)
    await endHold(app.runtime, 'one')
    let ran = false
    const careless: CollectionSteps = {
      ...steps(),
      setReadOnly: async () => undefined,
      collect: async () => {
        ran = true
      },
      wait: async () => undefined,
    }
    await expect(collectRegistry(app.runtime, careless)).rejects.toThrow('is writable, not read-only')
    expect([ran, await isHeld(), await actions()]).toEqual([false, false, ['pull', 'push']])
  })
})
