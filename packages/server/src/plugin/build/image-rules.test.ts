/** Rules about the built image, with the rules of the domain itself: they wait at the upload, and hold before publishing. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, complianceApp, memberOf } from '../../../test/support/compliance.js'
import { describeStores, EVERYWHERE } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry, type ImageParts } from '../../../test/support/fake-registry.js'
import { runJobs } from '../../../test/support/organizations.js'
import { type PluginFiles, pluginZip, uploadZip } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { complianceOperations } from '../../compliance/operations.js'
import { inProcessCompliance } from '../../compliance/port/in-process.js'
import { createHostServicePrincipal } from '../../identity/index.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { newTokenKey } from '../../registry/index.js'
import { fileBlobStore } from '../../runtime/blobs/file-store.js'
import { Refusal } from '../../runtime/errors.js'
import { capacityOf, capacityPort } from '../../runtime/records/capacity.js'
import type { Store } from '../../runtime/store/db.js'
import { pluginCatalog, pluginEntities } from '../entities.js'
import { pluginOperations } from '../operations.js'
import { pluginRegistration } from '../registration.js'
import { finishBuildJob } from './finish.js'

await describeStores('rules about a built image', EVERYWHERE, (open) => {
  let store: Store
  let kit: ComplianceApp
  let registry: FakeRegistry
  let ann: SignedIn
  let amy: SignedIn
  let builder: string
  let names = 0
  beforeAll(async () => {
    store = await open()
    registry = await fakeRegistry()
    kit = await complianceApp(store, {
      operations: [...TENANT_OPERATIONS, ...complianceOperations, ...pluginOperations],
      domains: [pluginRegistration],
      ports: {
        compliance: inProcessCompliance,
        blobs: fileBlobStore(mkdtempSync(join(tmpdir(), 'plumbline-blobs-'))),
        plugins: pluginCatalog,
      },
      settings: { REGISTRY_URL: registry.url, REGISTRY_TOKEN_KEYS: newTokenKey(0) },
    })
    const { entities = [] } = kit.app.runtime
    Object.assign(kit.app.runtime, { entities: [pluginEntities, ...entities.filter((e) => e.target !== 'plugin')] })
    ann = await signUp(kit.app, 'ann')
    amy = await memberOf(kit, ann, 'amy', ['Member', 'Admin'])
    const made = await createHostServicePrincipal(
      { runtime: kit.app.runtime, osUser: 'ops' },
      { name: 'builder', scopes: ['builds:work'] },
    )
    const body = { grant_type: 'client_credentials', clientId: made.clientId, clientSecret: made.clientSecret }
    builder = (await kit.app.call('POST', '/auth/token', { body })).data.accessToken
  })
  afterAll(async () => {
    expect(kit.app.errors.map(String)).toEqual([])
    await registry.close()
    await store.close()
  })

  const rule = async (name: string, field: string, operator: string, value?: unknown, more: object = {}) => {
    const body = { name, target: 'plugin', field, operator, ...(value === undefined ? {} : { value }), ...more }
    const answer = await kit.call(ann, 'POST', '/rules', body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.rule.id as string
  }
  const drop = (id: string) => kit.call(ann, 'DELETE', `/rules/${id}`)
  const uploadOf = (more: PluginFiles = {}) =>
    uploadZip(kit.app, ann, pluginZip({ name: `i${names++}`, buildType: 'build_image', ...more }))
  const as = { as: '', headers: {} as Record<string, string> }
  async function built(image: ImageParts): Promise<string> {
    const { job } = (await kit.app.call('POST', '/builder/claims', { ...as, as: builder, body: { name: 'b' } })).data
    const digest = registry.stage(`staging/${job.id}`, image)
    const headers = { 'x-build-fence': String(job.fence) }
    await kit.app.call('POST', `/builder/jobs/${job.id}/complete`, { as: builder, headers, body: { digest } })
    await runJobs(kit.app, [finishBuildJob])
    return job.id
  }
  const build = async (id: string) => (await kit.app.call('GET', `/plugins/builds/${id}`, { as: ann })).data.build
  const plugin = async (id: string) => (await kit.app.call('GET', `/plugins/${id}`, { as: ann })).data.plugin
  const log = async () => (await kit.call(ann, 'GET', '/audit?limit=5')).data.entries

  it('wait at the upload, which names them, and block the image with their reason', async () => {
    const noRoot = await rule('no root in images', 'builtImage.usesRootUser', 'eq', false)
    const answer = await uploadOf()
    expect([answer.status, answer.data.deferredRules]).toEqual([
      202,
      [{ ruleId: noRoot, ruleName: 'no root in images' }],
    ])
    const id = answer.data.pluginId
    const jobId = await built({ user: '0' })
    expect(await build(jobId)).toMatchObject({
      state: 'dead',
      exhausted: true,
      category: 'validation',
      error: 'the image is blocked by the rules no root in images',
      violations: [{ ruleId: noRoot, field: 'builtImage.usesRootUser', actualValue: true }],
    })
    expect(await plugin(id)).toMatchObject({ buildStatus: 'failed', isActive: false, imageDigest: null })
    expect([...registry.manifests.keys()].filter((key) => key.includes(ann.orgId))).toEqual([])
    const [entry, before] = await log()
    expect(entry).toMatchObject({ action: 'upload', result: 'block', entityId: id, userId: ann.userId })
    expect(before).toMatchObject({ action: 'upload', result: 'pass' })

    // An exemption of two people and a replay let it through.
    const asked = await kit.call(ann, 'POST', '/exemptions', {
      ...{ ruleId: noRoot, entityType: 'plugin', entityId: id, reason: 'until the base is changed' },
    })
    await kit.call(amy, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' })
    const again = await kit.app.call('POST', `/plugins/queue/dlq/${jobId}/replay`, { as: ann })
    expect(again.status).toBe(202)
    const next = await build(await built({ user: '0' }))
    expect(next.state).toBe('completed')
    expect(next).not.toHaveProperty('violations')
    expect(await plugin(id)).toMatchObject({
      buildStatus: 'ready',
      builtImage: { usesRootUser: true, user: '0', layers: 2, baseName: 'debian:12', basePinned: false },
    })
    await drop(noRoot)
  })

  it('judge what the image is, and not what the Dockerfile says', async () => {
    const noRoot = await rule('no root', 'usesRootUser', 'eq', false)
    // The Dockerfile says USER app.
    const { data } = await uploadOf()
    const jobId = await built({ user: '0:0' })
    expect(await build(jobId)).toMatchObject({ exhausted: true, violations: [{ ruleName: 'no root' }] })
    expect((await plugin(data.pluginId)).buildStatus).toBe('failed')
    await drop(noRoot)
  })

  it('block what asks for a fact that is not known', async () => {
    const scanned = await rule('scanned', 'builtImage.vulnerabilities.critical', 'eq', 0)
    await uploadOf()
    expect(await build(await built({}))).toMatchObject({ violations: [{ ruleName: 'scanned', actualValue: null }] })
    await drop(scanned)
  })

  it('find the account full where the image does not fit', async () => {
    await uploadOf()
    const capacity = capacityOf(kit.app.runtime)
    const checkHeadroom: typeof capacity.checkHeadroom = async (_db, _orgId, type, bytes) => {
      if (type === 'storageBytes' && bytes > 100) throw new Refusal('QUOTA_EXCEEDED', 'full')
    }
    kit.app.ports.set(capacityPort, { ...capacity, checkHeadroom })
    expect(await build(await built({}))).toMatchObject({ state: 'dead', exhausted: true, category: 'quota' })
    kit.app.ports.set(capacityPort, capacity)
  })

  it('never block an upload, and do not concern what has no image', async () => {
    const ids = [
      await rule('present', 'builtImage', 'exists'),
      await rule('small', 'builtImage.sizeBytes', 'lt', 10_000_000, { severity: 'critical' }),
      await rule('either', '', 'exists', undefined, {
        field: undefined,
        operator: undefined,
        conditionMode: 'any',
        conditions: [
          { field: 'category', operator: 'eq', value: 'never' },
          { field: '$count(builtImage.exposedPorts)', operator: 'eq', value: 0 },
        ],
      }),
    ]
    const metadata = await uploadOf({ buildType: 'metadata_only' })
    expect(metadata.status).toBe(201)
    expect(metadata.data).not.toHaveProperty('deferredRules')
    const image = await uploadOf()
    expect(image.status).toBe(202)
    expect(image.data.deferredRules.map(({ ruleName }: { ruleName: string }) => ruleName).sort()).toEqual([
      'either',
      'present',
      'small',
    ])
    expect((await build(await built({}))).state).toBe('completed')
    // A change of what is built is judged with its image.
    const tiny = await rule('tiny', 'builtImage.sizeBytes', 'lt', 1)
    const change = (id: string) => kit.app.call('PUT', `/plugins/${id}`, { as: ann, body: { description: 'changed' } })
    expect((await change(image.data.pluginId)).code).toBe('COMPLIANCE_VIOLATION')
    expect((await change(metadata.data.pluginId)).status).toBe(200)
    for (const id of [...ids, tiny]) await drop(id)
  })
})
