/** Goal: compliance roles grant what they define, only to members, and nobody gains rights for themselves by them. */
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, giveCustomRole } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'

const RULE = noLatest()
const ID = '99999999-9999-7999-8999-999999999999'

await describeCompliance('compliance roles', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let eve: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    eve = await member('eve')
    bob = await member('bob')
  })

  const member = async (name: string): Promise<SignedIn> => memberOf(kit, ada, name)
  const call: ComplianceApp['call'] = (...args) => kit.call(...args)
  const grant = (as: SignedIn, userId: string, role: string) => call(as, 'PUT', `/roles/${userId}`, { role })
  const revoke = (as: SignedIn, userId: string) => call(as, 'DELETE', `/roles/${userId}`)
  // A change of rights invalidates earlier tokens.
  const again = async (person: SignedIn): Promise<SignedIn> => {
    const answer = await kit.app.call('POST', '/auth/login', {
      body: { identifier: person.username, password: 'Correct-Horse-7' },
    })
    return { ...person, accessToken: answer.data.accessToken }
  }

  it('editor writes rules, and neither decides about exemptions, nor sets preferences, nor gives roles', async () => {
    expect((await call(eve, 'POST', '/rules', RULE)).status).toBe(403)
    expect((await grant(ada, eve.userId, 'editor')).data.role).toMatchObject({ role: 'editor', grantedBy: ada.userId })
    eve = await again(eve)
    const rule = await call(eve, 'POST', '/rules', RULE)
    expect(rule.status).toBe(201)
    const asked = await call(bob, 'POST', '/exemptions', {
      ruleId: rule.data.rule.id,
      entityType: 'plugin',
      entityId: ID,
      reason: 'soon',
    })
    const review = `/exemptions/${asked.data.exemption.id}`
    expect((await call(eve, 'PUT', `${review}/review`, { status: 'approved' })).status).toBe(403)
    expect((await call(eve, 'DELETE', review)).status).toBe(403)
    expect((await call(eve, 'PUT', '/notification-preferences', { notifyOnWarning: true })).status).toBe(403)
    expect((await grant(eve, bob.userId, 'viewer')).status).toBe(403)
    expect((await grant(eve, eve.userId, 'admin')).status).toBe(403)
    expect((await revoke(eve, eve.userId)).status).toBe(403)

    expect((await grant(ada, eve.userId, 'admin')).data.role.role).toBe('admin')
    eve = await again(eve)
    expect((await call(eve, 'PUT', '/notification-preferences', { notifyOnWarning: true })).status).toBe(200)
    expect((await call(eve, 'PUT', `${review}/review`, { status: 'approved' })).data.exemption.approvedBy).toBe(
      eve.userId,
    )
    expect((await grant(eve, bob.userId, 'viewer')).status).toBe(200)
  })

  it('the person who writes rules by a Role decides about exemptions, and administers nothing', async () => {
    const cat = await member('cat')
    await giveCustomRole(kit.app, ada.orgId, cat.userId, ['compliance:read', 'compliance:write'])
    const rules = await call(cat, 'GET', '/rules')
    const { id } = rules.data.rules[0]
    const asked = await call(ada, 'POST', '/exemptions', {
      ruleId: id,
      entityType: 'plugin',
      entityId: '88888888-8888-7888-8888-888888888888',
      reason: 'soon',
    })
    expect(
      (await call(cat, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'rejected' })).status,
    ).toBe(200)
    expect((await grant(cat, cat.userId, 'admin')).status).toBe(403)
    expect((await call(cat, 'PUT', '/notification-preferences', { emailEnabled: true })).status).toBe(403)
  })

  it('a token that was given less gets nothing back by the role of its owner', async () => {
    const made = await confirmed(kit.app, 'POST', '/auth/pats', {
      as: ada,
      body: { name: 'narrow', organizationId: ada.orgId, permissions: ['compliance:read'] },
    })
    const narrow = { ...ada, accessToken: made.data.token as string }
    expect((await call(narrow, 'GET', '/roles')).status).toBe(200)
    expect((await grant(narrow, bob.userId, 'admin')).status).toBe(403)
  })

  it('is for active members, ends with the membership, and does not come back with it', async () => {
    const stranger = await signUp(kit.app, 'stranger')
    expect(await grant(ada, stranger.userId, 'viewer')).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const dan = await member('dan')
    await grant(ada, dan.userId, 'editor')
    await kit.app.call('DELETE', `/organization/${ada.orgId}/members/${dan.userId}`, { as: ada })
    expect(
      (await call(ada, 'GET', '/roles?limit=100')).data.roles.map((each: { userId: string }) => each.userId),
    ).not.toContain(dan.userId)
    const back = { ...(await again(await enrol(kit.app, dan, ada.orgId))), orgId: ada.orgId }
    expect((await call(back, 'POST', '/rules', { ...RULE, name: 'another' })).status).toBe(403)
  })

  it('is taken away, once, with evidence', async () => {
    expect((await grant(ada, bob.userId, 'editor')).status).toBe(200)
    const before = (await evidence(kit.app)).length
    expect((await grant(ada, bob.userId, 'editor')).status).toBe(200)
    expect(await evidence(kit.app)).toHaveLength(before)
    expect((await revoke(ada, bob.userId)).data.message).toContain('editor')
    expect((await revoke(ada, bob.userId)).status).toBe(404)
    const actions = (await evidence(kit.app)).slice(before).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('compliance.role'))).toEqual(['compliance.role.revoke'])
    expect((await grant(ada, bob.userId, 'owner')).status).toBe(400)
  })
})
