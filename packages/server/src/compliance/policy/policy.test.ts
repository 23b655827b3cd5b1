/** Goal: a policy groups rules and never makes one less strict than its own state, and copies are independent. */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { evidenceOf, runJobs, stepUp } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { SWEEP_JOBS } from '../sweep.js'
import { complianceTables } from '../tables.js'

const SYSTEM = { headers: { 'x-org-id': SYSTEM_ORG_ID } }

await describeCompliance('policies', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    bob = await signUp(kit.app, 'bob')
  })
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const rule = async (name: string, more: object = {}, as = ada) =>
    (await call(as, 'POST', '/rules', noLatest(name, more))).data.rule
  const policy = async (name: string, more: object = {}, as = ada) =>
    (await call(as, 'POST', '/policies', { name, ...more })).data.policy
  const enforced = async (as: SignedIn) =>
    (await call(as, 'GET', '/subscriptions/enforced')).data.rules.map(({ name }: { name: string }) => name).sort()
  const confirmed = async (as: SignedIn) => ({ headers: await stepUp(kit.app, as) })

  it('a rule is enforced unless all policies that list it are inactive', async () => {
    const [free, one, both] = [await rule('free'), await rule('in one'), await rule('in both')]
    const first = await policy('first', { rules: ['in one', 'in both'] })
    const second = await policy('second', { ruleIds: [both.id] })
    expect(first.rules).toEqual([
      { id: both.id, name: 'in both' },
      { id: one.id, name: 'in one' },
    ])
    expect(await enforced(ada)).toEqual(['free', 'in both', 'in one'])
    await call(ada, 'PUT', `/policies/${first.id}`, { isActive: false })
    expect(await enforced(ada)).toEqual(['free', 'in both'])
    await call(ada, 'PUT', `/policies/${second.id}`, { isActive: false })
    expect(await enforced(ada)).toEqual(['free'])
    // A deleted policy lists nothing, so it keeps no rule from applying.
    await call(ada, 'DELETE', `/policies/${first.id}`)
    expect(await enforced(ada)).toEqual(['free', 'in one'])
    await call(ada, 'POST', `/policies/${first.id}/restore`, undefined, await confirmed(ada))
    expect(await enforced(ada)).toEqual(['free'])
    await call(ada, 'PUT', `/policies/${first.id}`, { isActive: true })
    const answer = await call(ada, 'POST', '/validate/plugin/dry-run', { attributes: { version: 'latest' } })
    const found = answer.data.violations.find(({ ruleId }: { ruleId: string }) => ruleId === both.id)
    expect(found.policyIds).toEqual([first.id, second.id].sort())
    expect((await call(ada, 'GET', `/rules/${both.id}`)).data.rule.policyIds).toEqual([first.id, second.id].sort())
    expect((await call(ada, 'GET', `/rules?policyId=${second.id}`)).data.rules).toMatchObject([{ id: both.id }])
    for (const { id } of [free, one, both]) await call(ada, 'DELETE', `/rules/${id}`)
  })

  it('a rule is taken out of every policy by `policyId: null`, and then holds again', async () => {
    const group = await policy('unlinked', { isActive: false })
    const made = await call(ada, 'POST', '/rules', noLatest('linked', { policyId: group.id }))
    expect(made).toMatchObject({ status: 201, data: { rule: { policyId: group.id } } })
    expect(await enforced(ada)).not.toContain('linked')
    const { id, version } = made.data.rule
    const freed = await call(ada, 'PUT', `/rules/${id}`, { policyId: null })
    expect(freed).toMatchObject({
      status: 200,
      data: { rule: { policyId: null, policyIds: [], version: version + 1 } },
    })
    expect(await enforced(ada)).toContain('linked')
    // A value that is sent back as it was read changes nothing.
    expect((await call(ada, 'PUT', `/rules/${id}`, { policyId: null })).data.rule.version).toBe(version + 1)
    await call(ada, 'DELETE', `/rules/${id}`)
  })

  it('a rule that a policy no longer lists does not come back to it when it is restored', async () => {
    const gone = await rule('comes back')
    const held = await policy('without', { ruleIds: [gone.id], isActive: false })
    await call(ada, 'DELETE', `/rules/${gone.id}`)
    expect((await call(ada, 'PUT', `/policies/${held.id}`, { ruleIds: [] })).status).toBe(200)
    await call(ada, 'POST', `/rules/${gone.id}/restore`, undefined, await confirmed(ada))
    expect(await enforced(ada)).toEqual(['comes back'])
    await call(ada, 'DELETE', `/rules/${gone.id}`)
  })

  it('a team is held to the rules of its parent as their policies there say', async () => {
    const team = await teamOf(kit, bob, 'Team')
    const down = await rule('handed down', { propagateToChildren: true }, bob)
    const group = await policy('group', { ruleIds: [down.id] }, bob)
    expect(await enforced(team)).toEqual(['handed down'])
    await call(bob, 'PUT', `/policies/${group.id}`, { isActive: false })
    expect(await enforced(team)).toEqual([])
    expect((await call(team, 'GET', `/policies/${group.id}`)).status).toBe(404)
    // The team's own policy cannot list it.
    const refused = await call(team, 'POST', '/policies', { name: 'mine', ruleIds: [down.id] })
    expect(refused).toMatchObject({ status: 400, body: { details: { unknown: [down.id] } } })
  })

  it('a policy is refused for unknown rules, a taken name and version, and what only the system may', async () => {
    const refused = await call(ada, 'POST', '/policies', { name: 'p', rules: ['no such', 'nor this'] })
    expect(refused).toMatchObject({ status: 400, body: { details: { unknown: ['no such', 'nor this'] } } })
    const made = await policy('p')
    expect(made).toMatchObject({ version: '1.0.0', isActive: true, isTemplate: false, rules: [], revision: 1 })
    expect(await call(ada, 'POST', '/policies', { name: 'p' })).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    expect((await call(ada, 'POST', '/policies', { name: 'p', version: '2.0.0' })).status).toBe(201)
    expect((await call(ada, 'PUT', `/policies/${made.id}`, { version: '2.0.0' })).status).toBe(409)
    expect((await call(ada, 'POST', '/policies', { name: 't', isTemplate: true })).status).toBe(403)
    expect((await call(bob, 'PUT', `/policies/${made.id}`, { name: 'q' })).status).toBe(404)
    const stale = await call(ada, 'PUT', `/policies/${made.id}`, { name: 'q' }, { headers: { 'if-match': '7' } })
    expect(stale.status).toBe(412)
    await call(ada, 'DELETE', `/policies/${made.id}`)
    const listed = (await call(ada, 'GET', '/policies/deleted')).data.policies
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([made.id])
    await call(ada, 'POST', `/policies/${made.id}/purge`, undefined, await confirmed(ada))
    expect((await call(ada, 'POST', `/policies/${made.id}/restore`, undefined, await confirmed(ada))).status).toBe(404)
  })

  it('the versions of a policy are the live ones of its name in its organization, the newest first', async () => {
    const root = { ...kit.root, orgId: SYSTEM_ORG_ID }
    const template = await policy('release', { isTemplate: true }, root)
    await policy('release', { version: '9.0.0' }, root)
    const [first, other] = [await policy('release'), await policy('Release')]
    await policy('release candidate')
    await policy('release', { version: '7.0.0' }, bob)
    kit.app.clock.advance(1000)
    await rule('released')
    const second = await policy('release', { version: '2.0.0', isActive: false, rules: ['released'] })
    const gone = await policy('release', { version: '3.0.0' })
    await call(ada, 'DELETE', `/policies/${gone.id}`)
    const versions = (id: string, query = '', as = ada) => call(as, 'GET', `/policies/${id}/versions${query}`)
    const both = (await versions(first.id)).data
    expect(both.versions).toMatchObject([
      { id: second.id, version: '2.0.0', isActive: false, rules: [{ name: 'released' }] },
      { id: first.id, version: '1.0.0', isActive: true, rules: [] },
    ])
    expect(both.pagination).toMatchObject({ total: 2, hasMore: false })
    expect((await versions(second.id, '?sortOrder=asc&limit=1')).data).toMatchObject({
      versions: [{ id: first.id }],
      pagination: { total: 2, hasMore: true },
    })
    const ids = (answer: { data: { versions: { id: string }[] } }) => answer.data.versions.map(({ id }) => id)
    expect(ids(await versions(other.id))).toEqual([other.id])
    // Of the system organization, the template alone is offered to others.
    expect(ids(await versions(template.id))).toEqual([template.id])
    expect((await versions(template.id, '', root)).data.pagination.total).toBe(2)
    for (const [id, as] of [
      [first.id, bob],
      [gone.id, ada],
    ] as const)
      expect((await versions(id, '', as)).status).toBe(404)
    await call(root, 'DELETE', `/policies/${template.id}`)
    await call(ada, 'DELETE', `/rules/${second.rules[0].id}`)
  })

  it('a rule names its policy when it is written', async () => {
    const group = await policy('for new ones')
    const made = await call(ada, 'POST', '/rules', noLatest('new in it', { policyId: group.id }))
    expect(made.data.rule).toMatchObject({ policyId: group.id, policyIds: [group.id] })
    expect((await call(ada, 'POST', '/rules', noLatest('nowhere', { policyId: made.data.rule.id }))).status).toBe(400)
    const other = await policy('another')
    const updated = await call(ada, 'PUT', `/rules/${made.data.rule.id}`, { policyId: other.id })
    expect(updated.data.rule.policyIds).toEqual([group.id, other.id].sort())
    await call(ada, 'DELETE', `/rules/${made.data.rule.id}`)
  })

  it('a template is copied with its rules and what they depend on among themselves', async () => {
    const root = { ...kit.root, orgId: SYSTEM_ORG_ID }
    const base = await rule('base', { isTemplate: true }, root)
    const gated = await rule(
      'gated',
      {
        isTemplate: true,
        field: null,
        operator: null,
        value: null,
        conditions: [{ dependsOnRule: base.id }, { field: 'name', operator: 'exists' }],
      },
      root,
    )
    const template = await policy('baseline', { isTemplate: true, ruleIds: [base.id, gated.id], tags: ['start'] }, root)
    await policy('private to the system', {}, root)
    const seen = (await call(bob, 'GET', '/policies?isTemplate=true')).data.policies
    expect(seen.map(({ name }: { name: string }) => name)).toEqual(['baseline'])
    await rule('base', {}, bob)
    const cloned = await call(bob, 'POST', `/policies/${template.id}/clone`, {})
    expect(cloned.status).toBe(201)
    const [first, second] = [...cloned.data.rules].sort((a, b) => (a.name < b.name ? -1 : 1))
    expect(first).toMatchObject({ name: 'base-2', orgId: bob.orgId, isTemplate: false, forkedFromRuleId: base.id })
    expect(second.conditions[0]).toEqual({ dependsOnRule: first.id })
    expect(cloned.data.policy).toMatchObject({ name: 'baseline', isTemplate: false, orgId: bob.orgId })
    expect((await enforced(bob)).filter((name: string) => name !== 'handed down')).toEqual(['base', 'base-2', 'gated'])
    expect((await call(bob, 'POST', `/policies/${template.id}/clone`, {})).status).toBe(409)
    expect((await call(bob, 'POST', `/policies/${cloned.data.policy.id}/clone`, {})).status).toBe(404)
    // A copy of this rule alone would lose the rule that it depends on.
    const alone = await call(ada, 'POST', '/templates/clone', { ruleIds: [gated.id] })
    expect(alone).toMatchObject({ status: 409, body: { details: { leaving: [{ dependsOnRule: base.id }] } } })
    const some = await call(ada, 'POST', '/templates/clone', { ruleIds: [base.id, template.id] })
    expect(some.data).toMatchObject({ created: 1, skipped: [{ id: template.id, reason: 'unknown_template' }] })
    expect((await call(kit.root, 'POST', `/policies/${template.id}/clone`, {}, SYSTEM)).status).toBe(403)
  })

  it('the templates that come with the server become own rules, each once', async () => {
    const eve = await signUp(kit.app, 'eve')
    const { templates } = (await call(eve, 'GET', '/templates')).data
    expect(templates).toHaveLength(5)
    const templateIds = templates.map(({ id }: { id: string }) => id)
    const applied = await call(eve, 'POST', '/templates/apply', { templateIds: [...templateIds, 'tpl-nothing'] })
    expect(applied.status).toBe(201)
    expect(applied.data).toMatchObject({ created: 5, skipped: [{ id: 'tpl-nothing', reason: 'unknown_template' }] })
    expect(await enforced(eve)).toHaveLength(5)
    const again = await call(eve, 'POST', '/templates/apply', { templateId: templateIds[0] })
    expect(again.data).toEqual({ created: 0, skipped: [{ id: templateIds[0], reason: 'name_taken' }], ruleIds: [] })
  })

  it('what is deleted is swept when its time is over, and its end is told', async () => {
    const [one, group] = [await rule('swept'), await policy('swept')]
    await call(ada, 'DELETE', `/rules/${one.id}`)
    await call(ada, 'DELETE', `/policies/${group.id}`)
    const kinds = SWEEP_JOBS.map(({ kind }) => kind)
    const left = () =>
      kit.store.system.read(async (db) => {
        const { rules: r, policies: p } = complianceTables(db)
        const rows = await db.select({ at: r.purgeAfterMs }).from(r).where(eq(r.id, one.id))
        return [...rows, ...(await db.select({ at: p.purgeAfterMs }).from(p).where(eq(p.id, group.id)))]
      })
    const [first] = await left()
    kit.app.clock.set((first?.at ?? 0) - 1)
    await runJobs(kit.app, SWEEP_JOBS, kinds)
    expect(await left()).toHaveLength(2)
    const before = (await evidenceOf(kit.app, ada.orgId)).length
    kit.app.clock.set(first?.at ?? 0)
    await runJobs(kit.app, SWEEP_JOBS, kinds)
    expect(await left()).toEqual([])
    const told = (await evidenceOf(kit.app, ada.orgId)).slice(before)
    expect([...new Set(told)].sort()).toEqual(['compliance.policy.purge', 'compliance.rule.purge'])
  })
})
