/**
 * Goal: published rules apply to the organizations that activated them, in the version that they chose, and to no
 * other.
 */
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, recordKey, signUp, teamOf, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs, stepUp } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { notifyJob } from '../../notification/delivery/notify.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { NOTICE_JOB } from '../../runtime/records/notice.js'
import { tellSubscribersJob } from './notify-subscribers.js'

const BAD = { attributes: { version: 'latest' } }
const SYSTEM = { headers: { 'x-org-id': SYSTEM_ORG_ID } }

await describeCompliance('subscriptions', { stores: BOTH_DATABASES, settings: { BILLING_ENABLED: 'true' } }, (kit) => {
  let ada: SignedIn
  let poor: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    poor = await signUp(kit.app, 'poor')
    await unlock(kit, ada.orgId, ['compliance_standard', 'compliance_advanced'])
  })
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const publish = async (name: string, more: object = {}) => (await kit.publish(noLatest(name, more))).data.rule
  const update = (id: string, patch: object) => call(kit.root, 'PUT', `/rules/${id}`, patch, SYSTEM)
  const subscribe = (as: SignedIn, ruleId: string) => call(as, 'POST', '/subscriptions', { ruleId })
  const set = (as: SignedIn, ruleId: string, patch: object) => call(as, 'PATCH', `/subscriptions/${ruleId}`, patch)
  const violated = async (as: SignedIn) =>
    (await call(as, 'POST', '/validate/plugin/dry-run', BAD)).data.violations as Record<string, unknown>[]
  const names = async (as: SignedIn) => (await violated(as)).map(({ ruleName }) => ruleName)
  const held = async (as: SignedIn) => (await call(as, 'GET', '/subscriptions/enforced')).data.rules

  it('begins inactive, is enforced while it is active, and is unchanged by another request', async () => {
    const rule = await publish('first')
    const made = await subscribe(ada, rule.id)
    expect(made.status).toBe(201)
    expect(made.data.subscription).toMatchObject({
      isActive: false,
      isPinned: false,
      source: 'manual',
      mode: 'enforce',
    })
    expect(await names(ada)).toEqual([])
    expect((await set(ada, rule.id, { isActive: true })).data.subscription.isActive).toBe(true)
    expect(await violated(ada)).toMatchObject([{ ruleName: 'first', source: 'subscribed' }])
    expect(await names(poor)).toEqual([])
    const again = await subscribe(ada, rule.id)
    expect(again.status).toBe(200)
    expect(again.data.subscription.isActive).toBe(true)
    await set(ada, rule.id, { isActive: false })
    expect(await names(ada)).toEqual([])
    expect((await evidence(kit.app)).slice(-3).map(({ action }) => action)).toEqual([
      'compliance.subscription.create',
      'compliance.rule.toggle',
      'compliance.rule.toggle',
    ])
  })

  it('ends, and begins again inactive and unpinned', async () => {
    const rule = await publish('comes and goes')
    await subscribe(ada, rule.id)
    await set(ada, rule.id, { isActive: true })
    await call(ada, 'POST', `/subscriptions/${rule.id}/pin`)
    expect((await call(ada, 'DELETE', `/subscriptions/${rule.id}`)).status).toBe(200)
    expect(await names(ada)).toEqual([])
    for (const [method, path, patch] of [
      ['PATCH', '', { isActive: true }],
      ['POST', '/pin', undefined],
      ['DELETE', '/pin', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      expect((await call(ada, method, `/subscriptions/${rule.id}${path}`, patch)).status).toBe(404)
    }
    expect((await subscribe(ada, rule.id)).data.subscription).toMatchObject({ isActive: false, isPinned: false })
  })

  it('is to published rules alone', async () => {
    const own = (await call(ada, 'POST', '/rules', noLatest('own'))).data.rule
    expect((await subscribe(ada, own.id)).status).toBe(400)
    expect((await subscribe(poor, own.id)).status).toBe(404)
    await call(ada, 'DELETE', `/rules/${own.id}`)
    const gone = await publish('gone')
    await call(kit.root, 'DELETE', `/rules/${gone.id}`, undefined, SYSTEM)
    expect((await subscribe(ada, gone.id)).status).toBe(404)
    const rule = await publish('not for the system')
    for (const path of ['/subscriptions', '/subscriptions/clone']) {
      expect((await call(kit.root, 'POST', path, { ruleId: rule.id }, SYSTEM)).status).toBe(403)
    }
  })

  it('pinned keeps its version whole; the end of the rule ends it all the same', async () => {
    const rule = await publish('moving', { severity: 'warning' })
    await subscribe(ada, rule.id)
    await set(ada, rule.id, { isActive: true })
    await call(ada, 'POST', `/subscriptions/${rule.id}/pin`)
    await update(rule.id, { name: 'moved', severity: 'critical' })
    expect(await violated(ada)).toMatchObject([{ ruleName: 'moving', severity: 'warning' }])
    const listed = (await call(ada, 'GET', '/subscriptions?isPinned=true')).data.subscriptions
    expect(listed).toMatchObject([
      { isPinned: true, pinnedVersion: 1, latestVersion: 2, rule: { name: 'moving', severity: 'warning', version: 1 } },
    ])
    expect(await held(ada)).toMatchObject([{ source: 'subscribed', pinned: true, version: 1 }])
    // Pinned again, now to the newest version.
    await call(ada, 'POST', `/subscriptions/${rule.id}/pin`)
    expect(await names(ada)).toEqual(['moved'])
    await call(ada, 'DELETE', `/subscriptions/${rule.id}/pin`)
    await update(rule.id, { name: 'moved on' })
    expect(await names(ada)).toEqual(['moved on'])
    await call(ada, 'POST', `/subscriptions/${rule.id}/pin`)
    await update(rule.id, { isActive: false })
    expect(await names(ada)).toEqual([])
    await update(rule.id, { isActive: true })
    expect(await names(ada)).toEqual(['moved on'])
    await call(kit.root, 'DELETE', `/rules/${rule.id}`, undefined, SYSTEM)
    expect(await names(ada)).toEqual([])
    const ended = (await call(ada, 'GET', '/subscriptions?isPinned=true')).data.subscriptions
    expect(ended).toMatchObject([{ rule: { deletedAt: expect.any(String) } }])
    // A purge: the subscription is deleted with the rule.
    await call(kit.root, 'POST', `/rules/${rule.id}/purge`, undefined, {
      headers: { ...SYSTEM.headers, ...(await stepUp(kit.app, kit.root)) },
    })
    expect((await call(ada, 'GET', '/subscriptions?isPinned=true')).data.subscriptions).toEqual([])
  })

  it('a set is unlocked by the plan: to subscribe, to switch on, to copy and to try out', async () => {
    const rule = await publish('of the standard set', { tags: ['set:standard'] })
    const both = await publish('of both sets', { tags: ['set:standard', 'set:advanced'] })
    const refused = (requiredFeature: string) => ({
      status: 403,
      code: 'INSUFFICIENT_PERMISSIONS',
      body: { details: { reason: 'feature', requiredFeature } },
    })
    expect(await subscribe(poor, rule.id)).toMatchObject(refused('compliance_standard'))
    expect(await subscribe(poor, both.id)).toMatchObject(refused('compliance_advanced'))
    // The onboarding subscribes to these rules too; activating them still needs the plan.
    const auto = await call(kit.root, 'POST', '/subscriptions/auto-subscribe', undefined, {
      headers: { 'x-org-id': poor.orgId },
    })
    expect(auto.data.subscribed).toBeGreaterThanOrEqual(2)
    expect(await set(poor, rule.id, { isActive: true })).toMatchObject(refused('compliance_standard'))
    const free = await publish('of no set')
    await subscribe(poor, free.id)
    const bulk = await call(poor, 'POST', '/subscriptions/bulk', { ruleIds: [free.id, rule.id], isActive: true })
    expect(bulk).toMatchObject(refused('compliance_standard'))
    expect(await names(poor)).toEqual([])
    for (const path of ['/subscriptions/clone', '/subscriptions/preview', '/subscriptions/preview/impact']) {
      expect(await call(poor, 'POST', path, { ruleId: rule.id }), path).toMatchObject(refused('compliance_standard'))
    }
    expect((await subscribe(ada, both.id)).status).toBe(201)
    await set(ada, both.id, { isActive: true })
    expect((await set(ada, both.id, { isActive: false })).data.subscription.optedOut).toBe(true)
  })

  it('many at once: each rule has its answer, only what changes counts, and what is not subscribed is named', async () => {
    const [one, two, three] = [await publish('b1'), await publish('b2'), await publish('b3')]
    for (const { id } of [one, two]) await subscribe(ada, id)
    await set(ada, one.id, { isActive: true })
    const answer = await call(ada, 'POST', '/subscriptions/bulk', {
      ruleIds: [one.id, 'no-id', two.id, three.id, one.id, 7],
      isActive: true,
    })
    expect(answer.data).toMatchObject({ requested: 6, updated: 1, notFound: [three.id], failed: 4 })
    expect(answer.data.items).toMatchObject([
      { index: 0, ruleId: one.id, status: 'unchanged' },
      { index: 1, status: 'failed', code: 'VALIDATION_ERROR', details: { issues: [{ path: '/body/ruleIds/1' }] } },
      { index: 2, ruleId: two.id, status: 'updated' },
      { index: 3, ruleId: three.id, status: 'failed', code: 'NOT_FOUND' },
      { index: 4, status: 'failed', code: 'DUPLICATE_ENTRY' },
      { index: 5, status: 'failed', code: 'VALIDATION_ERROR' },
    ])
    expect((await names(ada)).sort()).toEqual(['b1', 'b2'])
    await call(ada, 'POST', '/subscriptions/bulk', { ruleIds: [one.id, two.id], isActive: false })
    const tooMany = Array.from({ length: 101 }, () => kit.app.runtime.ids.next())
    for (const ruleIds of [tooMany, [], one.id, null]) {
      expect((await call(ada, 'POST', '/subscriptions/bulk', { ruleIds, isActive: true })).status).toBe(400)
    }
  })

  it('rollout of a subscription is the organization’s own', async () => {
    const rule = await publish('rolled out', { severity: 'critical' })
    await subscribe(ada, rule.id)
    expect((await set(ada, rule.id, { isActive: true, mode: 'warn' })).status).toBe(400)
    await set(ada, rule.id, { isActive: true, mode: 'warn', reason: 'at first' })
    expect(await violated(ada)).toMatchObject([{ severity: 'warning', declaredSeverity: 'critical' }])
    await call(ada, 'DELETE', `/subscriptions/${rule.id}`)
  })

  it('a team is not held to what its parent subscribed to', async () => {
    const rule = await publish('of the parent')
    await subscribe(ada, rule.id)
    await set(ada, rule.id, { isActive: true })
    const team = await teamOf(kit, ada, 'Team')
    expect(await names(team)).toEqual([])
    expect(await held(team)).toEqual([])
    await set(ada, rule.id, { isActive: false })
  })

  it('a copy is an own rule, free of sets and of its original', async () => {
    const rule = await publish('origin', { tags: ['set:standard', 'kept'], severity: 'critical' })
    const first = await call(ada, 'POST', '/subscriptions/clone', { ruleId: rule.id })
    expect(first.data.rule).toMatchObject({
      name: 'origin-custom',
      scope: 'org',
      orgId: ada.orgId,
      tags: ['kept'],
      severity: 'critical',
      forkedFromRuleId: rule.id,
      version: 1,
    })
    expect((await call(ada, 'POST', '/subscriptions/clone', { ruleId: rule.id })).data.rule.name).toBe(
      'origin-custom-2',
    )
    const taken = await call(ada, 'POST', '/subscriptions/clone', { ruleId: rule.id, name: 'origin-custom' })
    expect(taken).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    await update(rule.id, { severity: 'warning' })
    expect((await call(ada, 'GET', `/rules/${first.data.rule.id}`)).data.rule.severity).toBe('critical')
    for (const { id } of (await call(ada, 'GET', '/rules')).data.rules) await call(ada, 'DELETE', `/rules/${id}`)
  })

  it('the catalogue says what is subscribed and what is enforced, the most important first', async () => {
    const zed = await signUp(kit.app, 'zed')
    const high = await publish('cat high', { priority: 9000, tags: ['cat'] })
    const b = await publish('cat b', { priority: 100, tags: ['cat'] })
    await publish('cat a', { priority: 100, tags: ['cat'] })
    await subscribe(zed, high.id)
    await subscribe(zed, b.id)
    await set(zed, b.id, { isActive: true })
    const left = await publish('cat left', { priority: 1, tags: ['cat'] })
    await subscribe(zed, left.id)
    await call(zed, 'DELETE', `/subscriptions/${left.id}`)
    const { rules, pagination } = (await call(zed, 'GET', '/published-rules?tag=cat')).data
    expect(rules.map((each: Record<string, unknown>) => [each.name, each.subscribed, each.subscriptionActive])).toEqual(
      [
        ['cat high', true, false],
        ['cat a', false, false],
        ['cat b', true, true],
        ['cat left', false, false],
      ],
    )
    expect(pagination.total).toBe(4)
    expect((await call(zed, 'GET', '/published-rules?tag=cat&name=HIGH')).data.rules).toHaveLength(1)
    expect((await call(zed, 'GET', '/subscriptions?isActive=true&target=plugin')).data.subscriptions).toHaveLength(1)
    expect((await call(zed, 'GET', '/subscriptions?target=pipeline')).data.subscriptions).toEqual([])
  })

  it('a rule is tried on attributes and over the inventory, and nothing is stored', async () => {
    for (let n = 0; n < 3; n++) {
      const id = `00000000-0000-7000-8000-00000000000${n}`
      const attributes = { version: n === 1 ? '1.0.0' : 'latest' }
      kit.inventory.set(recordKey(ada.orgId, 'plugin', id), { id, name: `p${n}`, revision: 1, attributes })
    }
    const draft = noLatest('draft', { effectiveFrom: '2099-01-01T00:00:00Z', severity: 'warning' })
    const tried = await call(ada, 'POST', '/subscriptions/preview', { rule: draft, sampleAttributes: BAD.attributes })
    expect(tried.data.preview).toMatchObject({ passed: false, blocked: false, warnings: [{ ruleName: 'draft' }] })
    const impact = await call(ada, 'POST', '/subscriptions/preview/impact', { rule: draft })
    expect(impact.data).toMatchObject({
      ruleId: null,
      ruleName: 'draft',
      total: 3,
      wouldPass: 1,
      wouldFail: 2,
      waiting: 0,
      truncated: false,
      samples: [{ entityName: 'p0' }, { entityName: 'p2' }],
    })
    expect((await call(poor, 'POST', '/subscriptions/preview/impact', { rule: draft })).data.total).toBe(0)
    // A rule about the built image waits for the image, as in an upload.
    const image = { name: 'draft', target: 'plugin', field: 'builtImage.user', operator: 'eq', value: 'app' }
    const waits = await call(ada, 'POST', '/subscriptions/preview/impact', { rule: image })
    expect(waits.data).toMatchObject({ total: 3, wouldPass: 0, wouldFail: 0, waiting: 3 })
    const previewOf = async (sampleAttributes: object) =>
      (await call(ada, 'POST', '/subscriptions/preview', { rule: image, sampleAttributes })).data.preview
    expect(await previewOf(BAD.attributes)).toMatchObject({ passed: true, deferredRules: [{ ruleName: 'draft' }] })
    expect(await previewOf({ ...BAD.attributes, buildType: 'metadata_only' })).not.toHaveProperty('deferredRules')
    const rooted = await previewOf({ ...BAD.attributes, builtImage: { user: 'root' } })
    expect(rooted).toMatchObject({ passed: false, violations: [{ actualValue: 'root' }] })
    expect(rooted).not.toHaveProperty('deferredRules')
    const bad = await call(ada, 'POST', '/subscriptions/preview', {
      rule: noLatest('x', { field: '' }),
      sampleAttributes: {},
    })
    expect(bad.body.details.issues).toMatchObject([{ path: '/body/rule/field' }])
    expect((await call(ada, 'POST', '/subscriptions/preview', {})).status).toBe(400)
    expect((await call(ada, 'GET', '/audit')).data.entries).toEqual([])
  })

  it('subscribers are told of a change, each once for a version', async () => {
    const rule = await publish('talked about')
    for (const each of [ada, poor]) await subscribe(each, rule.id)
    await update(rule.id, { severity: 'critical' })
    await runJobs(kit.app, [tellSubscribersJob, notifyJob])
    const told = async () => {
      const rows = await kit.store.system.read((db) => db.select().from(jobTables(db).jobs))
      return rows.filter(({ kind, payload }) => kind === NOTICE_JOB && JSON.stringify(payload).includes('talked about'))
    }
    const recipients = (await told()).map(({ payload }) => (payload as { recipientOrgId: string }).recipientOrgId)
    expect(recipients.sort()).toEqual([ada.orgId, poor.orgId].sort())
  })
})
