/**
 * Images: lists from the rows, the registry's current state, copies, deletions and collection; each with what it must
 * not affect.
 */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry, type Lie } from '../../../test/support/fake-registry.js'
import { enrol, runJobs, superAdmin } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { pluginNames } from '../../plugin/entities.js'
import { pluginTables } from '../../plugin/tables.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import type { Store } from '../../runtime/store/db.js'
import { newTokenKey } from '../new-key.js'
import { registryOperations } from '../operations.js'
import { readAllJob, readRepositoryJob } from '../reading/job.js'
import { syncRepository } from '../reading/sync.js'
import { registryRegistration } from '../registration.js'
import { registryTables } from '../tables.js'
import { dropRepositoryJob } from './drop.js'

const SECRETS = 'a-secret-of-sixteen-characters,another-secret-of-sixteen'
const INDEX = 'application/vnd.oci.image.index.v1+json'
const enc = encodeURIComponent

await describeStores('images of the registry', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: PluginApp
  let bare: PluginApp
  let registry: FakeRegistry
  let ann: SignedIn
  let amy: SignedIn
  let ben: SignedIn
  let root: SignedIn
  const logged: [string, Record<string, unknown>][] = []
  beforeAll(async () => {
    store = await open()
    registry = await fakeRegistry()
    const setup = { operations: [...registryOperations, ...TENANT_OPERATIONS], domains: [registryRegistration] }
    app = await pluginApp(store, {
      ...setup,
      settings: { REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0), REGISTRY_EVENTS_SECRET: SECRETS },
    })
    bare = await pluginApp(store, setup)
    app.ports.set(pluginNamesPort, pluginNames)
    Object.assign(app.runtime, {
      log: { write: (event: string, fields: Record<string, unknown>) => void logged.push([event, fields]) },
    })
    ann = await signUp(app, 'ann')
    amy = { ...(await enrol(app, await signUp(app, 'amy'), ann.orgId, ['Member'])), orgId: ann.orgId }
    ben = await signUp(app, 'ben')
    root = await superAdmin(app, 'root')
  })
  afterAll(async () => {
    expect([...app.errors, ...bare.errors].map(String)).toEqual([])
    await registry.close()
    await store.close()
  })

  const own = (name: string, as = ann) => `org-${as.orgId}/${name}`
  const get = (path: string, as: SignedIn = ann) => app.call('GET', path, { as, headers: { 'x-org-id': as.orgId } })
  const readAll = () => runJobs(app, [readAllJob, readRepositoryJob], [readAllJob.kind])
  const settle = () => runJobs(app, [readRepositoryJob])
  const copy = (body: object, as = root) => app.call('POST', '/images/copy', { as, body })
  const remove = (name: string, reference: string, query = '', as = root) =>
    app.call('DELETE', `/images/${enc(name)}/manifests/${reference}${query}`, { as })
  const gc = (body: object) => app.call('POST', '/admin/gc', { as: root, body })
  const names = (answer: { data: { repositories: { repository: string }[] } }) =>
    answer.data.repositories.map(({ repository }) => repository)
  const events = (list: unknown, secret: string | null = SECRETS.split(',')[0] ?? '') =>
    app.http.request('/api/registry/events', {
      method: 'POST',
      headers: {
        'content-type': 'application/vnd.docker.distribution.events.v1+json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: typeof list === 'string' ? list : JSON.stringify({ events: list }),
    })
  /** The rows, without times. */
  const rows = () =>
    store.system.read(async (db) => {
      const t = registryTables(db)
      const sorted = (list: object[]) => list.map((row) => JSON.stringify(row)).sort()
      const { repository, tag, digest, bytes } = t.registryTags
      const { name, images, tags, bytes: total } = t.registryRepositories
      const image = t.registryImages
      const blob = t.registryBlobs
      return [
        sorted(await db.select({ repository, tag, digest, bytes }).from(t.registryTags)),
        sorted(await db.select({ name, images, tags, bytes: total }).from(t.registryRepositories)),
        sorted(await db.select({ r: image.repository, d: image.digest, b: image.bytes }).from(image)),
        sorted(await db.select({ r: blob.repository, i: blob.image, d: blob.digest, b: blob.bytes }).from(blob)),
      ]
    })
  const clear = () =>
    store.system.write(async (tx) => {
      const t = registryTables(tx)
      for (const table of [t.registryTags, t.registryBlobs, t.registryImages, t.registryRepositories]) {
        await tx.delete(table)
      }
    })
  const fresh = async () => {
    registry.manifests.clear()
    registry.lie = 'none'
    await clear()
  }

  it('lists what is seen: own repositories and those of the system; every one for system administrators', async () => {
    await fresh()
    const digest = registry.stage(own('tools'), { tag: '1.0' })
    registry.stage(own('tools'), { tag: 'next', seed: 'n' })
    registry.stage(own('other', ben), { tag: '1' })
    registry.stage('system/base', { tag: '12' })
    registry.stage('staging/0190f000-0000-7000-8000-000000000000', {})
    registry.stage('elsewhere', { tag: 'x' })
    await readAll()
    expect(names(await get('/images'))).toEqual([own('tools'), 'system/base'])
    expect(names(await get('/images', amy))).toEqual([own('tools'), 'system/base'])
    expect(names(await get('/images', ben))).toEqual([own('other', ben), 'system/base'])
    expect(names(await get('/images?limit=100', root)).length).toBe(3)
    expect(names(await get(`/images?last=${enc(own('tools'))}`))).toEqual(['system/base'])
    const tags = await get(`/images/${enc(own('tools'))}/tags`)
    expect(tags.data.tags.map(({ tag }: { tag: string }) => tag)).toEqual(['1.0', 'next'])
    expect(tags.data.tags[0]).toMatchObject({ digest, bytes: expect.any(Number) })
    for (const path of ['tags', 'manifests/1.0', `blobs/${digest}`]) {
      expect([path, (await get(`/images/${enc(own('tools'))}/${path}`, ben)).status]).toEqual([path, 404])
    }
    expect((await get(`/images/${enc(own('none'))}/tags`)).status).toBe(404)
  })

  it('shows manifests and configurations as the registry has them now', async () => {
    await fresh()
    const digest = registry.stage(own('tools'), { tag: '1.0', user: '0' })
    const path = `/images/${enc(own('tools'))}`
    const { data } = await get(`${path}/manifests/1.0`)
    expect(data).toMatchObject({ name: own('tools'), digest, mediaType: expect.stringContaining('manifest') })
    const { config, layers } = data.manifest as { config: { digest: string }; layers: { digest: string }[] }
    expect((await get(`${path}/blobs/${config.digest}`)).data.content.config).toEqual({ User: '0' })
    expect((await get(`${path}/blobs/${layers[0]?.digest}`)).status).toBe(415)
    expect((await get(`${path}/manifests/none`)).status).toBe(404)
    expect((await get(`${path}/manifests/..%2F`)).status).toBe(400)
    expect((await get(`${path}/blobs/sha256:1`)).status).toBe(400)
    for (const name of [
      'Org',
      'org-1/x',
      'staging/x',
      'system/',
      `${own('x')}/../y`,
      '%00',
      `system/${'a'.repeat(300)}`,
    ]) {
      expect([name, (await get(`/images/${enc(name)}/manifests/x`)).status]).toEqual([name, 400])
    }
    for (const lie of ['away', 'redirects', 'huge', 'other-manifest'] as const) {
      registry.lie = lie
      const answer = await get(`${path}/manifests/${digest}`)
      expect([lie, answer.status, answer.code]).toEqual([lie, 502, 'UPSTREAM_ERROR'])
    }
    registry.lie = 'none'
  })

  it('says 503 everywhere where there is no registry', async () => {
    const name = enc('system/x')
    const calls: [string, string, object?][] = [
      ['GET', '/images'],
      ['GET', `/images/${name}/tags`],
      ['GET', `/images/${name}/manifests/x`],
      ['GET', `/images/${name}/blobs/sha256:${'0'.repeat(64)}`],
      ['DELETE', `/images/${name}`],
      ['DELETE', `/images/${name}/manifests/x`],
      ['POST', '/images/copy', { source: 'system/a:1', target: 'system/b:1' }],
      ['GET', '/admin/storage/system'],
      ['POST', '/admin/gc', { prefix: 'system' }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await bare.call(method, path, { as: root, ...(body === undefined ? {} : { body }) })
      expect([path, answer.status, answer.code]).toEqual([path, 503, 'REGISTRY_NOT_CONFIGURED'])
    }
    expect((await bare.http.request('/api/registry/events', { method: 'POST', body: '{}' })).status).toBe(503)
    for (const [method, path, body] of calls.slice(4).filter(([, path]) => !path.includes('/storage/'))) {
      const answer = await app.call(method, path, { as: ann, ...(body === undefined ? {} : { body }) })
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  describe('copies', () => {
    it('an index with all it names, to the system too; once more changes nothing; with its evidence', async () => {
      await fresh()
      const [a, b] = [registry.stage(own('tools'), { seed: 'a' }), registry.stage(own('tools'), { seed: 'b' })]
      const size = (digest: string) => registry.manifests.get(`${own('tools')}@${digest}`)?.length ?? 0
      const children = [a, b].map((digest) => ({ mediaType: 'm', digest, size: size(digest) }))
      const index = registry.put(own('tools'), { schemaVersion: 2, mediaType: INDEX, manifests: children }, 'all')
      logged.length = 0
      const body = { source: `${own('tools')}:all`, target: 'system/tools:1' }
      const answer = await copy(body)
      expect([answer.status, answer.data]).toEqual([
        200,
        { sourceDigest: index, targetDigest: index, mounted: { manifests: 3, blobs: 6 }, isPromotionToSystem: true },
      ])
      expect((await copy(body)).status).toBe(200)
      for (const digest of [index, a, b]) expect(registry.manifests.has(`system/tools@${digest}`)).toBe(true)
      expect(logged[0]).toEqual([
        'registry.tag.copy',
        expect.objectContaining({ eventCategory: 'audit', actor: root.userId, ...body, targetDigest: index }),
      ])
      const written = (await evidence(app)).filter(({ action }) => action === 'registry.image.copy')
      expect(written.map(({ targetId, actorId }) => [targetId, actorId])).toEqual([
        [body.target, root.userId],
        [body.target, root.userId],
      ])
      await settle()
      expect(names(await get('/images', ben))).toEqual(['system/tools'])
    })

    it('never over a tag, out of an organization, into a plugin, or what is not whole', async () => {
      await fresh()
      await uploaded(app, ann, { name: 'linter' })
      const there = registry.stage(own('a'), { tag: '1' })
      const other = registry.stage(own('b'), { tag: '1', seed: 'b' })
      const code = async (body: object, as = root) => (await copy(body, as)).status
      const onto = { source: `${own('a')}:1`, target: `${own('b')}:1` }
      expect(await code(onto)).toBe(409)
      expect(await code({ ...onto, overwrite: true })).toBe(200)
      expect(registry.manifests.has(`${own('b')}@${other}`)).toBe(true)
      const across = { source: `${own('a')}@${there}`, target: `${own('x', ben)}:1` }
      expect(await code(across)).toBe(403)
      expect(await code({ ...across, allowCrossTenant: true })).toBe(200)
      expect(await code({ ...onto, target: `${own('linter')}:1` })).toBe(409)
      expect(await code({ ...onto, target: `${own('public/linter')}:1` })).toBe(409)
      expect(await code({ ...onto, source: `${own('a')}:none` })).toBe(404)
      registry.lie = 'lost-blob'
      expect(await code({ ...onto, target: `${own('c')}:1` })).toBe(409)
      registry.lie = 'away'
      expect(await code(onto)).toBe(502)
      registry.lie = 'none'
      registry.put(
        own('a'),
        { schemaVersion: 2, mediaType: INDEX, manifests: [{ digest: `sha256:${'1'.repeat(64)}`, size: 1 }] },
        'half',
      )
      expect(await code({ source: `${own('a')}:half`, target: `${own('d')}:1` })).toBe(409)
      expect(registry.manifests.has(`${own('d')}:1`)).toBe(false)
      for (const wrong of ['x', `${own('a')}`, `${own('a')}:`, 'Nope:1', `${own('a')}:a b`, `system/x@sha256:1`]) {
        expect([wrong, await code({ ...onto, source: wrong })]).toEqual([wrong, 400])
        expect([wrong, await code({ ...onto, target: wrong })]).toEqual([wrong, 400])
      }
      expect(await code({ ...onto, target: `${own('d')}@${there}` })).toBe(400)
    })
  })

  describe('bad input', () => {
    const none = `sha256:${'1'.repeat(64)}`
    const field = (path: string) => expect.arrayContaining([expect.objectContaining({ path })])
    type Row = [
      what: string,
      send: () => ReturnType<typeof copy>,
      status: number,
      code: string,
      says: RegExp,
      path?: string,
    ]
    const onto = (more: object) => copy({ source: `${own('a')}:1`, target: `${own('new')}:1`, ...more })

    beforeAll(async () => {
      await fresh()
      await uploaded(app, ann, { name: 'table' })
      registry.stage(own('a'), { tag: '1' })
      registry.stage(own('b'), { tag: '1', seed: 'b' })
      const digest = registry.stage(own('c'), { tag: '1', seed: 'c' })
      registry.stage(own('c'), { tag: '2', seed: 'c' })
      const other = registry.stage(own('e'), { tag: '1', seed: 'e' })
      for (const child of [none, other]) {
        const list = { schemaVersion: 2, mediaType: INDEX, manifests: [{ digest: child, size: 1 }] }
        registry.put(own(child === none ? 'a' : 'e'), list, 'index')
      }
      expect(digest).not.toBe(other)
    })
    /** As after the 30 s that the server waits for an answer. */
    const slow = async () => {
      const { timeout } = AbortSignal
      const hurried = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 30_000 ? 50 : ms))
      try {
        return await at('silent', () => onto({}))()
      } finally {
        hurried.mockRestore()
      }
    }
    const at = (lie: Lie, send: () => ReturnType<typeof copy>) => async () => {
      registry.lie = lie
      try {
        return await send()
      } finally {
        registry.lie = 'none'
      }
    }

    it('is answered with its code and what to do', async () => {
      const rows: Row[] = [
        [
          'a copy of a tag that is not there',
          () => onto({ source: `${own('a')}:9` }),
          404,
          'NOT_FOUND',
          /not (?:exist|there|found)/i,
        ],
        [
          'a copy of a repository that is not there',
          () => onto({ source: `${own('none')}:1` }),
          404,
          'NOT_FOUND',
          /not (?:exist|there|found)/i,
        ],
        [
          'a copy onto a tag',
          () => onto({ target: `${own('b')}:1` }),
          409,
          'CONFLICT',
          /send `overwrite: true` to move it/,
        ],
        [
          'a copy of what is not whole',
          () => onto({ source: `${own('a')}:index` }),
          409,
          'CONFLICT',
          /the source is incomplete: sha256:1+ is missing/,
        ],
        [
          'a copy across organizations',
          () => onto({ target: `${own('x', ben)}:1` }),
          403,
          'INSUFFICIENT_PERMISSIONS',
          /allowCrossTenant/,
        ],
        [
          'a copy into an organization that is not there',
          () => onto({ target: 'org-0190f000-0000-7000-8000-00000000dead/x:1', allowCrossTenant: true }),
          404,
          'NOT_FOUND',
          /Organization of the target not found/,
        ],
        ['a copy into a plugin', () => onto({ target: `${own('table')}:1` }), 409, 'CONFLICT', /plugin/],
        [
          'a copy by a name that is none',
          () => onto({ source: 'Nope:1' }),
          400,
          'VALIDATION_ERROR',
          /org-<id>\/<name>/,
          '/body/source',
        ],
        [
          'a copy to a tag that is none',
          () => onto({ target: `${own('a')}:a b` }),
          400,
          'VALIDATION_ERROR',
          /neither a tag nor a digest/,
          '/body/target',
        ],
        [
          'a copy without a tag',
          () => onto({ source: own('a') }),
          400,
          'VALIDATION_ERROR',
          /has no tag/,
          '/body/source',
        ],
        [
          'a copy to a digest',
          () => onto({ target: `${own('a')}@${none}` }),
          400,
          'VALIDATION_ERROR',
          /tag/,
          '/body/target',
        ],
        ['a registry that is down', at('away', () => onto({})), 502, 'UPSTREAM_ERROR', /registry/],
        ['a registry that is slow', slow, 502, 'UPSTREAM_ERROR', /the registry does not answer/],
        ['a registry that answers rubbish', at('rubbish', () => onto({})), 502, 'UPSTREAM_ERROR', /registry/],
        ['a registry that redirects', at('redirects', () => onto({})), 502, 'UPSTREAM_ERROR', /registry/],
        [
          'a registry that answers other bytes',
          at('other-manifest', () => onto({})),
          502,
          'UPSTREAM_ERROR',
          /registry/,
        ],
        ['a manifest without an end', at('huge', () => onto({})), 502, 'UPSTREAM_ERROR', /registry/],
        ['a deletion of what has other tags', () => remove(own('c'), '1'), 409, 'CONFLICT', /force/],
        [
          'a deletion of what is in an index',
          () => remove(own('e'), '1'),
          409,
          'CONFLICT',
          /an index refers to it \(sha256:\w+\): delete the index first/,
        ],
        [
          'a deletion of what is not there',
          () => remove(own('c'), '9'),
          404,
          'NOT_FOUND',
          /not (?:exist|there|found)/i,
        ],
        [
          'a deletion by a tag that is none',
          () => remove(own('c'), 'a%20b'),
          400,
          'VALIDATION_ERROR',
          /neither a tag nor a digest/,
          '/path/reference',
        ],
        [
          'a deletion by a digest that is none',
          () => remove(own('c'), 'sha256:12'),
          400,
          'VALIDATION_ERROR',
          /neither a tag nor a digest/,
          '/path/reference',
        ],
        [
          'a deletion by a name that is none',
          () => remove('Nope', '1'),
          400,
          'VALIDATION_ERROR',
          /org-<id>\/<name>/,
          '/path/name',
        ],
      ]
      for (const [what, send, status, code, says, path] of rows) {
        const answer = await send()
        expect([what, answer.status, answer.code]).toEqual([what, status, code])
        expect(JSON.stringify(answer.body), what).toMatch(says)
        if (path !== undefined) expect(answer.body.details.issues, what).toEqual(field(path))
      }
    })
  })

  describe('deletions', () => {
    it('name other tags, indexes and plugins first', async () => {
      await fresh()
      const digest = registry.stage(own('tools'), { tag: '1.0' })
      registry.stage(own('tools'), { tag: 'latest' })
      const both = await remove(own('tools'), '1.0')
      expect([both.status, both.body.details]).toMatchObject([409, { tags: ['latest'], digest }])
      const children = [{ digest, size: 1 }]
      const index = registry.put(own('tools'), { schemaVersion: 2, mediaType: INDEX, manifests: children }, 'all')
      expect((await remove(own('tools'), '1.0', '?force=true')).body.details.indexes).toEqual([index])
      expect((await remove(own('tools'), 'all')).status).toBe(200)
      logged.length = 0
      const gone = await remove(own('tools'), '1.0', '?force=true')
      expect(gone.data).toEqual({ name: own('tools'), digest, tags: ['1.0', 'latest'] })
      expect(logged.map(([event, { ref }]) => [event, ref])).toEqual([
        ['registry.tag.delete', '1.0'],
        ['registry.tag.delete', 'latest'],
      ])
      expect((await remove(own('tools'), '1.0')).status).toBe(404)
      await settle()
      expect(await rows()).toEqual([[], [], [], []])
    })

    it('count once, however many ask at the same time', async () => {
      const written = async () =>
        (await evidence(app)).filter(({ action }) => action === 'registry.image.delete').length
      const whole = () => app.call('DELETE', `/images/${enc(own('tools'))}`, { as: root })
      for (const lie of ['none', 'deletes-twice'] as const) {
        for (const ask of [() => remove(own('tools'), '1.0'), whole]) {
          await fresh()
          registry.stage(own('tools'), { tag: '1.0' })
          await readAll()
          registry.lie = lie
          const before = await written()
          const answers = await Promise.all([ask(), ask(), ask()])
          expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
          expect((await written()) - before).toBe(1)
          await settle()
          expect(await rows()).toEqual([[], [], [], []])
        }
      }
    })

    it('leave the image of a plugin alone, one by one and all at once, and in a collection', async () => {
      await fresh()
      const id = await uploaded(app, ann, { name: 'lives' })
      const digest = registry.stage(own('lives'), {})
      registry.stage(own('lives'), { seed: 'old', tag: 'old' })
      await store.system.write(async (tx) => {
        const { plugins } = pluginTables(tx)
        await tx
          .update(plugins)
          .set({ imageDigest: digest, imageRef: `${own('lives')}:1.0.0` })
          .where(eq(plugins.id, id))
      })
      const refused = await remove(own('lives'), digest, '?force=true')
      expect([refused.status, refused.body.details.plugins]).toMatchObject([409, [{ pluginId: id }]])
      expect((await app.call('DELETE', `/images/${enc(own('lives'))}`, { as: root })).status).toBe(409)
      // Its tag is missing: the next reading restores and reports it.
      logged.length = 0
      await readAll()
      expect(logged).toEqual([
        ['registry.image_drifted', expect.objectContaining({ ref: '1.0.0', digest, found: null })],
      ])
      expect(registry.manifests.has(`${own('lives')}:1.0.0`)).toBe(true)
      registry.manifests.delete(`${own('lives')}:1.0.0`)
      expect((await gc({ prefix: `org-${ann.orgId}/`, dryRun: false })).data.count).toBe(0)
      await store.system.write(async (tx) => {
        const { plugins } = pluginTables(tx)
        await tx.update(plugins).set({ imageDigest: null, imageRef: null })
      })
      const all = await app.call('DELETE', `/images/${enc(own('lives'))}`, { as: root })
      expect(all.data).toEqual({ name: own('lives'), deleted: 2, tags: ['old'] })
      expect((await app.call('DELETE', `/images/${enc(own('lives'))}`, { as: root })).status).toBe(404)
    })

    it('leave the public copy of a plugin and its attestations alone, and no copy moves its tag', async () => {
      await fresh()
      const id = await uploaded(app, root, { name: 'open' })
      const digest = registry.stage(own('open', root), { tag: '1.0.0' })
      const attested = digest.replace(':', '-')
      const [copied, repository] = [own('public/open', root), own('open', root)]
      for (const name of [copied, 'system/open', repository]) {
        registry.stage(name, { tag: '1.0.0' })
        registry.put(name, { schemaVersion: 2, mediaType: INDEX, manifests: [] }, attested)
      }
      registry.stage(own('a'), { tag: '1', seed: 'other' })
      const change = (values: object) =>
        store.system.write(async (tx) => {
          const { plugins } = pluginTables(tx)
          await tx.update(plugins).set(values).where(eq(plugins.id, id))
        })
      const image = { imageDigest: digest, imageRef: `${repository}:1.0.0`, buildStatus: 'ready' }
      await change({ ...image, accessModifier: 'public' })
      for (const [name, reference] of [
        [copied, '1.0.0'],
        [copied, attested],
        [repository, attested],
      ] as const) {
        const refused = await remove(name, reference)
        expect([name, reference, refused.status, refused.body.details?.plugins]).toMatchObject([
          ...[name, reference, 409],
          [{ pluginId: id }],
        ])
      }
      const whole = () => app.call('DELETE', `/images/${enc(copied)}`, { as: root })
      expect((await whole()).body.message).toMatch(/make the plugin private, or delete it/)
      // Plugins of the system organization are copied to `system/`.
      await change({ orgId: SYSTEM_ORG_ID })
      const onto = { source: `${own('a')}:1`, overwrite: true }
      const moved = await copy({ ...onto, target: 'system/open:1.0.0' })
      expect([moved.status, moved.body.message]).toEqual([409, expect.stringMatching(/public version of a plugin/)])
      expect((await remove('system/open', '1.0.0')).status).toBe(409)
      expect((await copy({ ...onto, target: 'system/open:next' })).status).toBe(200)
      await change({ accessModifier: 'private' })
      expect((await copy({ ...onto, target: 'system/open:1.0.0' })).status).toBe(200)
      expect((await whole()).status).toBe(200)
      await change({ orgId: root.orgId, imageDigest: null, imageRef: null })
    })
  })

  it('collects what nothing names, and says it first', async () => {
    await fresh()
    const kept = registry.stage(own('tools'), { tag: '1' })
    const child = registry.stage(own('tools'), { seed: 'child' })
    registry.put(own('tools'), { schemaVersion: 2, mediaType: INDEX, manifests: [{ digest: child, size: 1 }] }, 'all')
    const promoted = registry.stage(own('tools'), { seed: 'promoted' })
    registry.stage('system/tools', { seed: 'promoted', tag: '1' })
    const lost = registry.stage(own('tools'), { seed: 'lost' })
    const hint = (digest: string, n: number) => ({
      ...{ id: `gc-${store.database}-${n}`, action: 'push', target: { repository: own('tools'), digest } },
    })
    expect((await events([promoted, lost].map(hint))).status).toBe(200)
    await settle()
    await readAll()
    const before = new Map(registry.manifests)
    const dry = await gc({ prefix: `org-${ann.orgId}/` })
    expect(dry.data).toMatchObject({ dryRun: true, count: 1, images: [{ repository: own('tools'), digest: lost }] })
    expect(new Map(registry.manifests)).toEqual(before)
    expect((await gc({ prefix: `org-${ann.orgId}/`, maxAgeDays: 1, dryRun: false })).data.count).toBe(0)
    expect((await gc({ prefix: 'org-x y' })).status).toBe(400)
    expect((await gc({ prefix: `org-${ann.orgId}/`, dryRun: false })).data.count).toBe(1)
    before.delete(`${own('tools')}@${lost}`)
    expect(new Map(registry.manifests)).toEqual(before)
    expect(before.has(`${own('tools')}@${kept}`)).toBe(true)
  })

  /** The attestations of an image, as the server publishes them. */
  function attest(name: string, digest: string): void {
    const subject = { mediaType: 'application/vnd.oci.image.manifest.v1+json', digest, size: 1 }
    const about = { config: { digest, size: 1 }, layers: [{ digest, size: 1 }], subject }
    const one = registry.put(name, { schemaVersion: 2, ...about })
    const manifests = [{ digest: one, size: 1 }]
    const mediaType = 'application/vnd.oci.image.index.v1+json'
    registry.put(name, { schemaVersion: 2, mediaType, manifests }, digest.replace(':', '-'))
  }
  const heldIn = (name: string) => [...registry.manifests.keys()].filter((key) => key.startsWith(name))

  it('takes what is known of an image away with it, deleted or collected', async () => {
    await fresh()
    const [kept, gone] = ['1', '2'].map((tag) => registry.stage(own('tools'), { seed: tag, tag }))
    for (const digest of [kept, gone]) attest(own('tools'), digest ?? '')
    await readAll()
    expect((await remove(own('tools'), '2')).status).toBe(200)
    expect(heldIn(own('tools')).sort()).toHaveLength(5)
    // An image without a tag is collected with its attestations; a tagged one keeps both.
    registry.manifests.delete(`${own('tools')}:1`)
    await settle()
    await readAll()
    const dry = await gc({ prefix: own('tools') })
    expect(dry.data.images.map(({ digest }: { digest: string }) => digest)).toContain(kept)
    expect(dry.data.count).toBe(3)
    registry.manifests.set(`${own('tools')}:1`, registry.manifests.get(`${own('tools')}@${kept}`) ?? Buffer.alloc(0))
    expect((await gc({ prefix: own('tools'), dryRun: false })).data.count).toBe(0)
    // The attestations of an image that was deleted in another way.
    registry.manifests.delete(`${own('tools')}:1`)
    registry.manifests.delete(`${own('tools')}@${kept}`)
    expect((await gc({ prefix: own('tools'), dryRun: false })).data.count).toBe(2)
    expect(heldIn(own('tools'))).toEqual([])
  })

  it('empties the repositories of an organization that is purged', async () => {
    await fresh()
    registry.stage(own('tools'), { tag: '1' })
    registry.stage(own('public/tools'), { tag: '1' })
    registry.stage(`org-${ben.orgId}/tools`, { tag: '1' })
    await readAll()
    // An image without a tag is known only by its row.
    registry.manifests.delete(`${own('tools')}:1`)
    const { enqueue } = await import('../../runtime/jobs/enqueue.js')
    for (let left = 1; left > 0; ) {
      left = await store.system.write((tx) =>
        registryRegistration.purge(tx, ann.orgId, 1, 0, (message) => enqueue(tx, app.runtime, message)),
      )
    }
    await runJobs(app, [dropRepositoryJob, readRepositoryJob])
    expect(heldIn(`org-${ann.orgId}/`)).toEqual([])
    expect(heldIn(`org-${ben.orgId}/`)).toHaveLength(2)
    expect((await rows())[1]).toHaveLength(1)
  })

  it('writes nothing of a reading once a later one has begun', async () => {
    await fresh()
    registry.stage(own('tools'), { tag: '1' })
    const write: Parameters<typeof syncRepository>[0]['write'] = (run) =>
      store.system.write((tx) => run({ tx, nowMs: app.clock.now() } as Parameters<typeof run>[0]), 'test')
    const read: Parameters<typeof syncRepository>[0]['read'] = (run) => store.system.read(run)
    let isFirst = true
    const late = syncRepository(
      {
        runtime: app.runtime,
        write,
        async read(run) {
          if (isFirst) await syncRepository({ runtime: app.runtime, write, read }, own('tools'))
          isFirst = false
          registry.stage(own('tools'), { tag: '2', seed: '2' })
          return store.system.read(run)
        },
      },
      own('tools'),
    )
    expect((await late)?.tags.size).toBe(2)
    expect((await rows())[0]).toHaveLength(1)
  })

  it('answers no layer', async () => {
    await fresh()
    const digest = `sha256:${'a'.repeat(64)}`
    registry.blobs.set(digest, Buffer.from(`{${' '.repeat(1_048_576)}}`))
    const answer = await get(`/images/${enc(own('tools'))}/blobs/${digest}`)
    expect([answer.status, answer.body.details]).toMatchObject([413, { bytesMax: 1_048_576 }])
    registry.blobs.delete(digest)
  })

  it.each([0, -1, 0.5, '7', null, Number.MAX_SAFE_INTEGER, 2 ** 63])(
    'counts what the registry stores, also where a manifest claims a size of %j for its blobs',
    async (size) => {
      await fresh()
      const digest = registry.stage(own('liar'), {
        seed: `of ${size}`,
        tag: '1',
        change(manifest) {
          const { config, layers } = manifest as Record<'config', { size: unknown }> & { layers: { size: unknown }[] }
          for (const descriptor of [config, ...layers]) descriptor.size = size
        },
      })
      await readAll()
      const manifest = registry.manifests.get(`${own('liar')}@${digest}`) as Buffer
      const { config, layers } = JSON.parse(manifest.toString()) as Record<'config', { digest: string }> & {
        layers: { digest: string }[]
      }
      const stored = new Set([config, ...layers].map((descriptor) => descriptor.digest))
      const bytes = [...stored].reduce((sum, blob) => sum + (registry.blobs.get(blob)?.length ?? 0), manifest.length)
      const ofOrganization = `/admin/storage/${enc(`org-${ann.orgId}`)}`
      const storage = await app.call('GET', ofOrganization, { as: root })
      expect(storage.data).toMatchObject({ bytes })
      // An organization sees what it uses itself, and nobody else sees it.
      expect((await app.call('GET', ofOrganization, { as: ann })).data).toEqual(storage.data)
      expect((await app.call('GET', ofOrganization, { as: ben })).data).toMatchObject({ bytes: 0, repositories: [] })
      const named = await store.system.read((db) => db.select().from(registryTables(db).registryBlobs))
      expect(named.map((row) => row.digest).sort()).toEqual([...stored, digest].sort())
    },
  )

  it('measures each image again once a day, and corrects what an earlier version took from manifests', async () => {
    await fresh()
    const image = registry.stage(own('old'), { seed: 'old', tag: '1' })
    const manifests = [{ digest: image, size: 1 }]
    registry.put(own('old'), { schemaVersion: 2, mediaType: INDEX, manifests }, 'all')
    const settings = { REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0) }
    const later = await pluginApp(store, { domains: [registryRegistration], settings })
    await readAll()
    const right = await rows()
    const times = () =>
      store.system.read((db) => {
        const { registryTags: t } = registryTables(db)
        return db.select({ tag: t.tag, createdAtMs: t.createdAtMs }).from(t).orderBy(t.tag)
      })
    const since = await times()
    await store.system.write(async (tx) => {
      const t = registryTables(tx)
      for (const table of [t.registryTags, t.registryImages, t.registryRepositories])
        await tx.update(table).set({ bytes: 7 })
      const [blob] = await tx.select().from(t.registryBlobs)
      await tx.delete(t.registryBlobs).where(eq(t.registryBlobs.digest, String(blob?.digest)))
      await tx.update(t.registryBlobs).set({ bytes: 7 })
    })
    expect(await rows()).not.toEqual(right)
    for (let hour = 0; hour < 24; hour++) {
      later.clock.advance(3_600_000)
      await runJobs(later, [readAllJob, readRepositoryJob], [readAllJob.kind])
    }
    expect(await rows()).toEqual(right)
    expect(await times()).toEqual(since)
  })

  it('counts each blob of an organization once', async () => {
    await fresh()
    registry.stage(own('a'), { tag: '1' })
    registry.stage(own('b'), { tag: '1' })
    await readAll()
    const used = () => store.system.read((db) => registryRegistration.usage.storageBytes?.(db, [ann.orgId]))
    const blobs = new Map<string, number>()
    for (const [key, bytes] of registry.manifests) {
      if (!key.includes('@')) continue
      const { config, layers } = JSON.parse(bytes.toString()) as Record<
        string,
        { digest: string; size: number } & never[]
      >
      for (const { digest, size } of [config, ...(layers ?? [])] as { digest: string; size: number }[])
        blobs.set(digest, size)
      blobs.set(key.split('@')[1] ?? '', bytes.length)
    }
    const once = [...blobs.values()].reduce((sum, size) => sum + size, 0)
    expect(await used()).toBe(once)
    const storage = await app.call('GET', `/admin/storage/${enc(`org-${ann.orgId}`)}`, { as: root })
    expect(storage.data).toMatchObject({ bytes: once, repositories: [{ name: own('a') }, { name: own('b') }] })
    expect((await app.call('GET', '/admin/storage/staging', { as: root })).status).toBe(400)
  })

  describe('events', () => {
    it('come with the secret, in its form, and count once', async () => {
      await fresh()
      const event = { id: `once-${store.database}`, action: 'push', target: { repository: own('a') } }
      for (const secret of [null, 'another-secret-of-characters', '']) {
        expect((await events([event], secret)).status).toBe(401)
      }
      const nul = JSON.stringify({ events: [{ ...event, id: 'a\0' }] })
      for (const wrong of ['', '{', '[]', '{"events":[{}]}', '{"events":1}', nul]) {
        expect([wrong, (await events(wrong)).status]).toEqual([wrong, 400])
      }
      const taken = async (list: unknown) => ((await (await events(list)).json()) as { data: unknown }).data
      expect(await taken([event, event])).toEqual({ taken: 1, ignored: 1 })
      expect(await taken([event])).toEqual({ taken: 0, ignored: 1 })
      const foreign = ['staging/x', 'elsewhere', '../x', `org-1/x`].map((repository, n) => ({
        ...{ id: `foreign-${n}`, action: 'push', target: { repository } },
      }))
      expect(await taken(foreign)).toEqual({ taken: 0, ignored: 4 })
      expect((await events([{ ...event, id: `second-${store.database}` }], SECRETS.split(',')[1])).status).toBe(200)
      await settle()
      expect(await rows()).toEqual([[], [], [], []])
    })

    it('lost, doubled, reordered and forged end as a full reading does', async () => {
      let count = 0
      const step = fc.record({
        repository: fc.constantFrom('a', 'b'),
        what: fc.constantFrom('push', 'retag', 'delete', 'untagged'),
        seed: fc.constantFrom('1', '2', '3'),
        told: fc.constantFrom('yes', 'lost', 'doubled', 'forged', 'late'),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          await fresh()
          const late: object[] = []
          for (const { repository, what, seed, told } of steps) {
            const name = own(repository)
            const digest = registry.stage(name, {
              seed,
              ...(what === 'untagged' ? {} : { tag: what === 'retag' ? 'x' : seed }),
            })
            if (what === 'delete') {
              for (const [key, bytes] of registry.manifests) {
                if (
                  key.startsWith(name) &&
                  bytes.equals(registry.manifests.get(`${name}@${digest}`) ?? Buffer.alloc(0)) &&
                  key.includes(':1')
                )
                  registry.manifests.delete(key)
              }
              registry.manifests.delete(`${name}@${digest}`)
              for (const key of [`${name}:${seed}`, `${name}:x`]) {
                const bytes = registry.manifests.get(key)
                if (bytes !== undefined && !registry.manifests.has(`${name}@${digest}`) && bytes.includes(seed))
                  registry.manifests.delete(key)
              }
            }
            const id = `e-${store.database}-${count++}`
            const event = { id, action: what === 'delete' ? 'delete' : 'push', target: { repository: name, digest } }
            const forged = { ...event, target: { repository: own('b'), digest: `sha256:${'f'.repeat(64)}` } }
            if (told === 'late') late.push(event)
            else if (told !== 'lost')
              await events(told === 'forged' ? [forged] : told === 'doubled' ? [event, event] : [event])
            if (told === 'doubled') await events([event])
            if (count % 2 === 0) await settle()
          }
          await events(late.reverse())
          await settle()
          await readAll()
          const [tags, repositories] = await rows()
          await clear()
          await readAll()
          const [again, whole] = await rows()
          expect(tags).toEqual(again)
          // A full reading without known rows finds only tagged images, so rows may have more, but never fewer.
          const namesOf = (list: string[] | undefined) =>
            (list ?? []).map((row) => (JSON.parse(row) as { name: string }).name)
          for (const name of namesOf(whole)) expect(namesOf(repositories)).toContain(name)
        }),
        { numRuns: 12 },
      )
    })
  })
})
