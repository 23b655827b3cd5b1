/**
 * Who sees which message, what is unread and who may do what, compared with an oracle that scans lists of everything:
 * people of random organizations write, reply, read and delete over HTTP, and then each of them requests everything.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { describeMessages } from '../../test/support/describe-messages.js'
import { BOTH_DATABASES } from '../../test/support/describe-stores.js'
import { enrol, superAdmin } from '../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import { insertOrganization } from '../identity/organization/insert.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'

interface Person {
  readonly as: SignedIn
  readonly orgId: string
  readonly isSuper: boolean
}

interface Known {
  readonly id: string
  readonly root: Known | null
  readonly author: string
  readonly from: string
  readonly to: string
  readonly toUser: string | null
  readonly about: string | null
  deleted: boolean
  readonly readBy: Set<string>
}

await describeMessages('messages', BOTH_DATABASES, (app, database) => {
  let people: Person[]
  let accounts: string[][]
  beforeAll(async () => {
    const [ada, abe, bob, ben] = [
      await signUp(app, 'ada'),
      await signUp(app, 'abe'),
      await signUp(app, 'bob'),
      await signUp(app, 'ben'),
    ]
    const team = await app.runtime.store.system.write((tx) =>
      insertOrganization(tx, app.runtime, {
        name: 'Team',
        displayName: 'Team',
        description: '',
        slug: 'team',
        tier: 'team',
        ownerId: abe.userId,
        parentOrgId: ada.orgId,
      }),
    )
    await enrol(app, abe, ada.orgId)
    await enrol(app, ben, bob.orgId)
    await enrol(app, ben, team.id)
    const root = await superAdmin(app, 'root')
    const clerk = await enrol(app, await signUp(app, 'clerk'), SYSTEM_ORG_ID)
    const person = (as: SignedIn, orgId: string, isSuper = false): Person => ({ as, orgId, isSuper })
    people = [
      person(ada, ada.orgId),
      person(abe, ada.orgId),
      person(abe, team.id),
      person(ben, team.id),
      person(ben, bob.orgId),
      person(bob, bob.orgId),
      person(root, SYSTEM_ORG_ID, true),
      person(clerk, SYSTEM_ORG_ID),
    ]
    accounts = [[ada.orgId, team.id], [bob.orgId], [SYSTEM_ORG_ID]]
  })

  const call = (who: Person, method: string, path: string, body?: unknown) =>
    app.call(method, path, { as: who.as, headers: { 'x-org-id': who.orgId }, ...(body === undefined ? {} : { body }) })

  const rootOf = (message: Known): Known => message.root ?? message
  const isSide = ({ as, orgId }: Person, message: Known): boolean => {
    const { from, to, toUser } = rootOf(message)
    return from === orgId || to === '*' || (to === orgId && (toUser === null || toUser === as.userId))
  }
  const sees = (who: Person, message: Known): boolean =>
    !message.deleted && (isSide(who, message) || who.orgId === SYSTEM_ORG_ID)
  const mark = ({ as, orgId }: Person): string => `${as.userId} ${orgId}`
  const hasRead = (who: Person, { author, readBy }: Known): boolean => author === who.as.userId || readBy.has(mark(who))

  /** The members of an organization, as far as `recipientUserId` knows them. */
  const membersOf = (orgId: string) => people.filter((each) => each.orgId === orgId).map(({ as }) => as.userId)

  const action = fc.oneof(
    fc.record({
      kind: fc.constant('send' as const),
      who: fc.nat(7),
      to: fc.constantFrom(0, 2, 5, 6, 'all' as const),
      alone: fc.option(fc.nat(7), { nil: null }),
    }),
    fc.record({ kind: fc.constant('reply' as const), who: fc.nat(7), message: fc.nat(20) }),
    fc.record({
      kind: fc.constantFrom('delete', 'read', 'read thread', 'read all'),
      who: fc.nat(7),
      message: fc.nat(20),
    }),
  )

  it('are seen, counted and changed as the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 16 }), async (actions) => {
        const known: Known[] = []
        const before = new Map<Person, { inbox: Set<string>; unread: number }>()
        for (const who of people) {
          await call(who, 'PUT', '/messages/read-all')
          before.set(who, { inbox: await inboxOf(who), unread: 0 })
        }
        for (const step of actions) {
          app.clock.advance(1000)
          const who = people[step.who] as Person
          if (step.kind === 'send') await send(known, who, step.to, step.alone)
          else if (step.kind === 'reply') await reply(known, who, known[step.message % Math.max(1, known.length)])
          else await change(known, step.kind, who, known[step.message % Math.max(1, known.length)])
        }
        for (const who of people) {
          const old = before.get(who)?.inbox ?? new Set()
          const shown = [...(await inboxOf(who))].filter((id) => !old.has(id))
          const roots = known.filter((each) => each.root === null && !each.deleted && isSide(who, each))
          expect(shown.sort(), `inbox of ${who.as.username}`).toEqual(roots.map(({ id }) => id).sort())
          const isOpen = (root: Known) =>
            known.some((each) => rootOf(each) === root && !each.deleted && !hasRead(who, each))
          const unread = (await call(who, 'GET', '/messages/unread/count')).data.count
          expect(unread, `unread of ${who.as.username}`).toBe(roots.filter(isOpen).length)
          const listed = await call(who, 'GET', '/messages?isRead=false&limit=1000')
          expect(listed.data.messages.map(({ id }: { id: string }) => id).sort()).toEqual(
            roots
              .filter(isOpen)
              .map(({ id }) => id)
              .sort(),
          )
          for (const message of known) {
            const found = await call(who, 'GET', `/messages/${message.id}`)
            expect(found.status, `${who.as.username} and ${message.id}`).toBe(sees(who, message) ? 200 : 404)
            if (found.status === 200) expect(found.data.message.isRead).toBe(hasRead(who, message))
          }
        }
      }),
      { numRuns: database === 'SQLite' ? 20 : 5 },
    )
  })

  async function inboxOf(who: Person): Promise<Set<string>> {
    const listed = await call(who, 'GET', '/messages?limit=1000')
    return new Set(listed.data.messages.map(({ id }: { id: string }) => id))
  }

  async function send(known: Known[], who: Person, place: number | 'all', alone: number | null): Promise<void> {
    const to = place === 'all' ? '*' : (people[place] as Person).orgId
    const toUser = alone === null ? null : (people[alone] as Person).as.userId
    const answer = await call(who, 'POST', '/messages', {
      recipientOrgId: to,
      subject: 'Subject',
      content: 'Content',
      ...(toUser === null ? {} : { recipientUserId: toUser }),
    })
    const isFamily = accounts.some((account) => account.includes(who.orgId) && account.includes(to))
    const reaches = to === '*' ? who.isSuper : isFamily || to === SYSTEM_ORG_ID || who.isSuper
    const expected =
      to === '*' && toUser !== null
        ? 400
        : !reaches
          ? 403
          : toUser !== null && !membersOf(to).includes(toUser)
            ? 400
            : 201
    expect(answer.status, JSON.stringify(answer.body)).toBe(expected)
    if (answer.status !== 201) return
    const { id } = answer.data.message
    const from = to === '*' ? SYSTEM_ORG_ID : who.orgId
    const about = null
    known.push({ id, root: null, author: who.as.userId, from, to, toUser, about, deleted: false, readBy: new Set() })
  }

  async function reply(known: Known[], who: Person, message: Known | undefined): Promise<void> {
    if (message === undefined) return
    const answer = await call(who, 'POST', `/messages/${message.id}/reply`, { content: 'Answer' })
    const earlier = known.find((each) => each.about === message.id && each.from === who.orgId && !each.deleted)
    const isTaking = isSide(who, message)
    const expected = !sees(who, message) ? 404 : message.root !== null ? 400 : isTaking ? 201 : 403
    expect(answer.status, JSON.stringify(answer.body)).toBe(expected)
    if (answer.status !== 201) return
    const { id, threadId } = answer.data.message
    const root = message.to === '*' ? (earlier ?? null) : message
    expect(threadId).toBe(root?.id ?? null)
    known.push({
      id,
      root,
      author: who.as.userId,
      from: who.orgId,
      to: root === null ? SYSTEM_ORG_ID : '',
      toUser: null,
      about: message.to === '*' && root === null ? message.id : null,
      deleted: false,
      readBy: new Set(),
    })
  }

  async function change(known: Known[], kind: string, who: Person, message: Known | undefined): Promise<void> {
    if (kind === 'read all') {
      expect((await call(who, 'PUT', '/messages/read-all')).status).toBe(200)
      for (const each of known) if (!each.deleted && isSide(who, each)) each.readBy.add(mark(who))
      return
    }
    if (message === undefined) return
    const isSeen = sees(who, message)
    if (kind === 'delete') {
      const isOwn = message.author === who.as.userId && message.from === who.orgId
      const expected = who.isSuper ? (message.deleted ? 404 : 200) : !isSeen ? 404 : isOwn ? 200 : 403
      expect((await call(who, 'DELETE', `/messages/${message.id}`)).status).toBe(expected)
      if (expected === 200) for (const each of known) if (each === message || each.root === message) each.deleted = true
      return
    }
    const path = kind === 'read' ? `/messages/${message.id}/read` : `/messages/${message.id}/thread/read`
    expect((await call(who, 'PUT', path)).status).toBe(isSeen ? 200 : 404)
    if (!isSeen) return
    for (const each of known) {
      const isMeant = kind === 'read' ? each === message : rootOf(each) === rootOf(message)
      if (isMeant && !each.deleted) each.readBy.add(mark(who))
    }
  }
})
