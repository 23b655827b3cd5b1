/**
 * The targets of links: one check, finding, exemption, schedule or delivery by its id, for its own organization alone,
 * with what a page shows beside it; a refusal names its check.
 */
import { beforeAll, expect, it } from 'vitest'
import { noLatest, recordKey, signUp, teamOf } from '../../test/support/compliance.js'
import { describeCompliance } from '../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../test/support/describe-stores.js'
import { runJobs } from '../../test/support/organizations.js'
import type { SignedIn } from '../../test/support/sign-in.js'
import { notificationTables } from '../notification/tables.js'
import { inProcessCompliance } from './port/in-process.js'
import { scanJob } from './scan/job.js'
import { subjectOf } from './subject.js'

const UNKNOWN = '99999999-9999-7999-8999-999999999999'

await describeCompliance('reads by id', { stores: WITH_POSTGRESQL }, (kit) => {
  let ada: SignedIn
  let eve: SignedIn
  let ruleId: string
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    eve = await signUp(kit.app, 'eve')
    ruleId = (await kit.call(ada, 'POST', '/rules', noLatest())).data.rule.id
  })

  const isOnlyFor = async (path: string, key: string, expected: unknown): Promise<void> => {
    const own = await kit.call(ada, 'GET', path)
    expect([own.status, own.data?.[key]]).toEqual([200, expected])
    const foreign = await kit.call(eve, 'GET', path)
    const unknown = await kit.call(ada, 'GET', path.replace(/[^/]+$/, UNKNOWN))
    expect([foreign.status, foreign.body.message]).toEqual([404, unknown.body.message])
  }

  it('show the entry of the check log that the list has', async () => {
    const body = { attributes: { name: 'a', version: 'latest' }, action: 'upload', entityName: 'a' }
    expect((await kit.call(ada, 'POST', '/validate/plugin', body)).status).toBe(200)
    const [entry] = (await kit.call(ada, 'GET', '/audit')).data.entries
    expect(entry.result).toBe('block')
    await isOnlyFor(`/audit/${entry.id}`, 'entry', entry)
  })

  it('show an exemption and a schedule', async () => {
    const request = { ruleId, entityType: 'plugin', entityKey: { name: 'a', version: '1.0.0' }, reason: 'a trial' }
    const made = await kit.call(ada, 'POST', '/exemptions', request)
    const { exemption } = made.data
    const [listed] = (await kit.call(ada, 'GET', '/exemptions')).data.exemptions
    expect(listed.id).toBe(exemption.id)
    await isOnlyFor(`/exemptions/${exemption.id}`, 'exemption', {
      ...listed,
      otherExemptions: [],
      otherExemptionCount: 0,
    })
    const { schedule } = (
      await kit.call(ada, 'POST', '/scan-schedules', { target: 'plugin', cronExpression: '30 2 * * *' })
    ).data
    await isOnlyFor(`/scan-schedules/${schedule.id}`, 'schedule', schedule)
  })

  it('show a finding with what a page has beside it, as far as the reader may read it', async () => {
    const team = await teamOf(kit, ada, 'Finding team')
    const down = noLatest('handed down', { propagateToChildren: true, tags: ['control:6.5.2', 'images'] })
    const rule = (await kit.call(ada, 'POST', '/rules', down)).data.rule
    const at = '55555555-5555-7555-8555-555555555555'
    for (const { orgId } of [ada, team]) {
      const attributes = { id: at, name: 'shared id', version: 'latest' }
      kit.inventory.set(recordKey(orgId, 'plugin', at), { id: at, name: 'shared id', revision: 1, attributes })
    }
    const policy = (await kit.call(ada, 'POST', '/policies', { name: 'Images', ruleIds: [rule.id] })).data.policy
    const scan = async (as: SignedIn) => {
      await kit.call(as, 'POST', '/scans', { target: 'plugin' })
      await runJobs(kit.app, [scanJob])
    }
    for (let n = 0; n < 6; n++) await scan(ada)
    await scan(team)
    const found = async (as: SignedIn) => {
      const { findings } = (await kit.call(as, 'GET', `/findings?ruleId=${rule.id}`)).data
      const { data } = await kit.call(as, 'GET', `/findings/${findings[0].id}`)
      return { listed: findings[0], ...data }
    }
    const own = await found(ada)
    expect(own.finding).toEqual(own.listed)
    expect([own.tags, own.policies]).toEqual([['control:6.5.2', 'images'], [{ id: policy.id, name: 'Images' }]])
    const { entries } = (await kit.call(ada, 'GET', `/audit?entityId=${at}&ruleId=${rule.id}`)).data
    const short = entries.map(({ id, result, action, createdAt }: never) => ({ id, result, action, createdAt }))
    expect(own.checks).toEqual({ total: 6, latest: short.slice(0, 5) })
    await isOnlyFor(`/findings/${own.finding.id}`, 'finding', own.listed)
    // The team inherits the rule and not the policy that lists it, and has a record of the same id.
    const inherited = await found(team)
    expect(inherited).toMatchObject({ tags: rule.tags, policies: [], checks: { total: 1 } })
    expect(inherited.finding.policyIds).toEqual([policy.id])
    await kit.call(ada, 'PUT', `/rules/${rule.id}`, { propagateToChildren: false })
    expect(await found(team)).toMatchObject({ tags: [], checks: { total: 1 } })
    await kit.call(ada, 'DELETE', `/policies/${policy.id}`)
    expect((await found(ada)).policies).toEqual([])
  })

  it('show the other exemptions of the record that the reader asked for or decides about', async () => {
    const team = await teamOf(kit, ada, 'Asking team')
    const made = async (as: SignedIn, name: string, more: object = {}) =>
      (await kit.call(as, 'POST', '/rules', noLatest(name, more))).data.rule.id
    const [first, second, third] = [
      await made(ada, 'down 1', { propagateToChildren: true }),
      await made(ada, 'down 2', { propagateToChildren: true }),
      await made(team, 'of the team'),
    ]
    const record = '44444444-4444-7444-8444-444444444444'
    const key = { name: 'tool', version: '*' }
    const ask = async (id: string, of: object, reason: string) =>
      (await kit.call(team, 'POST', '/exemptions', { ruleId: id, entityType: 'plugin', reason, ...of })).data.exemption
        .id
    const asked = await ask(first, { entityId: record }, 'first')
    await ask(second, { entityId: record }, 'second')
    await ask(third, { entityId: record }, 'third')
    await ask(first, { entityId: '33333333-3333-7333-8333-333333333333' }, 'another record')
    const byKey = await ask(first, { entityKey: key }, 'first by key')
    await ask(second, { entityKey: key }, 'second by key')
    const others = async (as: SignedIn, id: string) => {
      const { otherExemptions: latest, otherExemptionCount } = (await kit.call(as, 'GET', `/exemptions/${id}`)).data
        .exemption
      expect(latest).toHaveLength(otherExemptionCount)
      return latest.map(({ reason, status }: { reason: string; status: string }) => `${reason} ${status}`)
    }
    expect((await others(team, asked)).sort()).toEqual(['second pending', 'third pending'])
    expect(await others(ada, asked)).toEqual(['second pending'])
    expect(await others(team, byKey)).toEqual(['second by key pending'])
  })

  it('show a delivery', async () => {
    const ids = kit.app.runtime.ids
    const [notificationId, id] = [ids.next(), ids.next()]
    await kit.store.system.write(async (tx) => {
      const { notifications, attempts } = notificationTables(tx)
      const about = { orgId: ada.orgId, createdAtMs: kit.app.clock.now() }
      await tx.insert(notifications).values({
        ...about,
        id: notificationId,
        onceKey: notificationId,
        priority: 'normal',
        event: 'compliance.rule-change',
        payload: {} as never,
        relatedCheckId: null,
      } as never)
      await tx.insert(attempts).values({
        ...about,
        id,
        notificationId,
        deliveryId: ids.next(),
        event: 'compliance.rule-change',
        channel: 'in-app',
        status: 'sent',
        attempt: 1,
        responseCode: null,
        error: null,
        nextRetryAtMs: null,
      } as never)
    })
    const { entries } = (await kit.call(ada, 'GET', '/notification-log')).data
    const entry = entries.find((each: { id: string }) => each.id === id)
    await isOnlyFor(`/notification-log/${id}`, 'entry', entry)
  })

  it('a refusal names its check', async () => {
    const { runtime } = kit.app
    const org = await kit.app.identity.directory.organization(ada.orgId)
    const context = {
      runtime,
      nowMs: kit.app.clock.now(),
      actor: { id: ada.userId, email: null, role: null, impersonatorId: null },
      authority: { org },
      request: { requestId: 'r' },
    }
    const attributes = { name: 'b', version: 'latest' }
    const asked = { target: 'plugin', action: 'upload', attributes, entityId: null, entityName: 'b' } as const
    expect(subjectOf('plugin', asked, attributes).entityName).toBe('b')
    const answer = await inProcessCompliance.check(context as never, asked, AbortSignal.timeout(5000))
    const checkId = 'verdict' in answer ? answer.verdict.checkId : undefined
    const { entry } = (await kit.call(ada, 'GET', `/audit/${checkId}`)).data
    expect([entry.entityName, entry.result]).toEqual(['b', 'block'])
  })
})
