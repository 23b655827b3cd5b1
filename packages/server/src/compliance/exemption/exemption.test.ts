/**
 * Goal: an exemption is the decision of two people, for one rule and one entity, until its expiry, and nothing bypasses
 * it.
 */
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { confirmed, evidenceRows, runJobs } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { expireExemptionsJob } from './sweep.js'

const ID = '99999999-9999-7999-8999-999999999999'
const OTHER = '88888888-8888-7888-8888-888888888888'
const HOUR_MS = 3_600_000

await describeCompliance('exemptions', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let amy: SignedIn
  let reader: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    const join = async (name: string, roles: readonly ('Admin' | 'Member')[]) => memberOf(kit, ada, name, roles)
    amy = await join('amy', ['Member', 'Admin'])
    reader = await join('reader', ['Member'])
  })
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const rule = async (name: string, more: object = {}, as = ada) =>
    (await call(as, 'POST', '/rules', noLatest(name, more))).data.rule
  const wanted = (ruleId: string, more: object = {}) => ({
    ruleId,
    entityType: 'plugin',
    entityId: ID,
    reason: 'until the next release',
    ...more,
  })
  const ask = (as: SignedIn, ruleId: string, more: object = {}) => call(as, 'POST', '/exemptions', wanted(ruleId, more))
  const review = (as: SignedIn, id: string, status = 'approved', more: object = {}) =>
    call(as, 'PUT', `/exemptions/${id}/review`, { status, ...more })
  const violated = async (as: SignedIn, more: object = { entityId: ID }) =>
    (
      await call(as, 'POST', '/validate/plugin/dry-run', { attributes: { version: 'latest' }, ...more })
    ).data.violations.map(({ ruleName }: { ruleName: string }) => ruleName)
  const drop = async (...ids: string[]) => {
    for (const id of ids) await call(ada, 'DELETE', `/rules/${id}`)
  }

  it('is asked for by a reader, approved by another, and holds for its entity alone', async () => {
    const one = await rule('one')
    const asked = await ask(reader, one.id)
    expect(asked.status).toBe(201)
    expect(asked.data.exemption).toMatchObject({ status: 'pending', createdBy: reader.userId, reviewedBy: null })
    expect(await violated(ada)).toEqual(['one'])
    expect((await review(reader, asked.data.exemption.id)).status).toBe(403)
    const approved = await review(amy, asked.data.exemption.id)
    expect(approved.data.exemption).toMatchObject({ status: 'approved', approvedBy: amy.userId })
    expect(await violated(ada)).toEqual([])
    expect(await violated(ada, { entityId: OTHER })).toEqual(['one'])
    expect(await violated(ada, {})).toEqual(['one'])
    const dry = await call(ada, 'POST', '/validate/plugin', { attributes: { version: 'latest' }, entityId: ID })
    expect(dry.data).toMatchObject({ exemptionsApplied: [asked.data.exemption.id], skipped: [{ reason: 'exempt' }] })
    // The covered violation is reported and stored, and counts nowhere.
    const waived = [
      {
        exemptionId: asked.data.exemption.id,
        reason: 'until the next release',
        expiresAt: null,
        violation: { ruleId: one.id, actualValue: 'latest' },
      },
    ]
    expect(dry.data).toMatchObject({ blocked: false, violations: [], exempted: waived })
    const [entry] = (await call(ada, 'GET', `/audit?ruleId=${one.id}`)).data.entries
    expect(entry).toMatchObject({ id: dry.data.checkId, result: 'pass', violations: [], exempted: waived })
    expect((await review(ada, asked.data.exemption.id, 'rejected')).code).toBe('CONFLICT')
    expect((await ask(ada, one.id)).code).toBe('CONFLICT')
    expect(
      (await evidence(kit.app))
        .map(({ action }) => action)
        .filter((action) => action.startsWith('compliance.exemption')),
    ).toEqual(['compliance.exemption.request', 'compliance.exemption.approve'])
    await drop(one.id)
  })

  it('nobody decides about their own, neither way and by no other credential', async () => {
    const one = await rule('own request')
    const { id } = (await ask(ada, one.id)).data.exemption
    const token = await confirmed(kit.app, 'POST', '/auth/pats', {
      as: ada,
      body: { name: 'second', organizationId: ada.orgId },
    })
    const second = { ...ada, accessToken: token.data.token as string }
    for (const as of [ada, second]) {
      for (const status of ['approved', 'rejected']) {
        expect(await review(as, id, status)).toMatchObject({ status: 403, code: 'INSUFFICIENT_PERMISSIONS' })
      }
    }
    const mine = (
      await ask(kit.root.orgId === ada.orgId ? kit.root : { ...kit.root, orgId: ada.orgId }, one.id, {
        entityId: OTHER,
      })
    ).data.exemption
    expect((await review({ ...kit.root, orgId: ada.orgId }, mine.id)).status).toBe(403)
    expect(await violated(ada)).toEqual(['own request'])
    expect((await review(amy, id, 'rejected', { rejectionReason: 'fix it' })).data.exemption).toMatchObject({
      status: 'rejected',
      rejectionReason: 'fix it',
    })
    // After a decision, the same request creates a new exemption.
    const again = await ask(ada, one.id)
    expect(again.status).toBe(201)
    expect(again.data.exemption.id).not.toBe(id)
    await drop(one.id)
  })

  it('from a rule that is handed down the parent decides, and nobody in the team', async () => {
    const down = await rule('handed down', { propagateToChildren: true })
    const team = await teamOf(kit, ada, 'Team')
    const lead = await memberOf(kit, team, 'lead', ['Member', 'Admin'])
    const asked = (await ask(lead, down.id)).data.exemption
    expect(asked).toMatchObject({ orgId: team.orgId, reviewOrgId: ada.orgId })
    expect(await review(team, asked.id)).toMatchObject({ status: 403, body: { details: { reason: 'owner' } } })
    expect((await call(team, 'DELETE', `/exemptions/${asked.id}`)).status).toBe(403)
    expect((await call(ada, 'GET', '/exemptions')).data.exemptions.map(({ id }: { id: string }) => id)).not.toContain(
      asked.id,
    )
    expect((await call(ada, 'GET', `/exemptions?team=${team.orgId}`)).data.exemptions).toMatchObject([{ id: asked.id }])
    expect((await review(amy, asked.id)).data.exemption.status).toBe('approved')
    expect(await violated(lead)).toEqual([])
    expect(await violated(ada)).toEqual(['handed down'])
    // A person in both organizations: who requests in the team and decides in the parent is still the same person.
    const other = (await ask(team, down.id, { entityId: OTHER })).data.exemption
    expect((await review(ada, other.id)).status).toBe(403)
    const stranger = await signUp(kit.app, 'stranger')
    expect((await review(stranger, other.id)).status).toBe(404)
    await drop(down.id)
  })

  it('waits for those who may decide about it, in the team that asked and in the organization alone', async () => {
    const bea = await signUp(kit.app, 'bea')
    const made = async (name: string, more: object = {}) => (await rule(name, more, bea)).id
    const [own, down] = [await made('own'), await made('for teams', { propagateToChildren: true })]
    const team = await teamOf(kit, bea, 'Team of Bea')
    const bob = await memberOf(kit, bea, 'bob', ['Member', 'Admin'])
    const mine = (await ask(bea, own)).data.exemption
    const his = (await ask(bob, own, { entityId: OTHER })).data.exemption
    const theirs = (await ask(await memberOf(kit, team, 'tina', ['Member', 'Admin']), down)).data.exemption
    const listed = async (as: SignedIn, query: string): Promise<string[]> =>
      (await call(as, 'GET', `/exemptions?${query}&sortOrder=asc`)).data.exemptions.map(({ id }: { id: string }) => id)
    expect(await listed(bea, 'waitsFor=me')).toEqual([his.id, theirs.id])
    expect(await listed(bob, 'waitsFor=me')).toEqual([mine.id, theirs.id])
    expect(await listed(bea, `waitsFor=me&team=${team.orgId}`)).toEqual([theirs.id])
    expect(await listed(team, 'waitsFor=me')).toEqual([])
    // A person who writes rules only by a compliance role decides nothing.
    const editor = await memberOf(kit, bea, 'edna', ['Member'])
    await call(bea, 'PUT', `/roles/${editor.userId}`, { role: 'editor' })
    expect(await listed(editor, 'waitsFor=me')).toEqual([])
    const ends = async (as: SignedIn, id: string) =>
      (await call(as, 'GET', `/exemptions/${id}`)).data.exemption.mayRevoke
    const shown = async (as: SignedIn, id: string) =>
      (await call(as, 'GET', `/exemptions/${id}`)).data.exemption.mayDecide
    const all = async (as: SignedIn) => [await shown(as, mine.id), await shown(as, his.id)]
    expect(await all(bea)).toEqual([false, true])
    expect(await all(bob)).toEqual([true, false])
    expect(await all(editor)).toEqual([false, false])
    expect([await shown(bea, theirs.id), await shown(team, theirs.id)]).toEqual([true, false])
    expect([await ends(bea, mine.id), await ends(editor, mine.id), await ends(team, theirs.id)]).toEqual([
      true,
      false,
      false,
    ])
    expect((await review(bea, his.id)).data.exemption).toMatchObject({ mayDecide: false, mayRevoke: true })
    expect(await ends(editor, his.id)).toBe(false)
    expect(await listed(bea, 'waitsFor=me')).toEqual([theirs.id])
  })

  it('is found before it ends', async () => {
    const { id } = await rule('ends')
    const inDays = (days: number) => new Date(kit.app.clock.now() + days * 24 * HOUR_MS).toISOString()
    const approved = async (entityId: string, expiresAt: string | null) => {
      const asked = await ask(ada, id, { entityId, ...(expiresAt === null ? {} : { expiresAt }) })
      return (await review(amy, asked.data.exemption.id)).data.exemption.id
    }
    const soon = await approved(ID, inDays(3))
    await approved(OTHER, inDays(20))
    await approved('77777777-7777-7777-8777-777777777777', null)
    await ask(ada, id, { entityId: '66666666-6666-7666-8666-666666666666', expiresAt: inDays(3) })
    const found = await call(ada, 'GET', `/exemptions?ruleId=${id}&endsWithinDays=14`)
    expect(found.data.exemptions.map((each: { id: string }) => each.id)).toEqual([soon])
    await drop(id)
  })

  it('names its rule as it is called now, to those who may read the rule', async () => {
    const down = await rule('named at first', { propagateToChildren: true })
    const own = await rule('the own one')
    const team = await teamOf(kit, ada, 'Naming team')
    const asked = (await ask(team, down.id)).data.exemption
    expect([asked.ruleName, asked.ruleSeverity]).toEqual(['named at first', 'error'])
    await ask(ada, own.id)
    const listed = async (as: SignedIn, ruleId: string, more = '') => {
      const { exemptions } = (await call(as, 'GET', `/exemptions?ruleId=${ruleId}${more}`)).data
      return exemptions.map(({ ruleName }: { ruleName: string | null }) => ruleName)
    }
    const shown = async (as: SignedIn) => {
      const { ruleName, ruleSeverity } = (await call(as, 'GET', `/exemptions/${asked.id}`)).data.exemption
      return [ruleName, ruleSeverity]
    }
    await call(ada, 'PUT', `/rules/${down.id}`, { name: 'named again', severity: 'warning' })
    expect(await listed(team, down.id)).toEqual(['named again'])
    expect(await listed(ada, down.id, `&team=${team.orgId}`)).toEqual(['named again'])
    expect(await listed(ada, own.id)).toEqual(['the own one'])
    expect(await shown(team)).toEqual(['named again', 'warning'])
    await call(ada, 'PUT', `/rules/${down.id}`, { propagateToChildren: false, name: 'not for teams' })
    expect(await listed(team, down.id)).toEqual([null])
    expect(await shown(team)).toEqual([null, null])
    expect(await shown(ada)).toEqual(['not for teams', 'warning'])
    await drop(down.id, own.id)
    expect(await listed(ada, own.id)).toEqual([null])
  })

  it('ends by the clock, also when the clock steps back and the sweep is late', async () => {
    const one = await rule('for an hour')
    const start = kit.app.clock.now()
    const expiresAt = new Date(start + HOUR_MS).toISOString()
    expect((await ask(ada, one.id, { expiresAt: new Date(start).toISOString() })).status).toBe(400)
    const { id } = (await ask(ada, one.id, { expiresAt })).data.exemption
    await review(amy, id)
    kit.app.clock.set(start + HOUR_MS - 1)
    expect(await violated(ada)).toEqual([])
    kit.app.clock.set(start + HOUR_MS)
    expect(await violated(ada)).toEqual(['for an hour'])
    const state = async () => (await call(ada, 'GET', `/exemptions?ruleId=${one.id}`)).data.exemptions[0].status
    expect(await state()).toBe('expired')
    expect((await call(ada, 'GET', `/exemptions?ruleId=${one.id}&status=approved`)).data.exemptions).toEqual([])
    expect((await call(ada, 'GET', `/exemptions?ruleId=${one.id}&status=expired`)).data.exemptions).toHaveLength(1)
    await runJobs(kit.app, [expireExemptionsJob], [expireExemptionsJob.kind])
    kit.app.clock.set(start)
    expect(await state()).toBe('expired')
    expect(await violated(ada)).toEqual(['for an hour'])
    expect((await ask(ada, one.id)).status).toBe(201)
    await drop(one.id)
  })

  it('is revoked by who decides, withdrawn by who asked, and ends with its rule', async () => {
    const one = await rule('revoked')
    const approve = async (entityId: string) => {
      const { id } = (await ask(reader, one.id, { entityId })).data.exemption
      await review(amy, id)
      return id as string
    }
    const id = await approve(ID)
    expect((await call(reader, 'DELETE', `/exemptions/${id}`)).status).toBe(403)
    expect((await call(ada, 'DELETE', `/exemptions/${id}`)).status).toBe(200)
    expect(await violated(ada)).toEqual(['revoked'])
    expect((await call(ada, 'DELETE', `/exemptions/${id}`)).code).toBe('CONFLICT')
    const own = (await ask(reader, one.id)).data.exemption
    expect((await call(reader, 'DELETE', `/exemptions/${own.id}`)).status).toBe(200)
    const last = await approve(OTHER)
    await drop(one.id)
    const listed = (await call(ada, 'GET', `/exemptions?ruleId=${one.id}`)).data.exemptions
    expect(listed.find((each: { id: string }) => each.id === last).status).toBe('revoked')
  })

  it('of a team ends with the rule of its parent, in the trail of the team and without a name', async () => {
    const down = await rule('deleted above', { propagateToChildren: true })
    const team = await teamOf(kit, ada, 'Team below')
    const held: { id: string; revision: number }[] = []
    for (const entityId of [ID, OTHER]) {
      const { id } = (await ask(team, down.id, { entityId })).data.exemption
      held.push((await review(amy, id)).data.exemption)
    }
    const own = (await ask(reader, down.id)).data.exemption
    const trail = async (orgId: string) =>
      (await evidenceRows(kit.app, orgId)).filter(({ action }) => action === 'compliance.exemption.revoke')
    const before = (await trail(ada.orgId)).length
    await drop(down.id)
    for (const { id, revision } of held) {
      expect((await call(team, 'GET', `/exemptions/${id}`)).data.exemption).toMatchObject({
        status: 'revoked',
        revision: revision + 1,
        updatedBy: null,
      })
    }
    expect((await call(ada, 'GET', `/exemptions/${own.id}`)).data.exemption).toMatchObject({
      revision: own.revision + 1,
      updatedBy: ada.userId,
    })
    expect(await trail(team.orgId)).toMatchObject([{ targetId: down.id }])
    // The deletion of the rule stands for the exemptions of its own organization.
    expect((await trail(ada.orgId)).length).toBe(before)
  })

  it('two waivers give what each gives, and a waived rule does not close the gates of others', async () => {
    const base = await rule('base rule')
    const gated = await rule('gated rule', {
      field: null,
      operator: null,
      value: null,
      conditions: [{ dependsOnRule: base.id }, { field: 'version', operator: 'neq', value: 'latest' }],
    })
    const third = await rule('third rule')
    for (const ruleId of [base.id, third.id]) {
      const { id } = (await ask(reader, ruleId)).data.exemption
      await review(amy, id)
    }
    expect(await violated(ada)).toEqual(['gated rule'])
    await drop(gated.id, base.id, third.id)
  })

  it('is for the stored record with the key of what is checked, and never for a name', async () => {
    const one = await rule('by key', { field: 'timeout', operator: 'lt', value: 60 })
    const attributes = { name: 'known', version: '1.0.0', timeout: 90 }
    kit.inventory.set(recordKey(ada.orgId, 'plugin', ID), { id: ID, name: 'known', revision: 1, attributes })
    const asked = await ask(reader, one.id)
    expect(asked.data.exemption).toMatchObject({ entityName: 'known', isStored: true, entityKey: null })
    await review(amy, asked.data.exemption.id)
    const upload = async (more: object, entityName = 'known') =>
      (await call(ada, 'POST', '/validate/plugin', { attributes: { ...attributes, ...more }, entityName })).data
    expect((await upload({})).blocked).toBe(false)
    expect((await upload({}, 'another name')).blocked).toBe(false)
    expect((await upload({ version: '2.0.0' })).blocked).toBe(true)
    expect((await upload({ name: 'unknown' })).blocked).toBe(true)
    const entries = (await call(ada, 'GET', `/audit?ruleId=${one.id}&sortOrder=asc`)).data.entries
    expect(entries.map(({ entityId }: { entityId: string }) => entityId)).toEqual([ID, ID, null, null])
    kit.inventory.delete(recordKey(ada.orgId, 'plugin', ID))
    await drop(one.id)
  })

  it('by key is for exactly that version, or for every one where that was asked for', async () => {
    const one = await rule('by version', { field: 'timeout', operator: 'lt', value: 60 })
    const blocked = async (version: string, as = ada) =>
      (await call(as, 'POST', '/validate/plugin/dry-run', { attributes: { name: 'web', version, timeout: 90 } })).data
        .blocked
    const keyed = (version: string) => ask(reader, one.id, { entityId: undefined, entityKey: { name: 'web', version } })
    const exact = await keyed('1.0.0')
    expect(exact.data.exemption).toMatchObject({
      entityId: null,
      entityKey: { name: 'web', version: '1.0.0' },
      entityName: 'web',
      isStored: false,
    })
    await review(amy, exact.data.exemption.id)
    expect([await blocked('1.0.0'), await blocked('2.0.0')]).toEqual([false, true])
    expect((await keyed('1.0.0')).code).toBe('CONFLICT')
    const every = await keyed('*')
    expect(every.data.exemption.entityKey.version).toBe('*')
    const shown = (await call(amy, 'GET', '/exemptions?status=pending&pluginName=web&pluginVersion=*')).data.exemptions
    expect(shown).toMatchObject([{ id: every.data.exemption.id, entityKey: { name: 'web', version: '*' } }])
    expect((await call(amy, 'GET', '/exemptions?pluginName=web')).body.details.issues[0].path).toBe(
      '/query/pluginVersion',
    )
    await review(amy, every.data.exemption.id)
    expect(await blocked('2.0.0')).toBe(false)
    await drop(one.id)
  })

  it('names exactly one record, whole and of its target', async () => {
    const one = await rule('named')
    const issues = async (more: object) =>
      (await ask(reader, one.id, { entityId: undefined, ...more })).body.details?.issues?.map(
        ({ path }: { path: string }) => path.replace('/body/', ''),
      )
    expect(await issues({})).toEqual(['entityId'])
    expect(await issues({ entityId: ID, entityKey: { name: 'a', version: '1' } })).toEqual(['entityId'])
    expect(await issues({ entityKey: { name: 'a' } })).toEqual(['entityKey/version'])
    expect(await issues({ entityKey: { project: 'a', organization: 'b' } })).toEqual([
      'entityKey/name',
      'entityKey/version',
      'entityKey/project',
      'entityKey/organization',
    ])
    expect(await issues({ entityKey: { name: '*', version: '*' } })).toEqual(['entityKey/name'])
    await drop(one.id)
  })

  it('of one organization is for no record with that key in another', async () => {
    const bob = await signUp(kit.app, 'keybob')
    const [mine, his] = [await rule('mine'), await rule('his', {}, bob)]
    const entityKey = { name: 'web', version: 'latest' }
    await review(amy, (await ask(reader, mine.id, { entityId: undefined, entityKey })).data.exemption.id)
    const attributes = { ...entityKey }
    const blocked = async (as: SignedIn) =>
      (await call(as, 'POST', '/validate/plugin/dry-run', { attributes })).data.blocked
    expect([await blocked(ada), await blocked(bob)]).toEqual([false, true])
    expect((await ask(bob, mine.id, { entityId: undefined, entityKey })).status).toBe(404)
    expect((await call(bob, 'GET', '/exemptions')).data.exemptions).toEqual([])
    await drop(mine.id)
    await call(bob, 'DELETE', `/rules/${his.id}`)
  })

  it('many at once: each entry has its answer; open ones and repeated ones are skipped', async () => {
    const one = await rule('in bulk')
    const some = Array.from({ length: 3 }, (_, n) =>
      wanted(one.id, { entityId: `00000000-0000-7000-8000-00000000000${n}` }),
    )
    const bulk = (exemptions: object[]) => call(reader, 'POST', '/exemptions/bulk', { exemptions })
    const made = await bulk([
      { ruleId: 7, colour: 'red' },
      some[0] as object,
      wanted(one.id, { entityType: 'pipeline' }),
      some[1] as object,
      null as unknown as object,
      some[0] as object,
      wanted(ID),
      wanted(one.id, { expiresAt: '2020-01-01T00:00:00Z' }),
    ])
    expect([made.status, made.data.created, made.data.skipped, made.data.failed]).toEqual([201, 2, 1, 5])
    expect(made.data.items).toMatchObject([
      { index: 0, status: 'failed', code: 'VALIDATION_ERROR', message: expect.stringContaining('/body/exemptions/0') },
      { index: 1, status: 'created', id: made.data.ids[0] },
      {
        index: 2,
        status: 'failed',
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: '/body/exemptions/2/entityType' }] },
      },
      { index: 3, status: 'created', id: made.data.ids[1] },
      { index: 4, status: 'failed', code: 'VALIDATION_ERROR' },
      { index: 5, status: 'skipped' },
      { index: 6, status: 'failed', code: 'NOT_FOUND' },
      {
        index: 7,
        status: 'failed',
        code: 'VALIDATION_ERROR',
        details: { issues: [{ path: '/body/exemptions/7/expiresAt' }] },
      },
    ])
    const listed = (await call(ada, 'GET', `/exemptions?ruleId=${one.id}`)).data.exemptions
    expect(listed.map(({ entityId }: { entityId: string }) => entityId).sort()).toEqual(
      some.slice(0, 2).map(({ entityId }) => entityId),
    )
    expect((await bulk(some)).data).toMatchObject({ created: 1, skipped: 2, failed: 0 })
    expect((await bulk(some)).data).toMatchObject({ created: 0, skipped: 3, ids: [] })
    expect((await bulk([{}])).data).toMatchObject({ created: 0, failed: 1, ids: [] })
    // Only a body that is not a list of items makes the whole request fail.
    expect((await bulk(Array.from({ length: 501 }, () => wanted(one.id)))).status).toBe(400)
    for (const list of [[], {}, 'all', null]) {
      expect((await call(reader, 'POST', '/exemptions/bulk', { exemptions: list })).status).toBe(400)
    }
    await drop(one.id)
  })
})
