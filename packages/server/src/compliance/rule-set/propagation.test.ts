/**
 * Goal: inherited rules apply in teams whatever the teams do, and rules of other organizations apply nowhere. The only
 * exception is an exemption that the owner of the rule approved.
 */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { type SignedIn, signIn } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'

const ENTITY = '99999999-9999-7999-8999-999999999999'
const ATTRIBUTES = [{ version: 'latest' }, { version: '1.0.0' }, { version: 'latest', b: 2 }, { b: 2, a: 1 }]

await describeCompliance('propagation', { stores: BOTH_DATABASES }, (kit, database) => {
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const checked = async (as: SignedIn, attributes: object) =>
    (await call(as, 'POST', '/validate/plugin/dry-run', { attributes, entityId: ENTITY })).data
  /** The violations of the parent's rules, for each of some entities. */
  const inherited = async (as: SignedIn) => {
    const found: string[][] = []
    for (const attributes of ATTRIBUTES) {
      const { violations } = await checked(as, attributes)
      found.push(
        violations
          .filter(({ source }: { source: string }) => source === 'inherited')
          .map(({ ruleName, severity }: { ruleName: string; severity: string }) => `${ruleName} ${severity}`),
      )
    }
    return found
  }
  const id = async (answer: ReturnType<ComplianceApp['call']>): Promise<string> => {
    const { status, data, body } = await answer
    expect(status, JSON.stringify(body)).toBe(201)
    return data.rule.id
  }

  it('no sequence of its own requests takes a violation of an inherited rule from a team', {
    timeout: 300_000,
  }, async () => {
    const published = [
      await id(kit.publish(noLatest('published and failed', { severity: 'warning' }))),
      await id(
        kit.publish(noLatest('published and passed', { operator: 'exists', field: '$count(nothing)', value: null })),
      ),
    ] as const
    let runs = 0
    let attempts = 0
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ kind: fc.nat(13), at: fc.nat(8), flag: fc.boolean() }), { minLength: 10, maxLength: 24 }),
        async (acts) => {
          runs += 1
          const owner = await signUp(kit.app, `owner${runs}`)
          const team = await teamOf(kit, owner, `Team ${runs}`)
          const lead: SignedIn = await memberOf(kit, team, `lead${runs}`, ['Member', 'Admin'])
          const parent = (more: object) => id(call(owner, 'POST', '/rules', { propagateToChildren: true, ...more }))
          const kept = await id(call(owner, 'POST', '/rules', noLatest('kept at home')))
          const plain = await parent(noLatest('plain'))
          const gated = await parent(
            noLatest('gated', { conditions: [{ dependsOnRule: plain }, { field: 'b', operator: 'eq', value: 1 }] }),
          )
          // Each of these has a gate that a team might want to open or close.
          const either = (dependsOnRule: string) => ({
            conditionMode: 'any',
            conditions: [
              { field: 'a', operator: 'eq', value: 2 },
              { field: 'b', operator: 'eq', value: 2, dependsOnRule },
            ],
          })
          await parent(noLatest('by home', either(kept)))
          await parent(noLatest('by catalogue', either(published[1])))
          await parent(
            noLatest('behind catalogue', {
              conditions: [{ dependsOnRule: published[0] }, { field: 'a', operator: 'exists' }],
            }),
          )
          const rules = [kept, plain, gated]
          const before = await inherited(lead)
          const mine: string[] = []
          const asked: string[] = []
          for (const { kind, at, flag } of acts) {
            const one = rules[at % rules.length] as string
            const catalogue = published[at % 2] as string
            const own = mine[at % Math.max(1, mine.length)] ?? ENTITY
            const answer = await [
              () => call(lead, 'POST', '/rules', noLatest('plain', { severity: 'warning' })),
              // Its name is the id of the rule that a gate refers to.
              () =>
                call(
                  lead,
                  'POST',
                  '/rules',
                  noLatest(flag ? one : catalogue, { field: '$count(x)', operator: 'exists', value: null }),
                ),
              () => call(lead, 'POST', '/subscriptions', { ruleId: catalogue }),
              () => call(lead, 'PATCH', `/subscriptions/${catalogue}`, { isActive: flag || at > 2 }),
              () =>
                call(lead, 'PATCH', `/subscriptions/${catalogue}`, {
                  mode: flag ? 'observe' : 'warn',
                  reason: 'quiet',
                }),
              () => call(lead, flag ? 'POST' : 'DELETE', `/subscriptions/${catalogue}/pin`),
              () => call(lead, 'DELETE', `/subscriptions/${catalogue}`),
              () =>
                call(lead, 'PUT', `/rules/${one}`, flag ? { isActive: false } : { mode: 'observe', reason: 'quiet' }),
              () => call(lead, 'DELETE', `/rules/${one}`),
              () =>
                call(lead, 'POST', '/policies', { name: `p${attempts}`, isActive: false, ruleIds: [flag ? one : own] }),
              () =>
                call(lead, 'POST', '/exemptions', {
                  ruleId: one,
                  entityType: 'plugin',
                  entityId: ENTITY,
                  reason: 'please',
                }),
              () =>
                call(
                  flag ? lead : team,
                  'PUT',
                  `/exemptions/${asked[at % Math.max(1, asked.length)] ?? ENTITY}/review`,
                  { status: 'approved' },
                ),
              () =>
                call(
                  lead,
                  'POST',
                  '/rules',
                  noLatest(`own ${attempts}`, {
                    conditions: [{ dependsOnRule: plain }, { field: 'version', operator: 'exists' }],
                  }),
                ),
              () => call(lead, 'DELETE', `/rules/${own}`),
            ][kind]?.()
            attempts += 1
            if (answer !== undefined && answer.status < 300) made += 1
            if (answer?.data?.rule?.id !== undefined && kind !== 7) mine.push(answer.data.rule.id)
            if (answer?.data?.exemption?.id !== undefined && kind === 10) asked.push(answer.data.exemption.id)
            expect(await inherited(lead), JSON.stringify({ kind, at, flag })).toEqual(before)
          }
          // The one exception: an approved exemption.
          const request = await call(lead, 'POST', '/exemptions', {
            ruleId: gated,
            entityType: 'plugin',
            entityId: ENTITY,
            reason: 'please',
          })
          const waiver = request.status === 201 ? request.data.exemption.id : asked.at(-1)
          if (request.status === 201)
            expect((await call(owner, 'PUT', `/exemptions/${waiver}/review`, { status: 'approved' })).status).toBe(200)
        },
      ),
      { numRuns: database === 'SQLite' ? 10 : 3, seed: 5 },
    )
    expect(made).toBeGreaterThan(attempts / 4)
  })

  it('the owner of the rule waives it for the team', async () => {
    const owner = await signUp(kit.app, 'waiver')
    const team = await teamOf(kit, owner, 'Team of the waiver')
    const lead = await memberOf(kit, team, 'asking')
    const ruleId = await id(call(owner, 'POST', '/rules', noLatest('handed down', { propagateToChildren: true })))
    const asked = await call(lead, 'POST', '/exemptions', {
      ruleId,
      entityType: 'plugin',
      entityId: ENTITY,
      reason: 'please',
    })
    expect((await inherited(lead))[0]).toEqual(['handed down error'])
    expect(
      (await call(team, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' })).status,
    ).toBe(403)
    expect(
      (await call(owner, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' })).status,
    ).toBe(200)
    expect((await inherited(lead))[0]).toEqual([])
  })

  it('a gate of a handed-down rule looks at what is handed down', async () => {
    const owner = await signUp(kit.app, 'gates')
    const team = await teamOf(kit, owner, 'Team of the gates')
    const catalogue = await id(kit.publish(noLatest('gate of the catalogue', { operator: 'eq' })))
    const gate = { conditions: [{ dependsOnRule: catalogue }, { field: 'a', operator: 'exists' }] }
    const ruleId = await id(call(owner, 'POST', '/rules', noLatest('behind', { propagateToChildren: true, ...gate })))
    const skips = async (as: SignedIn) => (await checked(as, { version: 'latest' })).skipped
    const out = { ruleId, ruleName: 'behind', reason: 'dependency_unavailable' }
    expect(await skips(team)).toEqual([out])
    for (const as of [team, owner]) {
      await call(as, 'POST', '/subscriptions', { ruleId: catalogue })
      await call(as, 'PATCH', `/subscriptions/${catalogue}`, { isActive: true })
    }
    expect(await skips(team)).toEqual([out])
    // In the parent itself the gate is open.
    expect((await checked(owner, { version: 'latest' })).violations).toMatchObject([
      { ruleName: 'behind', source: 'own' },
    ])
  })

  it('a team under another parent has that parent’s rules from its next check on, and none of the old one’s', async () => {
    const [from, to] = [await signUp(kit.app, 'leaving'), await signUp(kit.app, 'taking')]
    const team = await teamOf(kit, from, 'Team that moves')
    await id(call(from, 'POST', '/rules', noLatest('of the old parent', { propagateToChildren: true })))
    await id(call(to, 'POST', '/rules', noLatest('of the new parent', { propagateToChildren: true })))
    const violated = async () =>
      (await checked(team, { version: 'latest' })).violations.map(({ ruleName }: { ruleName: string }) => ruleName)
    expect(await violated()).toEqual(['of the old parent'])
    // No operation moves a team; a person who runs the server can do it in the database.
    await kit.store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx.update(t).set({ parentOrgId: to.orgId, rootOrgId: to.orgId }).where(eq(t.id, team.orgId))
    }, 'test')
    const lead = { ...to, ...(await signIn(kit.app, to.username)), orgId: team.orgId }
    const moved = (await checked(lead, { version: 'latest' })).violations
    expect(moved).toMatchObject([{ ruleName: 'of the new parent', source: 'inherited' }])
  })

  it('holds again when team and parent were deleted and come back, and never for a stranger', async () => {
    const owner = await signUp(kit.app, 'restorer')
    const team = await teamOf(kit, owner, 'Team that goes')
    const other = await teamOf(kit, await signUp(kit.app, 'stranger'), 'Team of a stranger')
    const ruleId = await id(call(owner, 'POST', '/rules', noLatest('comes back', { propagateToChildren: true })))
    const violated = async (as: SignedIn) =>
      (await checked(as, { version: 'latest' })).violations.map(({ ruleName }: { ruleName: string }) => ruleName)
    const organization = async (method: string, orgId: string, tail = '') => {
      const person = { ...owner, ...(await signIn(kit.app, owner.username)) }
      const path = `/organization/${orgId}${tail}`
      const answer = await confirmed(kit.app, method, path, {
        as: person,
        // A deleted organization cannot be the tenant of a request.
        headers: tail === '' ? { 'x-org-id': orgId } : {},
      })
      Object.assign(team, await signIn(kit.app, owner.username))
      return answer.status
    }
    expect(await violated(team)).toEqual(['comes back'])
    expect(await violated(other)).toEqual([])
    // A parent with a live team cannot be deleted, so a team always has its parent.
    expect(await organization('DELETE', owner.orgId)).toBe(409)
    expect(await organization('DELETE', team.orgId)).toBe(202)
    expect((await call(team, 'POST', '/validate/plugin/dry-run', { attributes: {} })).status).toBeGreaterThanOrEqual(
      403,
    )
    expect(await organization('DELETE', owner.orgId)).toBe(202)
    expect(await organization('POST', team.orgId, '/restore')).toBe(409)
    expect(await organization('POST', owner.orgId, '/restore')).toBe(200)
    expect(await organization('POST', team.orgId, '/restore')).toBe(200)
    expect(await violated(team)).toEqual(['comes back'])
    const back = { ...owner, ...(await signIn(kit.app, owner.username)) }
    expect((await call(back, 'PUT', `/rules/${ruleId}`, { severity: 'critical' })).status).toBe(200)
    expect((await checked(team, { version: 'latest' })).violations).toMatchObject([{ severity: 'critical' }])
  })
})
