/**
 * The targets of links: one check, exemption, schedule or delivery by its id, for its own organization alone; a refusal
 * names its check.
 */
import { beforeAll, expect, it } from 'vitest'
import { noLatest, signUp } from '../../test/support/compliance.js'
import { describeCompliance } from '../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../test/support/describe-stores.js'
import type { SignedIn } from '../../test/support/sign-in.js'
import { notificationTables } from '../notification/tables.js'
import { inProcessCompliance } from './port/in-process.js'
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
    await isOnlyFor(`/exemptions/${exemption.id}`, 'exemption', listed)
    const { schedule } = (
      await kit.call(ada, 'POST', '/scan-schedules', { target: 'plugin', cronExpression: '30 2 * * *' })
    ).data
    await isOnlyFor(`/scan-schedules/${schedule.id}`, 'schedule', schedule)
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
