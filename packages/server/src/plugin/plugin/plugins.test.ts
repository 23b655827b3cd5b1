/** Plugins over HTTP: upload, versions and the default, finding, changing, deleting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { PASSES, type PluginApp, pluginApp, pluginZip, uploaded, uploadZip } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { makeZip } from '../../../test/support/zip.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import type { Store } from '../../runtime/store/db.js'
import { loadSystemPlugins } from '../system/load.js'

const violation = (severity: string) =>
  ({ ruleName: 'no-root', severity, field: 'usesRootUser' }) as ComplianceViolation

await describeStores('plugins', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  let ann: SignedIn
  let ben: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store)
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })
  const get = (path: string, as: SignedIn = ann) => app.call('GET', path, { as })
  const record = async (id: string) => (await get(`/plugins/${id}`)).data.plugin

  describe('an upload', () => {
    it('of metadata alone is there at once, with its owner, its evidence and its archive', async () => {
      const spec =
        'description: Builds\nkeywords: [Node, npm]\ncategory: build\nsecrets: [{ name: TOKEN }]\nenv: { CI: true }\n'
      const answer = await uploadZip(app, ann, pluginZip({ name: 'first', spec }))
      expect(answer).toMatchObject({
        status: 201,
        data: { pluginName: 'first', version: '1.0.0', buildType: 'metadata_only', created: true, warnings: [] },
      })
      const plugin = await record(answer.data.pluginId)
      expect(plugin).toMatchObject({
        name: 'first',
        orgId: ann.orgId,
        ownerId: ann.userId,
        ownerType: 'user',
        lifecycle: 'production',
        keywords: ['Node', 'npm'],
        env: { CI: 'true' },
        isDefault: true,
        isActive: true,
        buildStatus: 'none',
        accessModifier: 'private',
        usesRootUser: false,
        revision: 1,
      })
      expect(plugin.archiveSha256).toMatch(/^[0-9a-f]{64}$/)
      expect((await evidence(app)).at(-1)).toMatchObject({ action: 'plugin.upload', targetId: answer.data.pluginId })
      expect(app.checks.at(-1)).toMatchObject({
        target: 'plugin',
        action: 'upload',
        entityName: 'first',
        attributes: { name: 'first', env: { CI: '[REDACTED]' }, tags: ['Node', 'npm'], runAsRoot: false },
      })
    })

    it('says what rules may ask for from its first version on, and keeps it when it is uploaded again', async () => {
      const links = [{ title: 'Runbook', url: 'https://acme.test/r' }]
      const said = { criticality: 'low', labels: { team: 'web', replicas: 3 }, links }
      const asFields = { criticality: 'low', labels: JSON.stringify(said.labels), links: JSON.stringify(links) }
      const zip = pluginZip({ name: 'said' })
      const { data } = await uploadZip(app, ann, zip, asFields)
      expect(app.checks.at(-1)).toMatchObject({ action: 'upload', attributes: said })
      expect(await record(data.pluginId)).toMatchObject(said)
      await uploadZip(app, ann, zip, { labels: '{"team":"shop"}' })
      expect(await record(data.pluginId)).toMatchObject({ ...said, labels: { team: 'shop' } })
    })

    it.each([
      ['labels', 'team=web', 'type'],
      ['labels', '{"team":["web"]}', undefined],
      ['links', '{"title":"Runbook"}', 'type'],
      ['links', '[{"title":"Runbook","url":"javascript:alert(1)"}]', 'pattern'],
      ['criticality', 'enormous', undefined],
    ])('is refused for the field %s that is %s', async (name, text, code) => {
      const answer = await uploadZip(app, ann, pluginZip({ name: 'wrong' }), { [name]: text })
      expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
      const [issue] = answer.body.details.issues
      expect(issue.path).toMatch(new RegExp(`^/body/${name}`))
      if (code !== undefined) expect(issue.code).toBe(code)
    })

    it('that needs an image waits for its builder', async () => {
      const answer = await uploadZip(app, ann, pluginZip({ name: 'image', buildType: 'build_image' }))
      expect(answer).toMatchObject({
        status: 202,
        data: { buildType: 'build_image', warnings: [{ code: 'BUILDER_ABSENT' }], requestId: expect.any(String) },
      })
      expect(answer.headers.get('location')).toBe(`/api/plugins/builds/${answer.data.jobId}`)
      expect(await record(answer.data.pluginId)).toMatchObject({
        buildStatus: 'queued',
        isActive: false,
        isDefault: false,
        baseImage: 'debian:12',
        usesRootUser: false,
      })
      expect((await get(`/plugins/builds/${answer.data.jobId}`)).data.build).toMatchObject({ state: 'waiting' })
      expect((await get(`/plugins/builds/${answer.data.jobId}`, ben)).status).toBe(404)
      expect((await uploadZip(app, ann, pluginZip({ name: 'tar', buildType: 'prebuilt' }))).status).toBe(202)
    })

    it('names every problem of the specification with its line', async () => {
      const answer = await uploadZip(app, ann, pluginZip({ spec: 'computeType: HUGE\ncomands: [x]\n' }))
      expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
      expect(answer.body.details.issues).toMatchObject([
        { path: '/body/plugin/plugin-spec.yaml/comands', line: 5, column: 1, code: 'unknown_field' },
        { path: '/body/plugin/plugin-spec.yaml/computeType', line: 4, column: 1, code: 'enum' },
      ])
      const token = await uploadZip(app, ann, pluginZip({ spec: 'env: { A: "{{ secrets.x }}" }\n' }))
      expect(token).toMatchObject({ status: 400, code: 'TEMPLATE_SECRETS_RESERVED' })
      const tokens = await uploadZip(app, ann, pluginZip({ spec: 'env: { A: "{{ secrets.x }}{{ x.y }}" }\n' }))
      expect(tokens).toMatchObject({ status: 400, code: 'TEMPLATE_VALIDATION_FAILED' })
    })

    it('of a hostile archive is refused by name', async () => {
      const answer = await uploadZip(app, ann, makeZip([{ name: '../x', content: 'x' }]))
      expect(answer.body.details.issues).toMatchObject([{ path: '/body/plugin', code: 'archive_traversal' }])
    })

    it('that rules block leaves nothing; one that they warn of says so', async () => {
      app.rules.answer = () => ({ ...PASSES, passed: false, blocked: true, violations: [violation('error')] })
      const blocked = await uploadZip(app, ann, pluginZip({ name: 'blocked' }))
      expect(blocked).toMatchObject({
        status: 403,
        code: 'COMPLIANCE_VIOLATION',
        body: { status: 403, statusCode: 403 },
      })
      app.rules.answer = () => {
        throw new Error('the rules are not there')
      }
      const closed = await uploadZip(app, ann, pluginZip({ name: 'blocked' }))
      expect(closed).toMatchObject({ status: 503, code: 'COMPLIANCE_SERVICE_UNAVAILABLE' })
      expect((await get('/plugins?nameExact=blocked&isActive=all')).data.plugins).toEqual([])
      app.rules.answer = () => ({ ...PASSES, violations: [violation('warning')], warnings: [violation('warning')] })
      const warned = await uploadZip(app, ann, pluginZip({ name: 'warned' }))
      expect(warned.data.complianceWarnings).toMatchObject([{ ruleName: 'no-root' }])
      app.rules.answer = () => PASSES
    })

    it('of the same version replaces it, and keeps its id, its owner and its default', async () => {
      const id = await uploaded(app, ann, { name: 'again' })
      const answer = await uploadZip(app, ann, pluginZip({ name: 'again', spec: 'category: build\n' }), {
        lifecycle: 'experimental',
      })
      expect(answer).toMatchObject({ status: 200, data: { created: false, pluginId: id } })
      expect(await record(id)).toMatchObject({
        category: 'build',
        lifecycle: 'experimental',
        ownerId: ann.userId,
        isDefault: true,
        revision: 2,
      })
    })

    it('of a public version is a conflict unless it is meant', async () => {
      const id = await uploaded(app, ann, { name: 'open' }, { accessModifier: 'public' })
      expect(await uploadZip(app, ann, pluginZip({ name: 'open' }))).toMatchObject({ status: 409, code: 'CONFLICT' })
      const meant = await uploadZip(app, ann, pluginZip({ name: 'open' }), {}, { query: '?replace=true' })
      expect(meant).toMatchObject({ status: 200, data: { pluginId: id } })
      expect(await record(id)).toMatchObject({ accessModifier: 'public' })
    })

    it('of several versions at once are all there, with one default, and of one version is there once', async () => {
      const upload = (version: string) => uploadZip(app, ann, pluginZip({ name: 'crowd', version }))
      const made = await Promise.all(Array.from({ length: 6 }, (_, n) => upload(`1.0.${n}`)))
      expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
      const { plugins } = (await get('/plugins?nameExact=crowd')).data
      expect(plugins.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toMatchObject([{ version: '1.0.5' }])
      const same = await Promise.all(Array.from({ length: 4 }, () => upload('2.0.0')))
      // One that is checked after another was stored replaces it.
      for (const { status } of same) expect([200, 201, 409]).toContain(status)
      expect(same.filter(({ status }) => status === 201)).toHaveLength(1)
    })

    it('of an older version, or a pre-release, does not take the default', async () => {
      await uploaded(app, ann, { name: 'versions', version: '2.0.0' })
      await uploaded(app, ann, { name: 'versions', version: '1.0.1' })
      await uploaded(app, ann, { name: 'versions', version: '3.0.0-rc.1' })
      const defaultOf = async () =>
        (await get('/plugins?nameExact=versions&isDefault=true')).data.plugins.map(
          (each: { version: string }) => each.version,
        )
      expect(await defaultOf()).toEqual(['2.0.0'])
      await uploaded(app, ann, { name: 'versions', version: '2.10.0' })
      expect(await defaultOf()).toEqual(['2.10.0'])
      await uploaded(app, ann, { name: 'versions', version: '2.9.0' }, { setDefault: 'true' })
      expect(await defaultOf()).toEqual(['2.9.0'])
      const sorted = await get('/plugins?nameExact=versions&sortBy=version&sortOrder=asc')
      expect(sorted.data.plugins.map(({ version }: { version: string }) => version)).toEqual([
        '1.0.1',
        '2.0.0',
        '2.9.0',
        '2.10.0',
        '3.0.0-rc.1',
      ])
      const ranged = await get('/plugins?nameExact=versions&version=^2.0.0')
      expect(ranged.data.pagination.total).toBe(3)
      const latest = await get('/plugins?nameExact=versions&latestOnly=true')
      expect(latest.data.plugins).toMatchObject([{ version: '3.0.0-rc.1' }])
      expect((await get('/plugins/find?nameExact=versions')).data).toMatchObject({
        matchedCount: 5,
        plugin: { version: '2.9.0' },
      })
    })
  })

  describe('plugins', () => {
    it('are found by each filter, and by nobody else', async () => {
      const spec = 'description: Scans images\nkeywords: [Trivy]\ncategory: security\ncomputeType: LARGE\n'
      const id = await uploaded(app, ann, { name: 'scanner', spec })
      await app.call('PUT', `/plugins/${id}`, { as: ann, body: { labels: { tier: 'gold' }, criticality: 'high' } })
      for (const filter of [
        'name=CANN',
        'nameExact=scanner',
        'q=scans',
        'q=triv',
        'keyword=trivy',
        'category=security',
        'computeType=LARGE',
        'criticality=high',
        'label.tier=gold',
        `id=${id}`,
      ]) {
        const found = await get(`/plugins?${filter}`)
        expect([filter, found.data.plugins.map((each: { id: string }) => each.id)]).toEqual([filter, [id]])
        expect((await get(`/plugins?${filter}`, ben)).data.plugins).toEqual([])
      }
      expect((await get(`/plugins/${id}`, ben)).status).toBe(404)
      const looked = await app.call('POST', '/plugins/lookup', { as: ann, body: { filter: { nameExact: 'scanner' } } })
      expect(looked.data.plugin.id).toBe(id)
      expect((await get('/plugins/find?nameExact=nothing')).status).toBe(404)
      expect(await get('/plugins?version=newest')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
      expect((await get('/plugins/plugin-usage')).data).toEqual({ counts: { web: 2 } })
    })

    it('of the system are everybody’s to read and nobody’s to change', async () => {
      await loadSystemPlugins(app.runtime)
      await loadSystemPlugins(app.runtime)
      const shared = await get('/plugins?scope=shared&limit=100', ben)
      expect(shared.data.pagination.total).toBe(12)
      const [plugin] = shared.data.plugins
      expect(plugin).toMatchObject({ orgId: SYSTEM_ORG_ID, accessModifier: 'public', buildType: 'metadata_only' })
      expect((await get(`/plugins/${plugin.id}`, ben)).status).toBe(200)
      expect((await app.call('PUT', `/plugins/${plugin.id}`, { as: ben, body: { category: 'x' } })).status).toBe(404)
      expect((await app.call('DELETE', `/plugins/${plugin.id}`, { as: ben })).status).toBe(404)
      const mine = await uploaded(app, ben, { name: plugin.name })
      expect((await get(`/plugins/find?nameExact=${plugin.name}`, ben)).data.plugin.id).toBe(mine)
    })
  })

  describe('a change', () => {
    it('is checked, recorded and versioned', async () => {
      const id = await uploaded(app, ann, { name: 'change' })
      const before = await get(`/plugins/${id}`)
      const answer = await app.call('PUT', `/plugins/${id}`, {
        as: ann,
        body: { ...before.data.plugin, description: 'New', isDefault: false },
        headers: { 'if-match': before.headers.get('etag') ?? '' },
      })
      expect(answer).toMatchObject({
        status: 200,
        data: { plugin: { description: 'New', isDefault: false, revision: 2 } },
      })
      expect(app.checks.at(-1)).toMatchObject({ action: 'update', entityId: id, attributes: { description: 'New' } })
      const same = await app.call('PUT', `/plugins/${id}`, { as: ann, body: { description: 'New' } })
      expect(same.data.plugin.revision).toBe(2)
      const stale = await app.call('PUT', `/plugins/${id}`, {
        as: ann,
        body: { description: 'x' },
        headers: { 'if-match': '1' },
      })
      expect(stale.status).toBe(412)
      const renamed = await app.call('PUT', `/plugins/${id}`, { as: ann, body: { name: 'other' } })
      expect(renamed).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
      const commands = await app.call('PUT', `/plugins/${id}`, { as: ann, body: { commands: [''] } })
      expect(commands.status).toBe(400)
    })

    it('of what an image was built from is a conflict', async () => {
      const id = await uploaded(app, ann, { name: 'built', buildType: 'build_image' })
      const changes = [
        { installCommands: ['x'] },
        { dockerfile: 'FROM scratch\n' },
        { buildArgs: { TAG: '1' } },
        { isActive: true },
        { isDefault: true },
      ]
      for (const body of changes) {
        expect(await app.call('PUT', `/plugins/${id}`, { as: ann, body })).toMatchObject({
          status: 409,
          code: 'CONFLICT',
        })
      }
    })

    it('of several reports each, or refuses all', async () => {
      const ids = [await uploaded(app, ann, { name: 'bulk-a' }), await uploaded(app, ann, { name: 'bulk-b' })]
      const foreign = await uploaded(app, ben, { name: 'bulk-c' })
      const body = { ids: [...ids, foreign], data: { category: 'bulk' } }
      const answer = await app.call('PUT', '/plugins/bulk/update', { as: ann, body })
      expect(answer.data).toMatchObject({ updated: 2, failed: 1, items: [{}, {}, { id: foreign, code: 'NOT_FOUND' }] })
      const atomic = await app.call('PUT', '/plugins/bulk/update?atomic=true', {
        as: ann,
        body: { ...body, data: { category: 'all' } },
      })
      expect(atomic.status).toBe(404)
      expect((await get('/plugins?category=all')).data.plugins).toEqual([])
      const warned = violation('warning')
      app.rules.answer = () => ({ ...PASSES, passed: false, violations: [warned], warnings: [warned] })
      const odd = { ids: ['no-id', ids[0], ids[0]], data: { category: 'odd' } }
      const each = await app.call('PUT', '/plugins/bulk/update', { as: ann, body: odd })
      app.rules.answer = () => PASSES
      expect(each.data).toMatchObject({
        updated: 1,
        failed: 2,
        items: [
          { index: 0, status: 'failed', code: 'VALIDATION_ERROR' },
          { index: 1, status: 'updated', complianceWarnings: [warned] },
          { index: 2, status: 'failed', code: 'DUPLICATE_ENTRY' },
        ],
      })
      const none = await app.call('PUT', '/plugins/bulk/update', { as: ann, body: { ids, data: { isDefault: true } } })
      expect(none.status).toBe(400)
      const gone = await app.call('POST', '/plugins/bulk/delete', { as: ann, body: { ids: [...ids, foreign] } })
      expect(gone.data).toMatchObject({ deleted: 2, failed: 1 })
      expect(gone.data.items.map(({ index, id }: { index: number; id: string }) => [index, id])).toEqual(
        body.ids.map((id, index) => [index, id]),
      )
      expect((await get(`/plugins/${foreign}`, ben)).status).toBe(200)
    })
  })

  it('are deleted, restored and purged', async () => {
    const id = await uploaded(app, ann, { name: 'gone' })
    app.references.pinning = [{ id, pipelineName: 'shop' }]
    const pinned = await app.call('DELETE', `/plugins/${id}`, { as: ann })
    expect(pinned).toMatchObject({ status: 409, body: { details: { pipelines: [{ pipelineName: 'shop' }] } } })
    const forced = await app.call('DELETE', `/plugins/${id}?force=true`, { as: ann })
    expect(forced).toMatchObject({ status: 200, data: { id, purgeAfter: expect.any(String) } })
    app.references.pinning = []
    expect((await app.call('DELETE', `/plugins/${id}`, { as: ann })).status).toBe(404)
    expect((await get('/plugins/deleted')).data.plugins.map((each: { id: string }) => each.id)).toContain(id)
    expect((await app.call('POST', `/plugins/${id}/restore`, { as: ann })).code).toBe('STEP_UP_REQUIRED')
    const restored = await app.call('POST', `/plugins/${id}/restore`, { as: ann, headers: await stepUp(app, ann) })
    expect(restored).toMatchObject({ status: 200, data: { plugin: { id, deletedAt: null, isDefault: false } } })
    await app.call('DELETE', `/plugins/${id}`, { as: ann })
    await uploaded(app, ann, { name: 'gone' })
    const taken = await app.call('POST', `/plugins/${id}/restore`, { as: ann, headers: await stepUp(app, ann) })
    expect(taken).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    const foreign = await app.call('POST', `/plugins/${id}/purge`, { as: ben, headers: await stepUp(app, ben) })
    expect(foreign.status).toBe(404)
    expect((await app.call('POST', `/plugins/${id}/purge`, { as: ann, headers: await stepUp(app, ann) })).status).toBe(
      200,
    )
    expect((await get('/plugins/deleted')).data.plugins.map((each: { id: string }) => each.id)).not.toContain(id)
  })

  it('an upload is read for those alone who may', async () => {
    expect(await uploadZip(app, null, pluginZip())).toMatchObject({ status: 401, code: 'TOKEN_MISSING' })
  })
})
