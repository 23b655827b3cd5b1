/**
 * Goal: each change of a record is checked once, under its own tenant, and an older event never follows a newer one.
 */
import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { serviceToken } from '../../../test/support/services.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { announceEntity, type EntityEvent, RECHECK_JOB } from '../../runtime/records/entity.js'
import { complianceTables } from '../tables.js'
import { recheckJob } from './job.js'

const MINUTE_MS = 60_000
const ID = '99999999-9999-7999-8999-999999999999'

await describeCompliance('re-checks', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let team: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    team = await teamOf(kit, ada, 'Team')
    await kit.call(ada, 'POST', '/rules', noLatest('no latest', { propagateToChildren: true }))
  })

  let events = 0
  const event = (orgId: string, more: Partial<EntityEvent> = {}): EntityEvent => {
    events += 1
    return {
      eventId: `00000000-0000-7000-8000-${String(events).padStart(12, '0')}`,
      orgId,
      target: 'plugin',
      entityId: ID,
      eventType: 'updated',
      userId: ada.userId,
      timestampMs: events,
      ...more,
    }
  }
  async function work(...all: EntityEvent[]): Promise<void> {
    for (const payload of all) {
      const message = { kind: RECHECK_JOB, orgId: payload.orgId, payload }
      await kit.store.system.write((tx) => enqueue(tx, kit.app.runtime, message))
      await runJobs(kit.app, [recheckJob])
    }
  }
  /** A change of the record by a request that began at this time. */
  async function change(nowMs = kit.app.clock.now()): Promise<void> {
    await kit.store.system.write((tx) => {
      const actor = { id: ada.userId, email: null, role: null, impersonatorId: null }
      const context = {
        ...kit.app,
        nowMs,
        actor,
        enqueue: (message: OutboxMessage) => enqueue(tx, kit.app.runtime, message),
      }
      return announceEntity(context, ada.orgId, { target: 'plugin', entityId: ID, eventType: 'updated' })
    })
    await runJobs(kit.app, [recheckJob])
  }
  const put = (orgId: string, attributes: Record<string, unknown>) =>
    kit.inventory.set(recordKey(orgId, 'plugin', ID), { id: ID, name: 'a plugin', revision: 1, attributes })
  const entries = async (as: SignedIn) =>
    (await kit.call(as, 'GET', '/audit?action=recheck&limit=1000')).data.entries as Record<string, unknown>[]
  const results = async (as: SignedIn) => (await entries(as)).map(({ result }) => result)

  it('reads the record again and checks it by the rules of its own organization', async () => {
    put(ada.orgId, { version: '1.0.0' })
    put(team.orgId, { version: 'latest' })
    await work(event(ada.orgId), event(team.orgId))
    expect(await entries(ada)).toMatchObject([{ result: 'pass', entityId: ID, entityName: 'a plugin' }])
    expect(await entries(team)).toMatchObject([
      { result: 'block', action: 'recheck', violations: [{ source: 'inherited' }], userId: ada.userId },
    ])
  })

  it('counts an event once, and drops one that is older than what was looked at', async () => {
    const before = (await entries(ada)).length
    const [first, second] = [event(ada.orgId), event(ada.orgId)]
    await work(second, second, first)
    expect(await entries(ada)).toHaveLength(before + 1)
    // Two events with the same timestamp both count, each once.
    const [one, two] = [event(ada.orgId, { timestampMs: 1000 }), event(ada.orgId, { timestampMs: 1000 })]
    await work(one, two, one)
    expect(await entries(ada)).toHaveLength(before + 3)
    events = 1000
  })

  it('acknowledges a deletion without a check, and what came before it', async () => {
    const before = (await entries(ada)).length
    const late = event(ada.orgId)
    await work(event(ada.orgId, { eventType: 'deleted' }), late)
    kit.inventory.delete(recordKey(ada.orgId, 'plugin', ID))
    await work(event(ada.orgId))
    expect(await entries(ada)).toHaveLength(before)
    const [state] = await kit.store.system.read((db) => {
      const { entityStates: t } = complianceTables(db)
      return db.select().from(t).where(eq(t.orgId, ada.orgId))
    })
    expect(state).toMatchObject({ result: null, violatedRuleIds: [] })
  })

  it('a stored record beyond the limits counts as blocked', async () => {
    put(ada.orgId, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1])))
    await work(event(ada.orgId))
    expect((await entries(ada))[0]).toMatchObject({
      result: 'block',
      violations: [{ ruleName: '(attribute-limits)', severity: 'error', field: 'keys' }],
    })
    expect((await results(ada))[0]).toBe('block')
  })

  it('an event of another organization than its job is given up, and checks nothing', async () => {
    const before = (await entries(team)).length
    const payload = event(team.orgId)
    await kit.store.system.write((tx) => enqueue(tx, kit.app.runtime, { kind: RECHECK_JOB, orgId: ada.orgId, payload }))
    await runJobs(kit.app, [recheckJob])
    expect(await entries(team)).toHaveLength(before)
    const dead = await kit.store.system.read((db) => {
      const { jobs } = jobTables(db)
      return db.select().from(jobs).where(eq(jobs.state, 'dead'))
    })
    expect(dead).toHaveLength(1)
  })

  it('a change here follows an event whose sender has a clock that is ahead', async () => {
    const before = (await entries(ada)).length
    const sender = await serviceToken(kit.app, ['compliance:events'])
    const sent = await kit.call(sender, 'POST', '/events/entity', {
      ...{ eventId: kit.app.runtime.ids.next(), entityId: ID, orgId: ada.orgId, target: 'plugin' },
      ...{ eventType: 'updated', timestamp: new Date(kit.app.clock.now() + 4 * MINUTE_MS).toISOString() },
    })
    expect(sent.data).toMatchObject({ processed: true })
    kit.app.clock.advance(1)
    await change()
    expect(await entries(ada)).toHaveLength(before + 2)
  })

  it('a change is checked in the order of writing, also when its request began before that of another', async () => {
    const before = (await entries(ada)).length
    const begunMs = kit.app.clock.now()
    kit.app.clock.advance(MINUTE_MS)
    put(ada.orgId, { version: '1.0.0' })
    await change()
    kit.app.clock.advance(MINUTE_MS)
    put(ada.orgId, { version: 'latest' })
    await change(begunMs)
    expect(await entries(ada)).toHaveLength(before + 2)
    expect((await results(ada))[0]).toBe('block')
  })
})
