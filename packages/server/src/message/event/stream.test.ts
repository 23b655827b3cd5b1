/**
 * The live stream: which events each viewer gets, and that a client that reconnects misses no event and gets none
 * twice.
 */
import { beforeAll, expect, it, vi } from 'vitest'
import { describeMessages } from '../../../test/support/describe-messages.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, stepUp, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { MESSAGE_CHANGES } from '../changes.js'
import { hubOf } from './hub.js'

interface Heard {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
  readonly data: any
}

await describeMessages('the stream of messages', WITH_POSTGRESQL, (app) => {
  let ada: SignedIn
  let abe: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ada = await signUp(app, 'ada')
    abe = await enrol(app, await signUp(app, 'abe'), ada.orgId)
    bob = await signUp(app, 'bob')
  })

  const inOrg = { headers: { 'x-org-id': '' } }
  beforeAll(() => {
    inOrg.headers['x-org-id'] = ada.orgId
  })

  /** Listens until enough events have arrived, or the wanted one; counts are not counted as events. */
  async function listen(as: SignedIn, lastEventId: string | null, isEnough: (heard: Heard[]) => boolean) {
    const response = await app.http.request('/api/messages/stream', {
      headers: {
        authorization: `Bearer ${as.accessToken}`,
        'x-org-id': as === bob ? bob.orgId : ada.orgId,
        ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      },
    })
    expect(response.status).toBe(200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const heard: Heard[] = []
    let text = ''
    while (!isEnough(heard)) {
      const { done, value } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const line = (name: string) =>
          part
            .split('\n')
            .find((each) => each.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        const event = line('event')
        if (event !== undefined) heard.push({ id: line('id') ?? '', event, data: JSON.parse(line('data') ?? 'null') })
      }
    }
    await reader.cancel()
    return heard
  }

  const send = async (as: SignedIn, subject: string, more: object = {}) => {
    const body = { recipientOrgId: ada.orgId, subject, content: 'c', ...more }
    return (await app.call('POST', '/messages', { as, ...inOrg, body })).data.message.id as string
  }
  const news = (heard: Heard[]) => heard.filter(({ event }) => event !== 'unread')
  const subjects = (heard: Heard[]) => news(heard).map(({ data }) => data.message?.subject)

  it('tells new, edited, deleted and what is unread, to those alone who may see it', async () => {
    const first = await listen(bob, null, (heard) => heard.length >= 1)
    const opened = await listen(abe, null, (heard) => heard.length >= 1)
    expect(opened[0]).toMatchObject({ event: 'unread', data: { count: 0, resumed: false } })
    let after = opened[0]?.id ?? ''
    /** The events of one change, up to the count after it. */
    const hear = async (changes: () => Promise<unknown>) => {
      const listening = listen(abe, after, (all) => all.length >= 3 && all.at(-1)?.event === 'unread')
      await changes()
      const [resumed, ...heard] = await listening
      expect(resumed?.data.resumed).toBe(true)
      after = heard.at(-1)?.id ?? after
      return heard.map(({ event, data }) => [event, data.message?.content ?? data.id ?? data.count])
    }
    let id = ''
    const sending = async () => {
      id = await send(ada, 'one')
    }
    expect(await hear(sending)).toEqual([
      ['message.new', 'c'],
      ['unread', 1],
    ])
    const change = { as: ada, ...inOrg }
    expect(await hear(() => app.call('PATCH', `/messages/${id}`, { ...change, body: { content: 'changed' } }))).toEqual(
      [
        ['message.edited', 'changed'],
        ['unread', 1],
      ],
    )
    expect(await hear(() => app.call('DELETE', `/messages/${id}`, change))).toEqual([
      ['message.deleted', id],
      ['unread', 0],
    ])
    // A client that resumes from an event of another user's stream gets none of that stream.
    const later = await app.call('GET', '/messages/unread/count', { as: bob })
    expect(later.data.count).toBe(0)
    const body = { recipientOrgId: bob.orgId, subject: 'own', content: 'c' }
    await app.call('POST', '/messages', { as: bob, body })
    expect(subjects(await listen(bob, first[0]?.id ?? '', (all) => news(all).length >= 1))).toEqual(['own'])
  })

  it('members load lists again for a message, and only the count for a read mark, but both for both', async () => {
    const { store } = app.runtime
    let mark: string | null = null
    const topicsOf = (): Promise<readonly string[]> =>
      // On PostgreSQL an event is seen when no older transaction runs.
      vi.waitFor(
        async () => {
          const looked = await store.system.read((db) => MESSAGE_CHANGES.look(db, ada.orgId, mark))
          if (mark !== null && looked.topics.length === 0) throw new Error('nothing is new')
          mark = looked.mark
          return looked.topics
        },
        { timeout: 60_000 },
      )
    const readAll = () => app.call('PUT', '/messages/read-all', { as: abe, ...inOrg })
    await readAll()
    expect(await topicsOf()).toEqual([])
    await send(ada, 'a message')
    expect(await topicsOf()).toEqual(['message.message'])
    await readAll()
    expect(await topicsOf()).toEqual(['message.read'])
    await send(ada, 'another')
    await readAll()
    expect(await topicsOf()).toContain('message.message')
  })

  it('goes on where it broke off: nothing is lost and nothing comes twice', async () => {
    let after = (await listen(abe, null, (heard) => heard.length >= 1))[0]?.id ?? ''
    const sent: string[] = []
    const told: string[] = []
    for (let round = 0; round < 6; round++) {
      const wanted = Array.from({ length: 4 }, (_, n) => `round ${round} number ${n}`)
      sent.push(...wanted)
      // Several at a time, so that on PostgreSQL positions and commits have different orders.
      const sending = Promise.all(wanted.map((subject) => send(ada, subject)))
      const cutAfter = 1 + (round % 4)
      const heard = await listen(abe, after, (all) => news(all).length >= cutAfter)
      told.push(...subjects(heard))
      after = heard.at(-1)?.id ?? after
      await sending
    }
    const rest = await listen(abe, after, (all) => told.length + news(all).length >= sent.length)
    expect(rest[0]?.data.resumed).toBe(true)
    expect([...told, ...subjects(rest)].sort()).toEqual(sent.sort())
  })

  it('counts again when another window of the same person reads', async () => {
    const id = await send(ada, 'to be read')
    const countsOf = (heard: Heard[]) => heard.filter(({ event }) => event === 'unread').map(({ data }) => data.count)
    let isCounted = false
    // What was sent just before may be counted once more.
    const listening = listen(abe, null, (heard) => {
      const counts = countsOf(heard)
      isCounted = counts.length > 0
      return counts.some((count) => count !== counts[0])
    })
    await vi.waitUntil(() => isCounted, { timeout: 60_000, interval: 5 })
    await app.call('PUT', `/messages/${id}/read`, { as: abe, ...inOrg })
    const counts = countsOf(await listening)
    expect(counts.at(-1)).toBe(counts[0] - 1)
  })

  it('ends when the right ends, and says when it cannot go on', async () => {
    const old = `${app.clock.now() - 25 * 3_600_000}-1-1`
    expect((await listen(abe, old, (heard) => heard.length >= 1))[0]?.data.resumed).toBe(false)
    const listening = listen(abe, null, () => false)
    const headers = { ...(await stepUp(app, ada)), ...inOrg.headers }
    const gone = await app.call('DELETE', `/organization/${ada.orgId}/members/${abe.userId}`, { as: ada, headers })
    expect(gone.status).toBe(204)
    await send(ada, 'behind your back')
    expect(subjects(await listening)).not.toContain('behind your back')
  })

  it('reads once for fifty streams of an organization, and tells each person what is theirs', async () => {
    const people: SignedIn[] = []
    for (let n = 0; n < 10; n++) people.push(await enrol(app, await signUp(app, `listener-${n}`), ada.orgId))
    const [first] = people as [SignedIn]
    const root = await superAdmin(app, 'root')
    const { store } = app.runtime
    const { tenant } = store
    let reads = 0
    store.tenant = (key) => {
      const scope = tenant.call(store, key)
      if (key.orgId !== ada.orgId) return scope
      const read: typeof scope.read = (run) => {
        reads += 1
        return scope.read(run)
      }
      return { ...scope, read }
    }
    const isOver = (heard: Heard[]) => subjects(heard).includes('the last')
    let opened = 0
    const listening = people.flatMap((as) =>
      Array.from({ length: 5 }, async () => {
        let isOpen = false
        const heard = await listen(as, null, (all) => {
          if (!isOpen && all.length > 0) {
            isOpen = true
            opened += 1
          }
          return isOver(all)
        })
        return { as, heard }
      }),
    )
    await vi.waitFor(() => expect(opened).toBe(50), { timeout: 60_000 })
    // Until the streams have reached the newest event.
    do {
      reads = 0
      await new Promise((resolve) => setTimeout(resolve, 300))
    } while (reads > 0)
    hubOf(app.runtime).wake([ada.orgId])
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), { timeout: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(reads).toBe(1)
    store.tenant = tenant

    await send(ada, 'for all')
    const alone = { recipientOrgId: ada.orgId, recipientUserId: first.userId, subject: 'for one', content: 'c' }
    expect((await app.at(root, SYSTEM_ORG_ID, 'POST', '/messages', alone)).status).toBe(201)
    await app.call('PUT', '/messages/read-all', { as: first, ...inOrg })
    await send(ada, 'the last')
    for (const { as, heard } of await Promise.all(listening)) {
      const isFirst = as.userId === first.userId
      expect(subjects(heard)).toEqual(['for all', ...(isFirst ? ['for one'] : []), 'the last'])
      const counts = heard
        .filter(({ event }) => event === 'unread')
        .map(({ data }) => data.count - heard[0]?.data.count)
      // One read may return two messages, so a count may be skipped, but no count decreases.
      if (isFirst) continue
      expect(counts[0]).toBe(0)
      expect(counts).toEqual([...counts].sort((a, b) => a - b))
    }
  })
})
