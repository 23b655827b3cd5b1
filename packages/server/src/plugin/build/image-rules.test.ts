/**
 * Rules about the built image, with the real compliance domain: they wait at the upload, and apply before publishing.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oracle } from '../../../../engine/proof/oracle.js'
import type { Rule } from '../../../../engine/src/types.js'
import { type ComplianceApp, complianceApp, memberOf } from '../../../test/support/compliance.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type FakeRegistry, fakeRegistry, type ImageParts } from '../../../test/support/fake-registry.js'
import { runJobs, signInAgain } from '../../../test/support/organizations.js'
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
import { pluginTables } from '../tables.js'
import { finishBuildJob } from './finish.js'
import { dropImageJob } from './sweep-images.js'

/** `PLUMBLINE_TWO_PHASES=200` is the full size. */
const WORLDS = Number(process.env.PLUMBLINE_TWO_PHASES ?? 4)

interface Image {
  readonly user: string
  readonly layers: number
  readonly ports: readonly string[]
  readonly team: string | null
}
interface Named {
  readonly id: string
  readonly name: string
}

const isRoot = ({ user }: Image): boolean => ['', '0', 'root', '0:0'].includes(user)
const configOf = ({ ports, team }: Image) => ({
  ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
  ...(team === null ? {} : { Labels: { team } }),
})
/** The facts that the rules here read, as the specification defines them. */
const factsOf = (image: Image) => ({
  ...{ user: image.user, usesRootUser: isRoot(image), layers: image.layers, os: 'linux', exposedPorts: image.ports },
  labels: image.team === null ? {} : { team: image.team },
})
const readsImage = (rule: object): boolean => JSON.stringify(rule).includes('builtImage')

const anyCondition = fc.oneof(
  fc.record({
    field: fc.constant('category'),
    operator: fc.constantFrom('eq', 'neq'),
    value: fc.constantFrom('quality', 'build'),
  }),
  fc.record({ field: fc.constant('usesRootUser'), operator: fc.constant('eq'), value: fc.boolean() }),
  fc.record({ field: fc.constant('builtImage.usesRootUser'), operator: fc.constant('eq'), value: fc.boolean() }),
  fc.record({
    field: fc.constant('builtImage.user'),
    operator: fc.constantFrom('eq', 'neq'),
    value: fc.constantFrom('0', '1000'),
  }),
  fc.record({ field: fc.constant('builtImage.layers'), operator: fc.constantFrom('lt', 'gte'), value: fc.nat(4) }),
  fc.record({ field: fc.constant('builtImage.labels.team'), operator: fc.constantFrom('exists', 'notExists') }),
  fc.record({
    field: fc.constant('builtImage.vulnerabilities.critical'),
    operator: fc.constant('eq'),
    value: fc.constant(0),
  }),
  fc.record({
    field: fc.constant('$count(builtImage.exposedPorts)'),
    operator: fc.constantFrom('eq', 'gt'),
    value: fc.nat(2),
  }),
)
const anyBody = fc
  .tuple(
    fc.oneof(
      anyCondition,
      fc.record({
        conditionMode: fc.constantFrom('all', 'any'),
        conditions: fc.array(anyCondition, { minLength: 2, maxLength: 3 }),
      }),
    ),
    fc.constantFrom('warning', 'error', 'critical'),
  )
  .map(([body, severity]) => ({ ...body, severity }))
const anyWorld = fc.record({
  bodies: fc.array(anyBody, { minLength: 1, maxLength: 4 }),
  category: fc.constantFrom('quality', 'build'),
  image: fc.record({
    user: fc.constantFrom('', '0', 'root', '1000'),
    layers: fc.integer({ min: 1, max: 4 }),
    ports: fc.subarray(['80/tcp', '8080/tcp']),
    team: fc.constantFrom(null, 'web'),
  }),
})

