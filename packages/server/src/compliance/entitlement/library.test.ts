/**
 * Goal: every organization sees what is published, the plan unlocks it, and an organization gets the starter rules and
 * the sets of its tier.
 */
import { libraries } from '@plumbline/rules'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, recordKey, signUp, teamOf, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf, stepUp } from '../../../test/support/organizations.js'
import { serviceToken } from '../../../test/support/services.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { loadFirstContent } from '../content/load.js'
import { lastRecheck } from '../recheck/last.js'

type Named = { readonly id: string; readonly name: string }

await describeCompliance('the libraries', { stores: WITH_POSTGRESQL, settings: { BILLING_ENABLED: 'true' } }, (kit) => {
  let ada: SignedIn
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  beforeAll(async () => {
    await loadFirstContent(kit.app.runtime as Runtime)
    ada = await signUp(kit.app, 'ada')
  })
  const setTier = async (tier: string) => {
    const headers = { ...(await stepUp(kit.app, kit.root)), 'x-org-id': SYSTEM_ORG_ID }
    const answer = await kit.app.call('PATCH', `/organization/${ada.orgId}/tier`, {
      as: kit.root,
      headers,
      body: { tier, force: true },
    })
    expect(answer.status).toBe(200)
  }
  const enforced = async (as: SignedIn): Promise<string[]> =>
    (await call(as, 'GET', '/subscriptions/enforced')).data.rules.map(({ name }: Named) => name)
  const rescans = (orgId: string): Promise<{ payload: unknown; runAtMs: number }[]> =>
    kit.store.system.read(async (db) => {
      const { jobs } = jobTables(db)
      const rows = await db.select().from(jobs).where(eq(jobs.orgId, orgId))
      return rows.filter(({ kind }) => kind === 'compliance.rescan')
    })
  const forgetJobs = () => kit.store.system.write((tx) => tx.delete(jobTables(tx).jobs))

  it('a new organization and a new team have the starter rules, none of them active', async () => {
    const starter = libraries.starter.map(({ rule }) => rule.name).sort()
    const bob = await signUp(kit.app, 'bob')
    const { subscriptions } = (await call(bob, 'GET', '/subscriptions?limit=100')).data
    expect(subscriptions.map((each: { rule: Named }) => each.rule.name).sort()).toEqual(starter)
    expect(new Set(subscriptions.map((each: { isActive: boolean }) => each.isActive))).toEqual(new Set([false]))
    expect(await enforced(bob)).toEqual([])
    expect(await evidenceOf(kit.app, bob.orgId)).toContain('compliance.subscription.create')
  })

  it('the policies of the libraries that are sold are seen with what unlocks them, and copied where the plan does', async () => {
    await setTier('developer')
    const { policies } = (await call(ada, 'GET', '/policies?limit=100')).data
    const published = policies.filter((each: { isPublished: boolean }) => each.isPublished)
    expect(published.map(({ name }: Named) => name).sort()).toEqual([
      'best-practices',
      'cis-controls',
      'pci-dss',
      'soc-2',
    ])
    const standard = published.find(({ name }: Named) => name === 'best-practices')
    const soc2 = published.find(({ name }: Named) => name === 'soc-2')
    expect(standard.unlockedBy).toEqual({
      requiredFeature: 'compliance_standard',
      tiers: ['enterprise'],
      addon: 'compliance_standard',
    })
    expect(soc2.unlockedBy).toMatchObject({ addon: 'compliance_advanced' })
    expect((await call(ada, 'GET', `/policies/${soc2.id}`)).data.policy.rules.length).toBeGreaterThan(10)
    const listed = (await call(ada, 'GET', '/published-rules?name=standard-plugin-version-fixed')).data.rules
    expect(listed[0].policyIds).toEqual([standard.id])
    for (const refused of [
      await call(ada, 'POST', `/policies/${standard.id}/clone`, {}),
      await call(ada, 'GET', `/policies/${standard.id}/diff`),
    ]) {
      expect(refused).toMatchObject({
        status: 403,
        body: { details: { reason: 'feature', ...standard.unlockedBy } },
      })
    }
    await setTier('enterprise')
    const cloned = await call(ada, 'POST', `/policies/${standard.id}/clone`, {})
    expect(cloned).toMatchObject({
      status: 201,
      data: { policy: { isPublished: false, isTemplate: false, unlockedBy: null, tags: [], orgId: ada.orgId } },
    })
    expect(cloned.data.rules.length).toBe(libraries.standard.length)
    expect((await call(ada, 'GET', `/policies/${standard.id}/diff`)).status).toBe(200)
    await call(ada, 'DELETE', `/policies/${cloned.data.policy.id}`)
    for (const { id } of [...cloned.data.rules].reverse()) await call(ada, 'DELETE', `/rules/${id}`)
    // A policy that the system organization does not publish is not visible to others.
    const own = await call(
      kit.root,
      'POST',
      '/policies',
      { name: 'private' },
      { headers: { 'x-org-id': SYSTEM_ORG_ID } },
    )
    expect((await call(ada, 'GET', `/policies/${own.data.policy.id}`)).status).toBe(404)
  })

  it('a change of the tier switches the rules of sets on and off, in the teams too, and has the records scanned', async () => {
    await setTier('enterprise')
    const team = await teamOf(kit, ada, 'Team')
    const sold = libraries.standard.length + libraries.advanced.length
    expect((await enforced(ada)).length).toBe(sold)
    await setTier('developer')
    expect([(await enforced(ada)).length, (await enforced(team)).length]).toEqual([0, 0])
    await forgetJobs()
    await setTier('enterprise')
    expect([(await enforced(ada)).length, (await enforced(team)).length]).toEqual([sold, sold])
    expect((await rescans(ada.orgId)).length).toBe(2)
    expect((await call(kit.root, 'GET', `/entitlements/${ada.orgId}`)).data.sets).toEqual(['standard', 'advanced'])
    await setTier('developer')
  })

  it('what a new team switched off stays off when its account gains another set', async () => {
    // The account has one set, and the team is made after it got that set.
    await unlock(kit, ada.orgId, ['compliance_standard'], 'team')
    const team = await teamOf(kit, ada, 'Later team')
    const { rules } = (await call(team, 'GET', '/published-rules?tag=set:standard&limit=1')).data
    const [rule] = rules as Named[]
    const switched = (isActive: boolean) => call(team, 'PATCH', `/subscriptions/${rule?.id}`, { isActive })
    await call(team, 'POST', '/subscriptions', { ruleId: rule?.id })
    await switched(true)
    expect((await switched(false)).status).toBe(200)
    await setTier('enterprise')
    const sold = libraries.standard.length + libraries.advanced.length
    expect((await enforced(team)).length).toBe(sold - 1)
    expect(await enforced(team)).not.toContain(rule?.name)
    // Once the account has lost the set and gains it again, the rule is on.
    await unlock(kit, ada.orgId, [], 'enterprise')
    await setTier('developer')
    await setTier('enterprise')
    expect((await enforced(team)).length).toBe(sold)
    await setTier('developer')
  })

  it('a published rule shows its history to those who may read it, without names', async () => {
    const rule = (await kit.publish(noLatest('with a past'))).data.rule
    const system = { headers: { 'x-org-id': SYSTEM_ORG_ID } }
    await call(kit.root, 'PUT', `/rules/${rule.id}`, { severity: 'warning' }, system)
    const { history } = (await call(ada, 'GET', `/rules/${rule.id}/history`)).data
    expect(history.map((each: { changeType: string }) => each.changeType).sort()).toEqual(['created', 'updated'])
    expect(history.map((each: { changedBy: unknown }) => each.changedBy)).toEqual([null, null])
    const own = (await call(kit.root, 'POST', '/rules', noLatest('of the system'), system)).data.rule
    expect((await call(ada, 'GET', `/rules/${own.id}/history`)).status).toBe(404)
  })

  it('what is switched on is followed by a scan of its target half a minute later', async () => {
    const rule = (await kit.publish(noLatest('switched'))).data.rule
    await call(ada, 'POST', '/subscriptions', { ruleId: rule.id })
    await forgetJobs()
    const begun = kit.app.clock.now()
    await call(ada, 'PATCH', `/subscriptions/${rule.id}`, { isActive: true })
    expect(await rescans(ada.orgId)).toMatchObject([
      { payload: { orgId: ada.orgId, target: 'plugin' }, runAtMs: begun + 30_000 },
    ])
    await forgetJobs()
    await call(ada, 'PATCH', `/subscriptions/${rule.id}`, { isActive: true })
    expect(await rescans(ada.orgId)).toEqual([])
    const own = (await call(ada, 'POST', '/rules', noLatest('in a policy', { target: 'pipeline' }))).data.rule
    const policy = (await call(ada, 'POST', '/policies', { name: 'off', isActive: false, ruleIds: [own.id] })).data
      .policy
    await forgetJobs()
    await call(ada, 'PUT', `/policies/${policy.id}`, { isActive: true })
    expect(await rescans(ada.orgId)).toMatchObject([{ payload: { target: 'pipeline' } }])
    await call(ada, 'DELETE', `/policies/${policy.id}`)
    await call(ada, 'DELETE', `/rules/${own.id}`)
    await call(ada, 'DELETE', `/subscriptions/${rule.id}`)
  })

  it('a copy says which rules it waits for', async () => {
    const base = (await kit.publish(noLatest('waited for'))).data.rule
    const conditions = [{ dependsOnRule: base.id }, { field: 'version', operator: 'neq', value: 'old' }]
    const gated = (await kit.publish({ name: 'waits', target: 'plugin', conditions })).data.rule
    const copied = await call(ada, 'POST', '/subscriptions/clone', { ruleId: gated.id })
    expect(copied.data.warnings).toMatchObject([{ code: 'DEPENDENCY_NOT_ENFORCED', ruleId: base.id }])
    await call(ada, 'POST', '/subscriptions', { ruleId: base.id })
    await call(ada, 'PATCH', `/subscriptions/${base.id}`, { isActive: true })
    const again = await call(ada, 'POST', '/subscriptions/clone', { ruleId: gated.id })
    expect(again.data.warnings).toEqual([])
    for (const { rule } of [copied.data, again.data]) await call(ada, 'DELETE', `/rules/${rule.id}`)
  })

  it('an event of another system checks the record again, once, under the organization that it names', async () => {
    const id = '99999999-9999-7999-8999-999999999999'
    await setTier('developer')
    const sender = await serviceToken(kit.app, ['compliance:events'])
    const send = (more: object = {}) =>
      call(sender, 'POST', '/events/entity', {
        eventId: kit.app.runtime.ids.next(),
        entityId: id,
        orgId: ada.orgId,
        target: 'plugin',
        eventType: 'updated',
        timestamp: new Date(kit.app.clock.now()).toISOString(),
        attributes: { version: 'latest' },
        entityName: 'elsewhere',
        ...more,
      })
    const eventId = kit.app.runtime.ids.next()
    expect((await send({ eventId })).data).toEqual({ processed: true, result: 'block' })
    expect((await send({ eventId })).data).toEqual({ processed: false, result: null })
    const entries = (await call(ada, 'GET', '/audit?action=recheck')).data.entries
    expect(entries).toMatchObject([{ entityId: id, entityName: 'elsewhere', result: 'block' }])
    const state = await kit.store.system.read((db) =>
      lastRecheck(db, { orgId: ada.orgId, target: 'plugin', entityId: id }),
    )
    expect(state?.result).toBe('block')
    kit.app.clock.advance(1000)
    // A stored record is read again, whatever attributes the event has.
    kit.inventory.set(recordKey(ada.orgId, 'plugin', id), {
      id,
      name: 'here',
      revision: 1,
      attributes: { version: '1.0.0' },
    })
    expect((await send()).data).toEqual({ processed: true, result: 'pass' })
    expect((await send({ eventType: 'deleted' })).data).toEqual({ processed: true, result: null })
    const past = new Date(kit.app.clock.now() - 500).toISOString()
    expect((await send({ timestamp: past })).data).toEqual({ processed: false, result: null })
    expect((await send({ orgId: id })).status).toBe(400)
    expect((await send({ timestamp: '2100-01-01T00:00:00.000Z' })).status).toBe(400)
    expect((await call(ada, 'POST', '/events/entity', {})).status).toBe(403)
  })
})
