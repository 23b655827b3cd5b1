/**
 * Goal: an accepted rule can be evaluated, changes are versioned and audited, and no organization changes rules of
 * another.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { stepUp } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'

await describeCompliance('rules', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let bob: SignedIn
  let member: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    bob = await signUp(kit.app, 'bob')
    member = await memberOf(kit, ada, 'member')
  })
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const create = async (name: string, more: object = {}, as = ada) =>
    (await call(as, 'POST', '/rules', noLatest(name, more))).data.rule

  it('a new rule has its defaults, a version and an ETag, and is told in the trail', async () => {
    const made = await call(ada, 'POST', '/rules', noLatest('  pinned version '))
    expect(made.status).toBe(201)
    expect(made.data.rule).toMatchObject({
      name: 'pinned version',
      severity: 'error',
      priority: 0,
      scope: 'org',
      conditions: null,
      conditionMode: 'all',
      tags: [],
      isActive: true,
      mode: 'enforce',
      version: 1,
      createdBy: ada.userId,
    })
    const read = await call(ada, 'GET', `/rules/${made.data.rule.id}`)
    expect(read.data.rule).toEqual(made.data.rule)
    expect(read.headers.get('etag')).toMatch(/^"1\./)
    expect((await evidence(kit.app)).at(-1)).toMatchObject({
      action: 'compliance.rule.create',
      targetId: made.data.rule.id,
      orgId: ada.orgId,
    })
  })

  it('every problem of a rule is told at once, each with its place', async () => {
    const bad = {
      name: 'bad',
      target: 'plugin',
      field: 'a..b',
      operator: 'in',
      value: 'x',
      priority: 10_001,
      tags: [''],
    }
    const answer = await call(ada, 'POST', '/rules', bad)
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    const paths = answer.body.details.issues.map(({ path }: { path: string }) => path)
    expect(paths.sort()).toEqual(['/body/field', '/body/priority', '/body/tags/0', '/body/value'])
    // All issues are reported, whether the schema or the engine finds them, and each once.
    const worse = { ...bad, severity: 'fatal', name: 7, colour: 'red' }
    const told = (await call(ada, 'POST', '/rules', worse)).body.details.issues
    expect(told.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/body/colour',
      '/body/field',
      '/body/name',
      '/body/priority',
      '/body/severity',
      '/body/tags/0',
      '/body/value',
    ])
    for (const body of [null, [], 7, 'rule']) expect((await call(ada, 'POST', '/rules', body)).status).toBe(400)
    // A patch gets the same issues, but none about the fields that it leaves out.
    const made = await create('to be patched')
    const toldOf = async (patch: object): Promise<string[]> => {
      const { status, body } = await call(ada, 'PUT', `/rules/${made.id}`, patch)
      expect(status).toBe(400)
      return body.details.issues.map(({ path }: { path: string }) => path).sort()
    }
    expect(await toldOf({ ...worse, target: undefined })).toEqual(told.map(({ path }: { path: string }) => path).sort())
    expect(await toldOf({ severity: 'fatal', priority: 10_001, value: 'x' })).toEqual([
      '/body/priority',
      '/body/severity',
    ])
    expect(await toldOf({ severity: 'fatal', conditionMode: 'any', field: null })).toEqual(['/body/severity'])
    const conditions = [{ field: 'a..b', operator: 'exists' }]
    expect(await toldOf({ severity: 'fatal', conditions, operator: null })).toEqual([
      '/body/conditions/0/field',
      '/body/severity',
    ])
  })

  it.each([
    ['too_long', 'a'.repeat(101)],
    ['unsupported', '(?=a)b'],
    ['unsafe', '(a+)+b'],
    ['syntax', '('],
    ['empty', ''],
  ])('a pattern is refused as %s', async (reason, value) => {
    const answer = await call(ada, 'POST', '/rules', noLatest(`pattern ${reason}`, { operator: 'regex', value }))
    expect(answer).toMatchObject({ status: 400, body: { details: { path: '/body/value', reason } } })
  })

  it('a name is taken while its rule lives, in one organization', async () => {
    const made = await create('unique')
    expect(await call(ada, 'POST', '/rules', noLatest('unique'))).toMatchObject({
      status: 409,
      code: 'DUPLICATE_ENTRY',
    })
    expect((await call(bob, 'POST', '/rules', noLatest('unique'))).status).toBe(201)
    await call(ada, 'DELETE', `/rules/${made.id}`)
    const again = await create('unique')
    expect(again.id).not.toBe(made.id)
    const restored = await call(ada, 'POST', `/rules/${made.id}/restore`, undefined, {
      headers: await stepUp(kit.app, ada),
    })
    expect(restored).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
  })

  it('dependsOnRule takes a name and keeps the id; unknown ones, other targets and cycles are refused', async () => {
    const base = await create('base')
    const gate = (dependsOnRule: string) => ({
      conditions: [{ dependsOnRule }, { field: 'name', operator: 'exists' }],
      field: null,
      operator: null,
      value: null,
    })
    const second = await create('second', gate('base'))
    expect(second.conditions[0]).toEqual({ dependsOnRule: base.id })
    const unknown = await call(ada, 'POST', '/rules', noLatest('third', gate('nobody')))
    expect(unknown).toMatchObject({ status: 400 })
    const other = await call(ada, 'POST', '/rules', noLatest('fourth', { ...gate('base'), target: 'pipeline' }))
    expect(other.body.details.issues).toMatchObject([{ path: '/body/conditions/0/dependsOnRule' }])
    const cycle = await call(ada, 'PUT', `/rules/${base.id}`, gate(second.id))
    expect(cycle.status).toBe(400)
    expect([...cycle.body.details.cycle].sort()).toEqual([base.id, second.id].sort())
    const refused = await call(ada, 'DELETE', `/rules/${base.id}`)
    expect(refused).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      body: { details: { dependents: [{ id: second.id, name: 'second' }] } },
    })
    await call(ada, 'DELETE', `/rules/${second.id}`)
    expect((await call(ada, 'DELETE', `/rules/${base.id}`)).status).toBe(200)
  })

  it('an update keeps what is not sent, counts the version, and refuses what it may not change', async () => {
    const made = await create('to change', { tags: ['a'], priority: 5 })
    const path = `/rules/${made.id}`
    const updated = await call(ada, 'PUT', path, { severity: 'critical' }, { headers: { 'if-match': '1' } })
    expect(updated.data.rule).toMatchObject({ severity: 'critical', priority: 5, tags: ['a'], version: 2 })
    const stale = await call(ada, 'PUT', path, { severity: 'error' }, { headers: { 'if-match': '1' } })
    expect(stale).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' })
    expect((await call(ada, 'PUT', path, { target: 'pipeline' })).status).toBe(400)
    expect((await call(ada, 'PUT', path, { id: made.id, version: 2, target: 'plugin' })).data.rule.version).toBe(2)
    expect((await call(ada, 'PUT', path, { createdBy: bob.userId, priority: 1 })).status).toBe(400)
    expect((await call(ada, 'PUT', path, { operator: 'in' })).status).toBe(400)
    const history = (await call(ada, 'GET', `${path}/history`)).data.history
    expect(history.map(({ changeType, version }: Record<string, unknown>) => [changeType, version])).toEqual([
      ['updated', 2],
      ['created', 1],
    ])
    expect(history[0].previousState).toMatchObject({ severity: 'error', mode: 'enforce' })
    expect(history[1].previousState).toBeNull()
  })

  it('leaving `enforce` needs a reason', async () => {
    const { id } = await create('rollout')
    expect((await call(ada, 'PUT', `/rules/${id}`, { mode: 'observe' })).status).toBe(400)
    const done = await call(ada, 'PUT', `/rules/${id}`, { mode: 'observe', reason: 'trying it out' })
    expect(done.data.rule.mode).toBe('observe')
  })

  it('a deleted rule keeps its history, and is restored or purged after a step-up', async () => {
    const { id } = await create('comes back')
    await call(ada, 'DELETE', `/rules/${id}`)
    expect((await call(ada, 'GET', `/rules/${id}`)).status).toBe(404)
    expect((await call(ada, 'GET', `/rules/${id}/history`)).data.history).toHaveLength(2)
    const listed = (await call(ada, 'GET', '/rules/deleted?limit=1000')).data.rules
    expect(listed.find((each: { id: string }) => each.id === id)).toMatchObject({ deletedBy: ada.userId })
    expect((await call(ada, 'POST', `/rules/${id}/restore`)).code).toBe('STEP_UP_REQUIRED')
    const restored = await call(ada, 'POST', `/rules/${id}/restore`, undefined, { headers: await stepUp(kit.app, ada) })
    expect(restored.data.rule).toMatchObject({ id, version: 2, deletedAt: null })
    const live = await call(ada, 'POST', `/rules/${id}/purge`, undefined, { headers: await stepUp(kit.app, ada) })
    expect(live.status).toBe(404)
    await call(ada, 'DELETE', `/rules/${id}`)
    expect(
      (await call(ada, 'POST', `/rules/${id}/purge`, undefined, { headers: await stepUp(kit.app, ada) })).status,
    ).toBe(200)
    expect((await call(ada, 'GET', `/rules/${id}/history`)).status).toBe(404)
  })

  it('a restored rule is answered with its policies, as it is read', async () => {
    const { id } = await create('back in its policies')
    const listing = { name: 'lists it', ruleIds: [id] }
    const policy = (await call(ada, 'POST', '/policies', listing)).data.policy
    await call(ada, 'DELETE', `/rules/${id}`)
    const headers = await stepUp(kit.app, ada)
    const restored = (await call(ada, 'POST', `/rules/${id}/restore`, undefined, { headers })).data.rule
    expect(restored).toMatchObject({ policyIds: [policy.id], policyId: policy.id })
    expect(restored).toEqual((await call(ada, 'GET', `/rules/${id}`)).data.rule)
  })

  it('only the system organization publishes rules and keeps templates', async () => {
    for (const more of [{ scope: 'published' }, { isTemplate: true }]) {
      expect(await call(ada, 'POST', '/rules', noLatest('public', more))).toMatchObject({
        status: 403,
        code: 'INSUFFICIENT_PERMISSIONS',
      })
    }
    // System administrators publish only in the system organization, not in their own.
    expect((await call(kit.root, 'POST', '/rules', noLatest('public', { scope: 'published' }))).status).toBe(403)
    const unknown = await kit.publish(noLatest('of a set', { tags: ['set:golden'] }))
    expect(unknown.body.details.issues).toMatchObject([{ path: '/body/tags/0', code: 'unknown_set' }])
    const published = await kit.publish(noLatest('for all', { tags: ['set:standard'] }))
    expect(published.status).toBe(201)
    const seen = await call(ada, 'GET', `/rules/${published.data.rule.id}`)
    expect(seen.data.rule).toMatchObject({ name: 'for all', orgId: SYSTEM_ORG_ID, createdBy: null })
    expect((await call(ada, 'DELETE', `/rules/${published.data.rule.id}`)).status).toBe(404)
    const listed = await call(ada, 'GET', '/rules?scope=published&tag=set:standard')
    expect(listed.data.rules.map(({ name }: { name: string }) => name)).toEqual(['for all'])
  })

  it('a team sees what its parent hands down and nothing else of it, and changes none of it', async () => {
    const team = await teamOf(kit, ada, 'Team of Ada')
    const down = await create('handed down', { propagateToChildren: true })
    const own = await create('kept at home')
    expect((await call(team, 'GET', `/rules/${down.id}`)).data.rule).toMatchObject({
      orgId: ada.orgId,
      createdBy: null,
    })
    for (const [method, path, body] of [
      ['GET', `/rules/${own.id}`, undefined],
      ['PUT', `/rules/${down.id}`, { priority: 1 }],
      ['DELETE', `/rules/${down.id}`, undefined],
      ['GET', `/rules/${down.id}/history`, undefined],
    ] as const) {
      expect((await call(team, method, path, body)).status).toBe(404)
    }
    expect((await call(team, 'GET', '/rules')).data.rules).toEqual([])
  })

  describe('lists', () => {
    it('filter by name, tag, severity and activity, and order by rank', async () => {
      const carl = await signUp(kit.app, 'carl')
      for (const [name, more] of [
        ['alpha 100%', { severity: 'warning', tags: ['x', 'a,b'] }],
        ['Beta', { severity: 'critical', tags: ['xy'] }],
        ['gamma', { severity: 'error', isActive: false }],
      ] as const)
        await create(name, more, carl)
      const names = async (query: string) =>
        (await call(carl, 'GET', `/rules?sortBy=severity&sortOrder=asc${query}`)).data.rules.map(
          ({ name }: { name: string }) => name,
        )
      expect(await names('')).toEqual(['alpha 100%', 'Beta'])
      expect(await names('&isActive=all')).toEqual(['alpha 100%', 'gamma', 'Beta'])
      expect(await names('&isActive=false')).toEqual(['gamma'])
      expect(await names('&name=bET')).toEqual(['Beta'])
      expect(await names('&name=%25')).toEqual(['alpha 100%'])
      expect(await names('&tag=x')).toEqual(['alpha 100%'])
      expect(await names('&tag=X')).toEqual([])
      expect(await names('&tag=a%2Cb')).toEqual(['alpha 100%'])
      expect(await names('&severity=critical&target=plugin')).toEqual(['Beta'])
      expect((await call(carl, 'GET', '/rules?severity=grave')).status).toBe(400)
      await create('ÜBERGABE an Ärzte', {}, carl)
      for (const part of ['ÜBERGABE an Ärzte', 'übergabe', 'Überg', 'ÄRZTE']) {
        expect(await names(`&name=${encodeURIComponent(part)}`)).toEqual(['ÜBERGABE an Ärzte'])
      }
    })
  })

  it('who may only read may not author', async () => {
    expect((await call(member, 'GET', '/rules')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/rules'],
      ['PUT', `/rules/${ada.orgId}`],
      ['DELETE', `/rules/${ada.orgId}`],
    ] as const) {
      expect((await call(member, method, path, method === 'DELETE' ? undefined : noLatest('x'))).status).toBe(403)
    }
  })
})
