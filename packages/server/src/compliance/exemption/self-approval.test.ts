/** Goal: nobody approves their own request, by any credential, Role, organization or impersonated user. */
import { beforeAll, expect, it } from 'vitest'
import { memberOf, noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, stepUp } from '../../../test/support/organizations.js'
import { serviceToken } from '../../../test/support/services.js'
import { type SignedIn, signIn } from '../../../test/support/sign-in.js'
import { complianceRows } from '../../../test/support/table-rows.js'

const ID = '99999999-9999-7999-8999-999999999999'

await describeCompliance('no self-approval', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let amy: SignedIn
  let rules = 0
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    amy = await join('amy', ['Member', 'Admin'])
  })
  const join = async (name: string, roles: readonly ('Admin' | 'Member')[], orgId = ada.orgId): Promise<SignedIn> =>
    memberOf(kit, { orgId }, name, roles)
  const again = async (person: SignedIn): Promise<SignedIn> => ({
    ...person,
    ...(await signIn(kit.app, person.username)),
  })
  const newRule = async (more: object = {}, as = ada): Promise<string> => {
    rules += 1
    return (await kit.call(as, 'POST', '/rules', noLatest(`rule ${rules}`, more))).data.rule.id
  }
  const ask = async (as: SignedIn | string, ruleId: string, headers = {}) => {
    const body = { ruleId, entityType: 'plugin', entityId: ID, reason: 'until the next release' }
    const answer = await kit.call(as, 'POST', '/exemptions', body, { headers })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.data.exemption as { id: string; createdBy: string }
  }
  const review = (as: SignedIn | string, id: string, status: string, headers = {}) =>
    kit.call(as, 'PUT', `/exemptions/${id}/review`, { status }, { headers })
  /** Neither decision is allowed, and the attempts change nothing. */
  const refused = async (as: SignedIn | string, id: string, headers = {}) => {
    const before = await complianceRows(kit.store)
    for (const status of ['approved', 'rejected']) {
      expect(await review(as, id, status, headers)).toMatchObject({ status: 403, code: 'INSUFFICIENT_PERMISSIONS' })
    }
    expect(await complianceRows(kit.store)).toEqual(before)
  }
  const actAs = async (person: SignedIn): Promise<{ token: string; headers: Record<string, string> }> => {
    const answer = await kit.app.call('POST', `/admin/impersonate/${person.userId}`, {
      as: kit.root,
      headers: await stepUp(kit.app, kit.root),
      body: { reason: 'looks into a ticket', readOnly: false },
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return { token: answer.data.accessToken, headers: { 'x-org-id': person.orgId } }
  }

  it('by a second session or a personal access token', async () => {
    const { id } = await ask(ada, await newRule())
    const token = await confirmed(kit.app, 'POST', '/auth/pats', {
      as: ada,
      body: { name: 'second', organizationId: ada.orgId },
    })
    await refused(ada, id)
    await refused(await again(ada), id)
    await refused({ ...ada, accessToken: token.data.token }, id)
    expect((await review(amy, id, 'approved')).status).toBe(200)
  })

  it('by a service principal that the requester made, of the organization or of the system', async () => {
    const { id } = await ask(ada, await newRule())
    const made = await confirmed(kit.app, 'POST', `/organization/${ada.orgId}/service-principals`, {
      as: ada,
      headers: { 'x-org-id': ada.orgId },
      body: { name: 'approver', scopes: ['compliance:validate', 'pipelines:read', 'plugins:read'] },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const token = await kit.app.call('POST', '/auth/token', {
      body: {
        grant_type: 'client_credentials',
        clientId: made.data.servicePrincipal.clientId,
        clientSecret: made.data.clientSecret,
      },
    })
    const headers = { 'x-org-id': ada.orgId }
    await refused(token.data.accessToken, id, headers)
    await refused(
      await serviceToken(kit.app, ['compliance:check', 'compliance:events', 'entitlements:sync']),
      id,
      headers,
    )
    // A service principal cannot request one either, which its creator could then approve.
    const body = { ruleId: await newRule(), entityType: 'plugin', entityId: ID, reason: 'made by a machine' }
    expect((await kit.call(token.data.accessToken, 'POST', '/exemptions', body, { headers })).status).toBe(403)
  })

  it('after another Role, as owner, or as a system administrator', async () => {
    const reader = await join('reader', ['Member'])
    const { id } = await ask(reader, await newRule())
    await refused(reader, id)
    const raised = await confirmed(kit.app, 'PATCH', `/organization/${ada.orgId}/members/${reader.userId}`, {
      as: ada,
      headers: { 'x-org-id': ada.orgId },
      body: { role: 'admin' },
    })
    expect(raised.status, JSON.stringify(raised.body)).toBe(200)
    const asAdmin = await again(reader)
    // The person now has the permission, and is refused all the same.
    expect(
      (
        await kit.call(asAdmin, 'POST', '/rules', {
          name: 'by an admin',
          target: 'plugin',
          field: 'a',
          operator: 'exists',
        })
      ).status,
    ).toBe(201)
    await refused(asAdmin, id)
    const mine = await ask({ ...kit.root, orgId: ada.orgId }, await newRule())
    await refused({ ...kit.root, orgId: ada.orgId }, mine.id)
  })

  it('removed and a member again', async () => {
    const zoe = await join('zoe', ['Member', 'Admin'])
    const { id } = await ask(zoe, await newRule())
    const path = `/organization/${ada.orgId}/members/${zoe.userId}`
    const gone = await kit.app.call('DELETE', path, { as: ada, headers: { 'x-org-id': ada.orgId } })
    expect(gone.status, JSON.stringify(gone.body)).toBeLessThan(300)
    expect((await review(await again(zoe), id, 'approved')).status).toBeGreaterThanOrEqual(400)
    await enrol(kit.app, zoe, ada.orgId, ['Member', 'Admin'])
    await refused(await again(zoe), id)
    expect((await review(amy, id, 'approved')).status).toBe(200)
  })

  it('as administrator of the parent, or of both', async () => {
    const down = await newRule({ propagateToChildren: true })
    const team = await teamOf(kit, ada, 'Team')
    const { id } = await ask(team, down)
    await refused(team, id)
    await refused(ada, id)
    expect((await review(amy, id, 'approved')).status).toBe(200)
  })

  it('as the one whom a system administrator acts as, before or after', async () => {
    // Requested as herself, decided as amy.
    const own = await ask({ ...kit.root, orgId: ada.orgId }, await newRule())
    const asAmy = await actAs(amy)
    await refused(asAmy.token, own.id, asAmy.headers)
    // Requested as amy, decided as herself, as amy by amy, and as ada.
    const asked = await ask(asAmy.token, await newRule(), asAmy.headers)
    expect(asked.createdBy).toBe(amy.userId)
    await refused({ ...kit.root, orgId: ada.orgId }, asked.id)
    await refused(amy, asked.id)
    const asAda = await actAs(ada)
    await refused(asAda.token, asked.id, asAda.headers)
    expect((await review(ada, asked.id, 'approved')).status).toBe(200)
  })
})
