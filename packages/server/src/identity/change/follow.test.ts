/**
 * Goal: a stream of changes tells a member what changed since their last event, limited to what they may list, and ends
 * with their rights.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { enrol, organizationApp } from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { AUDIT_CHANGES } from '../../audit/changes.js'
import { auditTables } from '../../audit/tables.js'
import { permission } from '../../runtime/operation/access.js'
import type { ChangeSource } from '../../runtime/operation/change-source.js'
import type { Store } from '../../runtime/store/db.js'
import { identityRegistration } from '../registration.js'
import { identityTables } from '../tables.js'
import { readMarks } from './follow.js'

interface Heard {
  readonly id: string
  readonly event: string
  readonly data: { readonly topics: readonly string[]; readonly resumed?: boolean }
}

/** The marks of the test's source in each organization, and the topics that it reports as changed. */
const stands = new Map<string, { mark: number; topics: string[] }>()
let looks = 0
const source: ChangeSource = {
  name: 'test',
  access: (topic) => (topic.startsWith('secret.') ? permission('audit:read') : undefined),
  async look(_db, orgId, mark) {
    looks += 1
    const { mark: now, topics } = stands.get(orgId) ?? { mark: 0, topics: [] }
    return { mark: String(now), topics: mark === null || mark === String(now) ? [] : topics }
  },
}
const change = (orgId: string, ...topics: string[]) =>
  stands.set(orgId, { mark: (stands.get(orgId)?.mark ?? 0) + 1, topics })

await describeStores('the stream of changes', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let abe: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    store = await open()
    const registration = { ...identityRegistration, changes: [source] }
    app = await organizationApp(store, { domains: [registration] })
    ada = await signUp(app, 'ada')
    abe = await enrol(app, await signUp(app, 'abe'), ada.orgId)
    bob = await signUp(app, 'bob')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  async function listen(as: SignedIn, lastEventId: string | null = null, orgId = ada.orgId) {
    const response = await app.http.request('/api/events', {
      headers: {
        authorization: `Bearer ${as.accessToken}`,
        'x-org-id': orgId,
        ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      },
    })
    expect(response.status).toBe(200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const next = async (): Promise<Heard | null> => {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at >= 0) {
          const block = text.slice(0, at).split('\n')
          text = text.slice(at + 2)
          const line = (name: string) => block.find((each) => each.startsWith(`${name}: `))?.slice(name.length + 2)
          const event = line('event')
          if (event === undefined) continue
          return { id: line('id') ?? '', event, data: JSON.parse(line('data') ?? 'null') }
        }
        const { done, value } = await reader.read()
        if (done) return null
        text += Buffer.from(value).toString()
      }
    }
    return { next, close: () => reader.cancel() }
  }

  it('says that it is live, then what changes in the own organization', async () => {
    const stream = await listen(ada)
    expect(await stream.next()).toMatchObject({ event: 'live', data: { topics: [], resumed: false } })
    change(bob.orgId, 'thing.of-bob')
    change(ada.orgId, 'thing.one', 'thing.two', 'thing.one')
    expect(await stream.next()).toMatchObject({ event: 'changed', data: { topics: ['thing.one', 'thing.two'] } })
    await stream.close()
  })

  it('goes on where it broke off, and tells what is different by then, once', async () => {
    const first = await listen(ada)
    const { id } = (await first.next()) as Heard
    await first.close()
    change(ada.orgId, 'thing.meanwhile')
    const second = await listen(ada, id)
    const live = (await second.next()) as Heard
    expect(live).toMatchObject({ event: 'live', data: { topics: ['thing.meanwhile'], resumed: true } })
    await second.close()
    const third = await listen(ada, live.id)
    expect(await third.next()).toMatchObject({ event: 'live', data: { topics: [], resumed: true } })
    await third.close()
  })

  it.each(['', 'x', 'bnVsbA', Buffer.from('[]').toString('base64url'), '%%%'])(
    'begins where things stand with the mark %s',
    async (id) => {
      expect(readMarks(id)).toBeNull()
      const stream = await listen(ada, id)
      expect(await stream.next()).toMatchObject({ event: 'live', data: { resumed: false } })
      await stream.close()
    },
  )

  it('looks once for all streams that stand at the same place', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => listen(ada)))
    await Promise.all(streams.map(({ next }) => next()))
    for (const topic of ['thing.first', 'thing.second']) {
      looks = 0
      change(ada.orgId, topic)
      const heard = await Promise.all(streams.map(({ next }) => next()))
      expect(heard.map((each) => each?.data.topics)).toEqual(streams.map(() => [topic]))
      // Without sharing, each stream would have looked at least once.
      expect(looks).toBeLessThan(streams.length)
    }
    await Promise.all(streams.map(({ close }) => close()))
  })

  it('tells a topic to those who may list what it is about', async () => {
    const [owner, other] = [await listen(ada), await listen(abe)]
    await Promise.all([owner.next(), other.next()])
    change(ada.orgId, 'secret.kept', 'thing.told')
    expect((await owner.next())?.data.topics).toEqual(['secret.kept', 'thing.told'])
    expect((await other.next())?.data.topics).toEqual(['thing.told'])
    await Promise.all([owner.close(), other.close()])
  })

  it('is closed to strangers, and ends when a membership ends', async () => {
    const refused = await app.call('GET', '/events', { as: bob, headers: { 'x-org-id': ada.orgId } })
    expect(refused.status).toBe(403)
    const stream = await listen(abe)
    await stream.next()
    await store.system.write(async (tx) => {
      const { memberships } = identityTables(tx)
      await tx.update(memberships).set({ isActive: false })
    })
    app.identity.directory.drop({ userId: abe.userId })
    change(ada.orgId, 'thing.after')
    expect(await stream.next()).toBeNull()
  })

  it('reads changes of the own chain alone, in its order, from the evidence', async () => {
    const orgs = ['99999999-9999-7999-8999-000000000001', '99999999-9999-7999-8999-000000000002'] as const
    const look = (orgId: string, mark: string | null) =>
      store.tenant({ orgId, readableOrgIds: [] }).read((db) => AUDIT_CHANGES.look(db, orgId, mark))
    expect(await look(orgs[0], null)).toEqual({ mark: '0', topics: [] })
    await store.system.write(async (tx) => {
      const { auditEvents } = auditTables(tx)
      for (const [at, orgId] of orgs.entries()) {
        const actions =
          at === 0 ? ['compliance.rule.create', 'compliance.rule.update', 'org.member.add'] : ['billing.tier.set']
        for (const [n, action] of actions.entries()) {
          await tx.insert(auditEvents).values({
            ...{ chain: orgId, seq: n + 1, id: `evt_${at}_${n}`, action, actorId: 'a', orgId, affectedOrgId: orgId },
            ...{ outcome: 'success', createdAt: '2026-11-21T10:00:00.000Z', identityHash: 'x', hash: `${at}h${n + 1}` },
            prevHash: n === 0 ? `${at}` : `${at}h${n}`,
          })
        }
      }
    })
    expect(await look(orgs[0], '0')).toEqual({ mark: '3', topics: ['compliance.rule', 'org.member'] })
    expect(await look(orgs[0], '2')).toEqual({ mark: '3', topics: ['org.member'] })
    expect(await look(orgs[1], '0')).toEqual({ mark: '1', topics: ['billing.tier'] })
    expect(await look(orgs[0], '3')).toEqual({ mark: '3', topics: [] })
  })
})