await describeStores('rules about a built image', WITH_POSTGRESQL, (open) => {
  let store: Store
  let kit: ComplianceApp
  let registry: FakeRegistry
  let ann: SignedIn
  let amy: SignedIn
  let builder: string
  let builderToken: () => Promise<string>
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
    const { clientId, clientSecret } = await createHostServicePrincipal(
      { runtime: kit.app.runtime, osUser: 'ops' },
      { name: 'builder', scopes: ['builds:work'] },
    )
    builderToken = async () => {
      const body = { grant_type: 'client_credentials', clientId, clientSecret }
      return (await kit.app.call('POST', '/auth/token', { body })).data.accessToken
    }
    builder = await builderToken()
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

    // An exemption by two people and a replay let it pass.
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

  it.each([
    ['public', 'dead'],
    ['private', 'completed'],
  ])('judge a plugin again that changed and is %s while its image is published', async (accessModifier, state) => {
    const noRoot = await rule('no public root', '', 'exists', undefined, {
      field: undefined,
      operator: undefined,
      conditionMode: 'any',
      conditions: [
        { field: 'accessModifier', operator: 'neq', value: 'public' },
        { field: 'builtImage.usesRootUser', operator: 'eq', value: false },
      ],
    })
    const { data } = await uploadOf()
    let isChanged = false
    registry.flap = (method, path) => {
      // Between the verdict and the end: the image is being published.
      if (method === 'PUT' && path.includes('/manifests/') && path.includes(ann.orgId) && !isChanged) {
        isChanged = true
        void kit.app.runtime.store.system.write(async (tx) => {
          const { plugins: t } = pluginTables(tx)
          await tx
            .update(t)
            .set({ accessModifier, revision: sql`${t.revision} + 1` })
            .where(eq(t.id, data.pluginId))
        })
      }
      return null
    }
    const jobId = await built({ user: '0' })
    registry.flap = () => null
    expect(isChanged).toBe(true)
    expect((await build(jobId)).state).toBe(state)
    expect(await plugin(data.pluginId)).toMatchObject({
      accessModifier,
      buildStatus: state === 'dead' ? 'failed' : 'ready',
    })
    // What was published for it goes a day later.
    const tag = `org-${ann.orgId}/${(await plugin(data.pluginId)).name}:1.0.0`
    expect(registry.manifests.has(tag)).toBe(true)
    kit.app.clock.advance(86_400_000 + 1000)
    await runJobs(kit.app, [dropImageJob])
    expect(registry.manifests.has(tag)).toBe(state === 'completed')
    ann = await signInAgain(kit.app, ann)
    amy = await signInAgain(kit.app, amy)
    builder = await builderToken()
    await drop(noRoot)
  })

  it('block what asks for a fact that is not known', async () => {
    const scanned = await rule('scanned', 'builtImage.vulnerabilities.critical', 'eq', 0)
    await uploadOf()
    expect(await build(await built({}))).toMatchObject({ violations: [{ ruleName: 'scanned', actualValue: null }] })
    await drop(scanned)
  })

  it('agree in both phases with the oracle of the engine, also once they are exempted', async () => {
    const ways = { passed: 0, 'blocked at the upload': 0, 'blocked by its image': 0, 'let through': 0 }
    await fc.assert(
      fc.asyncProperty(anyWorld, async ({ bodies, category, image }) => {
        const rules = []
        for (const body of bodies) {
          const name = `r${names++}`
          const answer = await kit.call(ann, 'POST', '/rules', { ...body, name, target: 'plugin' })
          if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
          rules.push({ ...body, name, target: 'plugin', source: 'own', id: answer.data.rule.id } as Rule & Named)
        }
        const [waiting, first] = [rules.filter(readsImage), rules.filter((each) => !readsImage(each))]
        // The Dockerfile says USER app.
        const plugin = { category, usesRootUser: false }
        const ruleNames = (found: readonly { ruleName: string }[]) => found.map(({ ruleName }) => ruleName).sort()
        const judge = (held: readonly Rule[], attributes: object, exempt: readonly string[] = []) => {
          const exemptions = exempt.map((ruleId) => ({ id: ruleId, ruleId }))
          return oracle(held, attributes, { target: 'plugin', now: 0, exemptions })
        }
        const atUpload = judge(first, plugin)
        const answer = await uploadOf({ spec: `category: ${category}\n` })
        if (atUpload.blocked) {
          ways['blocked at the upload'] += 1
          expect(answer.status).toBe(403)
          expect(ruleNames(answer.body.details.violations)).toEqual(ruleNames(atUpload.violations as never))
        } else {
          expect(answer.status).toBe(202)
          expect(ruleNames(answer.data.deferredRules ?? [])).toEqual(waiting.map(({ name }) => name).sort())
          const parts = { user: image.user, layers: image.layers, config: configOf(image) }
          const attributes = { ...plugin, usesRootUser: isRoot(image), builtImage: factsOf(image) }
          const whole = judge(rules, attributes)
          const jobId = await built(parts)
          const shown = await build(jobId)
          expect(shown.state).toBe(whole.blocked ? 'dead' : 'completed')
          if (whole.blocked) {
            ways['blocked by its image'] += 1
            expect(ruleNames(shown.violations)).toEqual(ruleNames(whole.violations as never))
            const blocking = whole.violations.filter(({ severity }) => severity !== 'warning')
            const waived = blocking.map(({ ruleId }) => String(ruleId))
            for (const ruleId of waived) await exempt(ruleId, answer.data.pluginId)
            await kit.app.call('POST', `/plugins/queue/dlq/${jobId}/replay`, { as: ann })
            const after = judge(rules, attributes, waived)
            expect([after.blocked, (await build(await built(parts))).state]).toEqual([false, 'completed'])
            ways['let through'] += 1
          } else ways.passed += 1
        }
        for (const { id } of rules) await drop(id)
      }),
      { numRuns: WORLDS, seed: 7, endOnFailure: true },
    )
    if (WORLDS < 12) delete (ways as Partial<typeof ways>)['blocked at the upload']
    expect(Object.entries(ways).filter(([, times]) => times === 0)).toEqual([])
  })

  /** Requested and approved by two people. */
  async function exempt(ruleId: string, entityId: string): Promise<void> {
    const body = { ruleId, entityType: 'plugin', entityId, reason: 'until the base is changed' }
    const asked = await kit.call(ann, 'POST', '/exemptions', body)
    await kit.call(amy, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' })
  }

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
    // A change of a built plugin is checked together with its image.
    const tiny = await rule('tiny', 'builtImage.sizeBytes', 'lt', 1)
    const change = (id: string) => kit.app.call('PUT', `/plugins/${id}`, { as: ann, body: { description: 'changed' } })
    expect((await change(image.data.pluginId)).code).toBe('COMPLIANCE_VIOLATION')
    expect((await change(metadata.data.pluginId)).status).toBe(200)
    for (const id of [...ids, tiny]) await drop(id)
  })
})
