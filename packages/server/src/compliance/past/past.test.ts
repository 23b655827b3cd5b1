/** Goal: `asOf` answers for the history of the tenant alone, refuses what it cannot answer, and never guesses. */
import { expect, it } from 'vitest'
import { noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole, stepUp } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { toIso } from '../../runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { complianceTables } from '../tables.js'

const ENTITY = '99999999-9999-7999-8999-999999999999'
const MINUTE_MS = 60_000

await describeCompliance('asOf', { stores: WITH_POSTGRESQL }, (kit) => {
  let ada: SignedIn
  let people = 0

  const newcomer = async () => {
    people += 1
    ada = await signUp(kit.app, `ada${people}`)
    return ada
  }
  /** Returns the current instant as text, and lets a minute pass. */
  const pass = (): string => {
    const then = toIso(kit.app.clock.now())
    kit.app.clock.advance(MINUTE_MS)
    return then
  }
  const made = async (as: SignedIn, body: object): Promise<string> =>
    (await kit.call(as, 'POST', '/rules', body)).data.rule.id
  const dryRun = (as: SignedIn, asOf?: string, more: object = {}) =>
    kit.call(as, 'POST', '/validate/plugin/dry-run', { attributes: { version: 'latest' }, asOf, ...more })
  const violated = async (as: SignedIn, asOf?: string, more: object = {}): Promise<string[]> => {
    const { status, data, body } = await dryRun(as, asOf, more)
    expect(status, JSON.stringify(body)).toBe(200)
    return data.violations.map(({ ruleName }: { ruleName: string }) => ruleName).sort()
  }
  const enforced = (as: SignedIn, asOf: string) => kit.call(as, 'GET', `/subscriptions/enforced?asOf=${asOf}`)
  const purge = async (as: SignedIn, path: string) => {
    const headers = { 'x-org-id': as.orgId, ...(await stepUp(kit.app, as)) }
    expect((await kit.call(as, 'POST', `${path}/purge`, undefined, { headers })).status).toBe(200)
  }

  it('a verdict is that of the instant: the rule as it was worded, and whether it was there', async () => {
    const as = await newcomer()
    const before = pass()
    const id = await made(as, noLatest('one'))
    const strict = pass()
    await kit.call(as, 'PUT', `/rules/${id}`, { severity: 'warning' })
    const mild = pass()
    await kit.call(as, 'DELETE', `/rules/${id}`)
    const after = pass()
    expect(await violated(as, before)).toEqual([])
    expect((await dryRun(as, strict)).data).toMatchObject({ blocked: true })
    expect((await dryRun(as, mild)).data).toMatchObject({ blocked: false, warnings: [{ ruleName: 'one' }] })
    expect(await violated(as, after)).toEqual([])
    expect(await violated(as)).toEqual([])
  })

  it('a subscription is that of the instant: switched on, softened, pinned, left', async () => {
    const as = await newcomer()
    const ruleId = (await kit.publish(noLatest(`followed ${people}`))).data.rule.id
    const path = `/subscriptions/${ruleId}`
    await kit.call(as, 'POST', '/subscriptions', { ruleId })
    const inactive = pass()
    await kit.call(as, 'PATCH', path, { isActive: true })
    const active = pass()
    await kit.call(as, 'PATCH', path, { mode: 'warn', reason: 'rollout' })
    await kit.call(as, 'POST', `${path}/pin`)
    const publisher = { headers: { 'x-org-id': SYSTEM_ORG_ID } }
    await kit.call(kit.root, 'PUT', `/rules/${ruleId}`, { priority: 7 }, publisher)
    const pinned = pass()
    await kit.call(as, 'DELETE', path)
    const left = pass()
    const held = async (asOf: string) =>
      (await enforced(as, asOf)).data.rules.map(({ mode, version, pinned: isPinned }: Record<string, unknown>) => ({
        mode,
        version,
        isPinned,
      }))
    expect(await held(inactive)).toEqual([])
    expect(await held(active)).toEqual([{ mode: 'enforce', version: 1, isPinned: false }])
    expect(await held(pinned)).toEqual([{ mode: 'warn', version: 1, isPinned: true }])
    expect(await held(left)).toEqual([])
  })

  it('windows of effect and ends of exemptions are those of the instant', async () => {
    const as = await newcomer()
    const colleague = { ...(await signUp(kit.app, `colleague${people}`)), orgId: as.orgId }
    await enrol(kit.app, colleague, as.orgId, ['Member', 'Admin'])
    const soon = toIso(kit.app.clock.now() + MINUTE_MS)
    const ruleId = await made(as, noLatest('from soon on', { effectiveFrom: soon }))
    const early = pass()
    const request = { ruleId, entityType: 'plugin', entityId: ENTITY, reason: 'please' }
    const expiresAt = toIso(kit.app.clock.now() + MINUTE_MS + 1)
    const { id } = (await kit.call(colleague, 'POST', '/exemptions', { ...request, expiresAt })).data.exemption
    const asked = pass()
    await kit.call(as, 'PUT', `/exemptions/${id}/review`, { status: 'approved' })
    const waived = toIso(kit.app.clock.now())
    kit.app.clock.advance(1)
    const expired = pass()
    const of = { entityId: ENTITY }
    expect(await violated(as, early, of)).toEqual([])
    expect(await violated(as, asked, of)).toEqual(['from soon on'])
    expect(await violated(as, waived, of)).toEqual([])
    expect((await dryRun(as, waived, of)).data.exemptionsApplied).toEqual([id])
    expect(await violated(as, expired, of)).toEqual(['from soon on'])
  })

  it('impact counts what the rule as it was would fail of the records of now', async () => {
    const as = await newcomer()
    kit.inventory.set(recordKey(as.orgId, 'plugin', ENTITY), {
      id: ENTITY,
      name: 'tool',
      attributes: { version: 'latest' },
    } as never)
    const before = pass()
    const ruleId = await made(as, noLatest('one'))
    const then = pass()
    await kit.call(as, 'PUT', `/rules/${ruleId}`, { value: 'nightly' })
    const impact = (asOf?: string) => kit.call(as, 'POST', '/subscriptions/preview/impact', { ruleId, asOf })
    expect((await impact()).data).toMatchObject({ total: 1, wouldFail: 0 })
    expect((await impact(then)).data).toMatchObject({ ruleId, total: 1, wouldFail: 1 })
    expect((await impact(before)).code).toBe('NOT_FOUND')
    const draft = await kit.call(as, 'POST', '/subscriptions/preview/impact', { rule: noLatest('draft'), asOf: then })
    expect(draft.body.details.issues).toMatchObject([{ path: '/body/asOf', code: 'draft' }])
  })

  it('before the organization there was nothing to be told, and what comes nobody knows', async () => {
    const createdAt = toIso(kit.app.clock.now())
    const as = await newcomer()
    pass()
    expect((await dryRun(as, createdAt)).status).toBe(200)
    const early = toIso(Date.parse(createdAt) - 1)
    for (const answer of [
      await dryRun(as, early),
      await enforced(as, early),
      await kit.call(as, 'POST', '/subscriptions/preview/impact', { ruleId: ENTITY, asOf: early }),
    ]) {
      expect(answer.code).toBe('CONFLICT')
      expect(answer.body.details).toEqual({ field: 'asOf', earliest: createdAt })
    }
    const late = toIso(kit.app.clock.now() + 1)
    expect((await dryRun(as, late)).body.details.issues).toMatchObject([{ path: '/body/asOf', code: 'future' }])
    expect((await enforced(as, late)).body.details.issues).toMatchObject([{ path: '/query/asOf', code: 'future' }])
    for (const text of ['yesterday', '2026-13-01T00:00:00Z', '2026-11-21', '']) {
      expect((await dryRun(as, text)).body.details.issues[0]).toMatchObject({ path: '/body/asOf' })
      expect((await enforced(as, text)).body.details.issues[0]).toMatchObject({ path: '/query/asOf' })
    }
  })

  it('a check that counts is of now alone', async () => {
    const as = await newcomer()
    const then = pass()
    const live = await kit.call(as, 'POST', '/validate/plugin', { attributes: {}, asOf: then })
    expect(live.code).toBe('VALIDATION_ERROR')
    expect(live.body.details.issues[0].path).toBe('/body/asOf')
  })

  it('needs compliance:read, whatever else lets one ask', async () => {
    const as = await newcomer()
    const then = pass()
    const reader = { ...(await signUp(kit.app, `reader${people}`)), orgId: as.orgId }
    await enrol(kit.app, reader, as.orgId, [])
    await giveCustomRole(kit.app, as.orgId, reader.userId, ['compliance:read'])
    expect((await dryRun(reader, then)).status).toBe(200)
    const client = await kit.app.call('POST', `/organization/${as.orgId}/service-principals`, {
      as,
      headers: { 'x-org-id': as.orgId, ...(await stepUp(kit.app, as)) },
      body: { name: 'ci', scopes: ['compliance:validate'] },
    })
    expect(client.status, JSON.stringify(client.body)).toBe(201)
    const { clientId, clientSecret } = { ...client.data, ...client.data.servicePrincipal }
    const token = await kit.app.call('POST', '/auth/token', {
      body: { grant_type: 'client_credentials', clientId, clientSecret },
    })
    const service = { ...as, accessToken: token.data?.accessToken ?? token.body?.access_token }
    expect((await dryRun(service)).status).toBe(200)
    const refused = await dryRun(service, then)
    expect(refused.code).toBe('INSUFFICIENT_PERMISSIONS')
    expect(refused.body.details).toMatchObject({ reason: 'permission', required: ['compliance:read'] })
  })

  it('the past of others is nobody’s: not their rules, policies, subscriptions or exemptions', async () => {
    const owner = await newcomer()
    const stranger = await signUp(kit.app, `stranger${people}`)
    const team = await teamOf(kit, owner, `Team ${people}`)
    const published = (await kit.publish(noLatest(`published ${people}`))).data.rule.id
    await made(owner, noLatest('kept at home'))
    const handedDown = await made(owner, noLatest('handed down', { propagateToChildren: true }))
    await kit.call(owner, 'POST', '/subscriptions', { ruleId: published })
    await kit.call(owner, 'PATCH', `/subscriptions/${published}`, { isActive: true })
    const then = pass()
    // A policy of another organization must not switch off this rule by listing it as inactive.
    await kit.store.system.write(async (tx) => {
      const { policyRuleIntervals: t } = complianceTables(tx)
      const interval = { policyId: ENTITY, ruleId: handedDown, isActive: false, validFromMs: 0, validToMs: null }
      await tx.insert(t).values({ id: `${people}`, orgId: stranger.orgId, ...interval })
    })
    expect(await violated(owner, then)).toEqual(['handed down', 'kept at home', `published ${people}`].sort())
    expect(await violated(team, then)).toEqual(['handed down'])
    expect(await violated(stranger, then)).toEqual([])
    expect((await enforced(stranger, then)).data).toEqual({ rules: [], total: 0 })
    const impact = await kit.call(stranger, 'POST', '/subscriptions/preview/impact', { ruleId: handedDown, asOf: then })
    expect(impact.code).toBe('NOT_FOUND')
  })

  it('an exemption of the same entity elsewhere waives nothing', async () => {
    const [one, two] = [await newcomer(), await signUp(kit.app, `other${people}`)]
    const published = (await kit.publish(noLatest(`waived ${people}`))).data.rule.id
    for (const as of [one, two]) {
      await kit.call(as, 'POST', '/subscriptions', { ruleId: published })
      await kit.call(as, 'PATCH', `/subscriptions/${published}`, { isActive: true })
    }
    const colleague = { ...(await signUp(kit.app, `waiver${people}`)), orgId: one.orgId }
    await enrol(kit.app, colleague, one.orgId, ['Member', 'Admin'])
    const request = { ruleId: published, entityType: 'plugin', entityId: ENTITY, reason: 'please' }
    const { id } = (await kit.call(colleague, 'POST', '/exemptions', request)).data.exemption
    await kit.call(one, 'PUT', `/exemptions/${id}/review`, { status: 'approved' })
    const then = pass()
    await kit.call(one, 'DELETE', `/exemptions/${id}`)
    expect(await violated(one, then, { entityId: ENTITY })).toEqual([])
    expect(await violated(two, then, { entityId: ENTITY })).toEqual([`waived ${people}`])
    expect(await violated(one, pass(), { entityId: ENTITY })).toEqual([`waived ${people}`])
  })

  it('a purge takes the past of what it purges with it: what was before is refused, in teams too', async () => {
    const owner = await newcomer()
    const team = await teamOf(kit, owner, `Team ${people}`)
    const start = pass()
    const id = await made(owner, noLatest('one'))
    const neverOn = await made(owner, noLatest('two', { isActive: false }))
    const held = pass()
    await kit.call(owner, 'DELETE', `/rules/${neverOn}`)
    await purge(owner, `/rules/${neverOn}`)
    // It was never in force, so its purge leaves no gap.
    expect(await violated(owner, held)).toEqual(['one'])
    await kit.call(owner, 'DELETE', `/rules/${id}`)
    const gone = pass()
    expect(await violated(owner, held)).toEqual(['one'])
    await purge(owner, `/rules/${id}`)
    for (const as of [owner, team]) {
      for (const asOf of [start, held]) {
        const answer = await dryRun(as, asOf)
        expect(answer.code).toBe('CONFLICT')
        expect(answer.body.details).toEqual({ field: 'asOf', earliest: gone })
      }
      expect(await violated(as, gone)).toEqual([])
    }
  })

  it('the purge of a policy too, from its deletion on', async () => {
    const owner = await newcomer()
    const ruleId = await made(owner, noLatest('one'))
    const policy = await kit.call(owner, 'POST', '/policies', { name: 'p', isActive: false, ruleIds: [ruleId] })
    const path = `/policies/${policy.data.policy.id}`
    const off = pass()
    await kit.call(owner, 'DELETE', path)
    const gone = pass()
    expect(await violated(owner, off)).toEqual([])
    await purge(owner, path)
    expect((await dryRun(owner, off)).body.details).toEqual({ field: 'asOf', earliest: gone })
    expect(await violated(owner, gone)).toEqual(['one'])
  })

  it('the purge of a published rule: where it was in force, and nowhere else', async () => {
    const [one, two] = [await newcomer(), await signUp(kit.app, `other${people}`)]
    const published = (await kit.publish(noLatest(`published ${people}`))).data.rule.id
    await kit.call(one, 'POST', '/subscriptions', { ruleId: published })
    await kit.call(one, 'PATCH', `/subscriptions/${published}`, { isActive: true })
    const held = pass()
    await kit.call(one, 'PATCH', `/subscriptions/${published}`, { isActive: false })
    const off = pass()
    await kit.call(kit.root, 'DELETE', `/rules/${published}`, undefined, { headers: { 'x-org-id': SYSTEM_ORG_ID } })
    await purge({ ...kit.root, orgId: SYSTEM_ORG_ID }, `/rules/${published}`)
    expect((await dryRun(one, held)).body.details).toEqual({ field: 'asOf', earliest: off })
    expect(await violated(one, off)).toEqual([])
    expect(await violated(two, held)).toEqual([])
  })

  it('a clock that stepped back makes no rule count twice, and the later change is what holds', async () => {
    const as = await newcomer()
    const id = await made(as, noLatest('one'))
    kit.app.clock.advance(10 * MINUTE_MS)
    await kit.call(as, 'PUT', `/rules/${id}`, { severity: 'critical' })
    // Like another process whose clock is five minutes behind.
    kit.app.clock.advance(-5 * MINUTE_MS)
    await kit.call(as, 'PUT', `/rules/${id}`, { severity: 'warning' })
    const between = pass()
    kit.app.clock.advance(10 * MINUTE_MS)
    const found = await enforced(as, between)
    expect(found.data.rules).toMatchObject([{ id, severity: 'warning' }])
    expect(found.data.total).toBe(1)
  })

  it('rules of the past are not kept: the next check is of now', async () => {
    const as = await newcomer()
    const before = pass()
    await made(as, noLatest('one'))
    expect(await violated(as)).toEqual(['one'])
    expect(await violated(as, before)).toEqual([])
    expect(await violated(as)).toEqual(['one'])
  })
})
