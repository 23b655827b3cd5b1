/** Who may change which plugin; what is stored is what was checked; and no account exceeds its capacity. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, signInAgain } from '../../../test/support/organizations.js'
import { PASSES, type PluginApp, pluginApp, pluginZip, uploaded, uploadZip } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { deleteMe } from '../../identity/me/delete.js'
import { removeMember } from '../../identity/member/remove.js'
import { identityTables } from '../../identity/tables.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { createBuildQueue } from '../build/index.js'
import { pluginTables } from '../tables.js'

const PLACES = 3
const BYTES = 4000

await describeStores('plugins and who may change them', BOTH_DATABASES, (open) => {
  let store: Store
  let app: PluginApp
  /** Owns the organization of which `bob` is a member. */
  let ann: SignedIn
  let bob: SignedIn
  let eve: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, {
      operations: [removeMember, deleteMe],
      settings: {
        BILLING_ENABLED: 'true',
        QUOTA_TIER_DEVELOPER_PLUGINS: String(PLACES),
        QUOTA_TIER_DEVELOPER_STORAGE_BYTES: String(BYTES),
      },
    })
    ann = await signUp(app, 'ann')
    eve = await signUp(app, 'eve')
    bob = await signUp(app, 'bob')
    await enrol(app, bob, ann.orgId)
    bob = await signInAgain(app, bob)
    await writeScope('org')
  })
  const writeScope = async (memberWriteScope: 'own' | 'org') => {
    const settings = { memberWriteScope, defaultRoleIds: [] }
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ settings }).where(eq(organizations.id, ann.orgId))
    })
    app.identity.directory.drop({ orgId: ann.orgId })
  }
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })
  const asBob = () => ({ as: bob, headers: { 'x-org-id': ann.orgId } })
  const put = (id: string, body: object, more: { as: SignedIn; headers?: Record<string, string> } = { as: ann }) =>
    app.call('PUT', `/plugins/${id}`, { ...more, body })
  const gone = async (id: string) => {
    await app.call('DELETE', `/plugins/${id}?force=true`, { as: ann })
    await confirmed(app, 'POST', `/plugins/${id}/purge`, { as: ann })
  }
  const live = async () =>
    (await app.call('GET', '/plugins?isActive=all&scope=own', { as: ann })).data.pagination.total as number

  it('are checked again when the owner leaves and somebody else owns them', async () => {
    const leaver = await signInAgain(app, await enrol(app, await signUp(app, 'leaver'), ann.orgId))
    const headers = { 'x-org-id': ann.orgId }
    const { pluginId } = (await uploadZip(app, leaver, pluginZip({ name: 'theirs' }), {}, { headers })).data
    const path = `/organization/${ann.orgId}/members/${leaver.userId}?reassignTo=${ann.userId}`
    expect((await confirmed(app, 'DELETE', path, { as: ann })).status).toBe(204)
    const { plugin } = (await app.call('GET', `/plugins/${pluginId}`, { as: ann })).data
    expect(plugin).toMatchObject({ ownerId: ann.userId, revision: 2 })
    const jobs = await store.system.read((db) => db.select().from(jobTables(db).jobs))
    const events = jobs
      .filter(({ kind }) => kind === 'compliance.recheck')
      .map(({ payload }) => payload as { entityId: string; eventType: string })
      .filter(({ entityId }) => entityId === pluginId)
    expect(events.map(({ eventType }) => eventType)).toEqual(['created', 'updated'])
    await gone(pluginId)
  })

  it('have no owner, a new revision and a new check when the account of the owner is deleted', async () => {
    const leaver = await signInAgain(app, await enrol(app, await signUp(app, 'erased'), ann.orgId))
    const headers = { 'x-org-id': ann.orgId }
    const { pluginId } = (await uploadZip(app, leaver, pluginZip({ name: 'nobodys' }), {}, { headers })).data
    const read = async () => (await app.call('GET', `/plugins/${pluginId}`, { as: ann })).data.plugin
    const { revision } = await read()
    await store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx.update(t).set({ ownerId: ann.userId }).where(eq(t.ownerId, leaver.userId))
    })
    app.identity.directory.drop({ orgId: leaver.orgId })
    expect((await confirmed(app, 'DELETE', '/auth/me', { as: leaver })).status).toBe(204)
    expect(await read()).toMatchObject({ ownerId: null, revision: revision + 1 })
    const stale = { as: ann, headers: { 'if-match': `"${revision}"` } }
    expect((await put(pluginId, { category: 'x' }, stale)).status).toBe(412)
    const jobs = await store.system.read((db) => db.select().from(jobTables(db).jobs))
    const events = jobs
      .filter(({ kind }) => kind === 'compliance.recheck')
      .map(({ payload }) => payload as { entityId: string; userId: string })
      .filter(({ entityId }) => entityId === pluginId)
    expect(events.map(({ userId }) => userId)).toEqual([leaver.userId, 'system'])
    await gone(pluginId)
  })

  it('those who may not publish change nothing that is public, and make nothing public', async () => {
    const shared = await uploaded(app, ann, { name: 'shared' }, { accessModifier: 'public' })
    const own = await uploaded(app, ann, { name: 'own' })
    const required = { status: 403, body: { details: { required: ['plugins:publish'] } } }
    const headers = { 'x-org-id': ann.orgId }
    expect(await put(own, { accessModifier: 'public' }, asBob())).toMatchObject(required)
    expect(await put(shared, { category: 'x' }, asBob())).toMatchObject(required)
    expect(await app.call('DELETE', `/plugins/${shared}`, asBob())).toMatchObject(required)
    const zip = pluginZip({ name: 'new' })
    expect(await uploadZip(app, bob, zip, { accessModifier: 'public' }, { headers })).toMatchObject(required)
    const again = pluginZip({ name: 'shared' })
    expect(await uploadZip(app, bob, again, {}, { headers, query: '?replace=true' })).toMatchObject(required)
    const bulk = await app.call('POST', '/plugins/bulk/delete', { ...asBob(), body: { ids: [shared] } })
    expect(bulk.data?.items?.[0]?.code ?? bulk.code).toBe('INSUFFICIENT_PERMISSIONS')
    expect((await put(own, { category: 'x' }, asBob())).status).toBe(200)
    for (const id of [shared, own]) await gone(id)
  })

  it('a build is cancelled by those who may change its plugin', async () => {
    const queued = async (name: string, accessModifier: string) => {
      const zip = pluginZip({ name, buildType: 'build_image' })
      return (await uploadZip(app, ann, zip, { accessModifier })).data as { pluginId: string; jobId: string }
    }
    const [own, shared] = [await queued('cancelled', 'private'), await queued('cancelled-public', 'public')]
    const cancel = ({ jobId }: { jobId: string }) => app.call('POST', `/plugins/builds/${jobId}/cancel`, asBob())
    expect(await cancel(own)).toMatchObject({ status: 200, data: { build: { state: 'cancelled' } } })
    expect(await cancel(shared)).toMatchObject({ status: 403, body: { details: { required: ['plugins:publish'] } } })
    for (const { pluginId } of [own, shared]) await gone(pluginId)
  })

  it('members change their own alone where the organization says so', async () => {
    const headers = { 'x-org-id': ann.orgId }
    const anns = await uploaded(app, ann, { name: 'anns' })
    const bobs = (await uploadZip(app, bob, pluginZip({ name: 'bobs' }), {}, { headers })).data.pluginId
    await writeScope('own')
    const refused = { status: 403, body: { details: { reason: 'owner' } } }
    expect(await put(anns, { category: 'x' }, asBob())).toMatchObject(refused)
    expect(await app.call('DELETE', `/plugins/${anns}`, asBob())).toMatchObject(refused)
    expect(await uploadZip(app, bob, pluginZip({ name: 'anns' }), {}, { headers })).toMatchObject(refused)
    expect((await put(bobs, { category: 'x' }, asBob())).status).toBe(200)
    for (const id of [anns, bobs]) await gone(id)
  })

  it.each([
    ['an update', (id: string) => put(id, { description: 'mine' })],
    ['an upload', () => uploadZip(app, ann, pluginZip({ name: 'raced', spec: 'category: mine\n' }))],
    ['a restore of what was restored', (id: string) => confirmed(app, 'POST', `/plugins/${id}/restore`, { as: ann })],
  ])('%s is refused when the plugin changed while the rules thought about it', async (what, act) => {
    const id = await uploaded(app, ann, { name: 'raced' })
    if (what.startsWith('a restore')) await app.call('DELETE', `/plugins/${id}`, { as: ann })
    app.rules.answer = () => {
      app.rules.answer = () => PASSES
      return bumped(id).then(() => PASSES)
    }
    expect(await act(id)).toMatchObject({ status: 409, code: 'CONFLICT' })
    if (what.startsWith('a restore')) await confirmed(app, 'POST', `/plugins/${id}/restore`, { as: ann })
    await gone(id)
  })

  /** Another person's change in between. */
  const bumped = (id: string) =>
    store.system.write(async (tx) => {
      const { plugins } = pluginTables(tx)
      await tx
        .update(plugins)
        .set({ revision: sql`${plugins.revision} + 1` })
        .where(eq(plugins.id, id))
    })

  it('an update keeps what others changed while the rules thought about it', async () => {
    const id = await uploaded(app, ann, { name: 'kept', buildType: 'build_image' })
    const { plugins } = pluginTables(store)
    const row = async () => {
      const rows = await store.system.read((db) => db.select().from(plugins).where(eq(plugins.id, id)))
      return rows[0]
    }
    const meanwhile = { buildStatus: 'failed', ownerId: bob.userId, wantsDefault: true } as const
    app.rules.answer = async () => {
      app.rules.answer = () => PASSES
      await store.system.write((tx) => tx.update(plugins).set(meanwhile).where(eq(plugins.id, id)))
      return PASSES
    }
    expect((await put(id, { description: 'mine' })).status).toBe(200)
    expect(await row()).toMatchObject({ ...meanwhile, description: 'mine' })
    await gone(id)
  })

  describe('places', () => {
    it('are never more than the account has, no matter who uploads at once', async () => {
      expect(await live()).toBe(0)
      const answers = await Promise.all(
        Array.from({ length: PLACES + 3 }, (_, n) => uploadZip(app, ann, pluginZip({ name: `many${n}` }))),
      )
      const made = answers.filter(({ status }) => status === 201)
      expect([made.length, await live()]).toEqual([PLACES, PLACES])
      expect(answers.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(3)
      // A new upload of an existing version uses no further capacity.
      expect((await uploadZip(app, ann, pluginZip({ name: made[0]?.data.pluginName }))).status).toBe(200)
      const [first = '', ...rest] = made.map(({ data }) => data.pluginId as string)
      await app.call('DELETE', `/plugins/${first}`, { as: ann })
      const last = await uploaded(app, ann, { name: 'last' })
      const back = await confirmed(app, 'POST', `/plugins/${first}/restore`, { as: ann })
      expect(back).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
      for (const id of [first, last, ...rest]) await gone(id)
    })

    it('are counted in bytes too', async () => {
      const data = { name: 'data', content: Buffer.alloc(2200), method: 0 }
      const zip = (name: string) => pluginZip({ name, files: [data] })
      const one = await uploadZip(app, ann, zip('one'))
      const both = await Promise.all([uploadZip(app, ann, zip('two')), uploadZip(app, ann, zip('three'))])
      expect([one, ...both].map(({ status }) => status)).toEqual([201, 429, 429])
      await gone(one.data.pluginId)
      // Two uploads find capacity for one and are checked at the same time: the second one is refused.
      let asked = 0
      app.rules.answer = async () => {
        asked += 1
        while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 5))
        return PASSES
      }
      const race = await Promise.all([uploadZip(app, ann, zip('left')), uploadZip(app, ann, zip('right'))])
      app.rules.answer = () => PASSES
      expect(race.map(({ status }) => status).sort()).toEqual([201, 429])
      await gone(race.find(({ status }) => status === 201)?.data.pluginId)
    })

    it('are free after a build that failed for good, and taken again by its replay, which rules may block', async () => {
      const failed = await uploaded(app, ann, { name: 'failed', buildType: 'build_image' })
      const queue = createBuildQueue(app.runtime)
      const claimed = await queue.claim('a builder')
      if (claimed === null) throw new Error('nothing is due')
      await queue.fail(claimed, { category: 'validation', message: 'no', isPermanent: true })
      const full: string[] = []
      for (let n = 0; n < PLACES; n++) full.push(await uploaded(app, ann, { name: `full${n}` }))
      const replay = () => app.call('POST', `/plugins/queue/dlq/${claimed.jobId}/replay`, { as: ann })
      expect(await replay()).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
      const again = await uploadZip(app, ann, pluginZip({ name: 'failed', buildType: 'build_image' }))
      expect(again).toMatchObject({ status: 429, code: 'QUOTA_EXCEEDED' })
      await gone(full[0] ?? '')
      app.rules.answer = () => ({ ...PASSES, passed: false, blocked: true })
      expect(await replay()).toMatchObject({ status: 403, code: 'COMPLIANCE_VIOLATION' })
      app.rules.answer = () => PASSES
      const other = { as: eve }
      expect((await app.call('POST', `/plugins/queue/dlq/${claimed.jobId}/replay`, other)).status).toBe(404)
      expect((await replay()).status).toBe(202)
      for (const id of [failed, ...full.slice(1)]) await gone(id)
    })
  })

  it('rules may block what comes back', async () => {
    const id = await uploaded(app, ann, { name: 'back' })
    await app.call('DELETE', `/plugins/${id}`, { as: ann })
    const restore = (as: SignedIn) => confirmed(app, 'POST', `/plugins/${id}/restore`, { as })
    expect((await restore(eve)).status).toBe(404)
    app.rules.answer = () => ({ ...PASSES, passed: false, blocked: true })
    expect(await restore(ann)).toMatchObject({ status: 403, code: 'COMPLIANCE_VIOLATION' })
    app.rules.answer = () => PASSES
    expect((await restore(ann)).status).toBe(200)
    await gone(id)
  })
})
