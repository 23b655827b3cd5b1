/** Messages over HTTP: send, reply, change, delete and restore. */
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { describeMessages } from '../../../test/support/describe-messages.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import type { MessageApp } from '../../../test/support/messages.js'
import { enrol, evidenceOf, runJobs, stepUp, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { postNotice } from '../notice/post.js'
import { messageRegistration } from '../registration.js'
import { messageTables } from '../tables.js'

const UNKNOWN = '019a9b52-1c00-7000-8000-0000000000ff'

await describeMessages('messages', BOTH_DATABASES, (app) => {
  let ada: SignedIn
  let abe: SignedIn
  let bob: SignedIn
  let root: SignedIn
  beforeAll(async () => {
    ada = await signUp(app, 'ada')
    abe = await enrol(app, await signUp(app, 'abe'), ada.orgId)
    bob = await signUp(app, 'bob')
    root = await superAdmin(app, 'root')
  })

  const at: MessageApp['at'] = (...parts) => app.at(...parts)
  const send = async (as: SignedIn, orgId: string, more: object = {}) =>
    (
      await at(as, orgId, 'POST', '/messages', {
        recipientOrgId: ada.orgId,
        subject: 'Subject',
        content: 'Content',
        ...more,
      })
    ).data.message

  it('name an active member as the recipient: the unknown, the foreign and the departed are answered alike', async () => {
    const left = await enrol(app, await signUp(app, 'left'), ada.orgId)
    const off = await enrol(app, await signUp(app, 'off'), ada.orgId)
    const { memberships: m } = identityTables(app.runtime.store)
    const of = (userId: string) => and(eq(m.orgId, ada.orgId), eq(m.userId, userId))
    await app.runtime.store.system.write(async (tx) => {
      await tx.delete(m).where(of(left.userId))
      await tx.update(m).set({ isActive: false }).where(of(off.userId))
    })
    const to = (recipientUserId: string, recipientOrgId = ada.orgId) =>
      at(ada, ada.orgId, 'POST', '/messages', { recipientOrgId, recipientUserId, subject: 'S', content: 'C' })
    const told = async (recipientUserId: string, orgId?: string) => {
      const { status, body } = await to(recipientUserId, orgId)
      return { status, code: body.code, message: body.message, details: body.details }
    }
    const unknown = await told(UNKNOWN)
    expect(unknown).toMatchObject({ status: 400, details: { issues: [{ path: '/body/recipientUserId' }] } })
    for (const each of [bob, left, off]) expect(await told(each.userId)).toEqual(unknown)
    // An organization out of reach gives the same answer, whether it exists or not, for any member who is named.
    const outOfReach = await told(bob.userId, bob.orgId)
    expect(outOfReach.status).toBe(403)
    for (const [user, orgId] of [
      [UNKNOWN, bob.orgId],
      [ada.userId, bob.orgId],
      [bob.userId, UNKNOWN],
    ] as const) {
      expect(await told(user, orgId)).toEqual(outOfReach)
    }
    expect((await to(abe.userId)).status).toBe(201)
  })

  it('to one colleague are seen by all colleagues, and elsewhere by the one who is named', async () => {
    const other = await enrol(app, await signUp(app, 'other'), ada.orgId)
    const clerk = await enrol(app, await signUp(app, 'second-clerk'), SYSTEM_ORG_ID)
    const inside = await send(ada, ada.orgId, { recipientUserId: abe.userId })
    const answer = await send(root, SYSTEM_ORG_ID, { recipientUserId: abe.userId })
    const sees = async (as: SignedIn, orgId: string, id: string) =>
      (await at(as, orgId, 'GET', `/messages/${id}`)).status === 200
    for (const each of [ada, abe, other]) expect(await sees(each, ada.orgId, inside.id)).toBe(true)
    expect([
      await sees(abe, ada.orgId, answer.id),
      await sees(other, ada.orgId, answer.id),
      await sees(clerk, SYSTEM_ORG_ID, answer.id),
      await sees(bob, bob.orgId, answer.id),
    ]).toEqual([true, false, true, false])
  })

  it('say who wrote what to whom', async () => {
    const sent = await at(ada, ada.orgId, 'POST', '/messages', {
      recipientOrgId: 'Support',
      subject: 'A question',
      content: 'Which regions?',
      priority: 'urgent',
      channel: 'billing',
    })
    expect(sent.status).toBe(201)
    expect(sent.data.message).toMatchObject({
      orgId: ada.orgId,
      createdBy: ada.userId,
      senderName: 'ada',
      senderOrgName: 'ada org',
      threadId: null,
      recipientOrgId: SYSTEM_ORG_ID,
      recipientUserId: null,
      messageType: 'conversation',
      channel: 'billing',
      priority: 'urgent',
      isRead: true,
      replyCount: 0,
      lastReplyAt: null,
      editedAt: null,
    })
    const { id } = sent.data.message
    app.clock.advance(1000)
    const answer = await at(root, SYSTEM_ORG_ID, 'POST', `/messages/${id}/reply`, { content: 'All.' })
    expect(answer.data.message).toMatchObject({ threadId: id, recipientOrgId: ada.orgId, subject: 'A question' })
    const thread = await at(ada, ada.orgId, 'GET', `/messages/${id}/thread`)
    expect(thread.data.messages.map(({ content }: { content: string }) => content)).toEqual(['Which regions?', 'All.'])
    expect(thread.data.messages[0]).toMatchObject({ replyCount: 1, countUnread: 1 })
    expect(thread.data.messages[0].lastReplyAt).toBe(answer.data.message.createdAt)
    const found = await at(ada, ada.orgId, 'GET', '/messages?search=WHICH%20reg&sortBy=priority')
    expect(found.data.messages.map((each: { id: string }) => each.id)).toEqual([id])
    expect((await at(ada, ada.orgId, 'GET', '/messages?search=%25')).data.messages).toEqual([])
    expect((await at(ada, ada.orgId, 'GET', '/messages?search=%00')).body.details.issues[0].path).toBe('/query/search')
    const nul = { recipientOrgId: ada.orgId, subject: 'a\0', content: '\0b' }
    const refused = await at(ada, ada.orgId, 'POST', '/messages', nul)
    expect([refused.status, refused.body.details.issues.length]).toEqual([400, 2])
  })

  it('to everybody are the system organization’s, and answered in private', async () => {
    const body = { recipientOrgId: '*', subject: 'Maintenance', content: 'Tonight.' }
    const refused = await at(ada, ada.orgId, 'POST', '/messages', body)
    expect([refused.status, refused.body.details.reason]).toEqual([403, 'system-admin'])
    const { id } = (await at(root, root.orgId, 'POST', '/messages', body)).data.message
    expect(await evidenceOf(app, root.orgId)).toContain('message.announcement.create')
    for (const who of [ada, bob]) {
      const [first] = (await at(who, who.orgId, 'GET', '/messages/announcements')).data.messages
      expect(first).toMatchObject({ id, orgId: SYSTEM_ORG_ID, messageType: 'announcement', isRead: false })
    }
    const answers = await Promise.all(
      ['When?', 'How long?'].map((content) => at(ada, ada.orgId, 'POST', `/messages/${id}/reply`, { content })),
    )
    const threads = new Set(answers.map(({ data }) => data.message.threadId ?? data.message.id))
    expect(threads.size).toBe(1)
    const [thread = ''] = threads
    expect((await at(bob, bob.orgId, 'GET', `/messages/${thread}`)).status).toBe(404)
    expect((await at(root, SYSTEM_ORG_ID, 'GET', `/messages/${thread}/thread`)).data.messages).toHaveLength(2)
    expect((await at(ada, ada.orgId, 'GET', `/messages/${id}`)).data.message.replyCount).toBe(0)
  })

  it('are changed by their author within a day, and not over another change', async () => {
    const message = await send(ada, ada.orgId)
    const path = `/messages/${message.id}`
    expect((await at(abe, ada.orgId, 'PATCH', path, { content: 'Mine' })).status).toBe(403)
    const edited = await at(ada, ada.orgId, 'PATCH', path, { ...message, content: 'Better' })
    expect(edited.data.message).toMatchObject({ content: 'Better', revision: 2 })
    expect(edited.data.message.editedAt).not.toBeNull()
    const wrong = await at(ada, ada.orgId, 'PATCH', path, { subject: 'Other', content: 'Again' })
    expect([wrong.status, wrong.body.details.issues[0].path]).toEqual([400, '/body/subject'])
    expect((await at(ada, ada.orgId, 'PATCH', path, { content: 'Late' }, { 'if-match': '"1"' })).status).toBe(412)
    await app.runtime.store.system.write(async (tx) => {
      const { messages: t } = messageTables(tx)
      await tx
        .update(t)
        .set({ createdAtMs: app.clock.now() - 86_400_001 })
        .where(and(eq(t.id, message.id)))
    })
    expect((await at(ada, ada.orgId, 'PATCH', path, { content: 'Too late' })).status).toBe(409)
  })

  it('are not changed or deleted by an author who left the organization that they wrote for', async () => {
    const eva = await enrol(app, await signUp(app, 'eva'), ada.orgId)
    const said = (
      await at(eva, ada.orgId, 'POST', '/messages', { recipientOrgId: 'support', subject: 'S', content: 'C' })
    ).data.message
    await enrol(app, eva, SYSTEM_ORG_ID)
    const { memberships: m } = identityTables(app.runtime.store)
    await app.runtime.store.system.write((tx) =>
      tx.delete(m).where(and(eq(m.orgId, ada.orgId), eq(m.userId, eva.userId))),
    )
    expect((await at(eva, SYSTEM_ORG_ID, 'GET', `/messages/${said.id}`)).status).toBe(200)
    expect((await at(eva, SYSTEM_ORG_ID, 'PATCH', `/messages/${said.id}`, { content: 'Other' })).status).toBe(403)
    expect((await at(eva, SYSTEM_ORG_ID, 'DELETE', `/messages/${said.id}`)).status).toBe(403)
    expect((await at(ada, ada.orgId, 'GET', `/messages/${said.id}`)).data.message.content).toBe('C')
  })

  it('go with their thread, and come back with what went together', async () => {
    const { id } = await send(ada, ada.orgId)
    const answers: string[] = []
    for (const who of [abe, ada, abe]) {
      answers.push((await at(who, ada.orgId, 'POST', `/messages/${id}/reply`, { content: 'x' })).data.message.id)
    }
    const count = async () => (await at(ada, ada.orgId, 'GET', `/messages/${id}`)).data.message?.replyCount
    await at(abe, ada.orgId, 'DELETE', `/messages/${answers[0]}`)
    expect(await count()).toBe(2)
    expect((await at(abe, ada.orgId, 'DELETE', `/messages/${id}`)).status).toBe(403)
    const deleted = await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)
    expect(Date.parse(deleted.data.purgeAfter) - Date.parse(deleted.data.deletedAt)).toBe(30 * 86_400_000)
    expect((await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)).status).toBe(404)
    expect((await at(abe, ada.orgId, 'GET', `/messages/${answers[1]}`)).status).toBe(404)
    const restore = async (as: SignedIn, what = id) =>
      at(as, ada.orgId, 'POST', `/messages/${what}/restore`, undefined, await stepUp(app, as))
    expect((await at(ada, ada.orgId, 'POST', `/messages/${id}/restore`)).code).toBe('STEP_UP_REQUIRED')
    expect((await restore(abe)).status).toBe(404)
    expect((await restore(abe, answers[0])).status).toBe(409)
    expect((await restore(ada)).data.message).toMatchObject({ id, deletedAt: null })
    expect(await count()).toBe(2)
    expect((await restore(abe, answers[0])).status).toBe(200)
    expect(await count()).toBe(3)
    expect(await evidenceOf(app, ada.orgId)).toEqual(expect.arrayContaining(['message.delete', 'message.restore']))
  })

  it('come back with the answers of the other side', async () => {
    const { id } = await send(ada, ada.orgId, { recipientOrgId: 'Support' })
    const answer = { content: 'Answered elsewhere' }
    expect((await at(root, SYSTEM_ORG_ID, 'POST', `/messages/${id}/reply`, answer)).status).toBe(201)
    expect((await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)).status).toBe(200)
    const found = async (as: SignedIn, where: string): Promise<number> =>
      (await at(as, where, 'GET', '/messages?search=answered%20elsewhere')).data.messages.length
    expect([await found(ada, ada.orgId), await found(root, SYSTEM_ORG_ID)]).toEqual([0, 0])
    const confirmed = await stepUp(app, ada)
    const restored = await at(ada, ada.orgId, 'POST', `/messages/${id}/restore`, undefined, confirmed)
    expect([restored.status, restored.data?.message.replyCount]).toEqual([200, 1])
    expect([await found(ada, ada.orgId), await found(root, SYSTEM_ORG_ID)]).toEqual([1, 1])
  })

  it('leave the bytes of their attachments with them when they are deleted', async () => {
    const { id } = await send(ada, ada.orgId)
    const used = () =>
      app.runtime.store.system.read(
        (db) => messageRegistration.usage.storageBytes?.(db, [ada.orgId]) ?? Promise.resolve(-1),
      )
    const before = await used()
    await app.runtime.store.system.write(async (tx) => {
      const { messageAttachments: t } = messageTables(tx)
      const file = {
        filename: 'a',
        contentType: 'text/plain',
        sha256: '',
        blobKey: 'k',
        thumbnailKey: null,
        thumbnailType: null,
      }
      const owned = { orgId: ada.orgId, uploadedBy: ada.userId, messageId: id, recipientOrgId: ada.orgId, position: 0 }
      const sizes = { sizeBytes: 500, thumbnailBytes: 0, createdAtMs: app.clock.now() }
      await tx.insert(t).values({ id: app.runtime.ids.next(), ...file, ...owned, ...sizes })
    })
    expect(await used()).toBe(before + 500)
    await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)
    expect(await used()).toBe(before)
  })

  it('are listed when deleted, and purged for good', async () => {
    const mine = (as: SignedIn) => async (): Promise<string[]> =>
      (await at(as, ada.orgId, 'GET', '/messages/deleted?limit=100')).data.messages.map(({ id }: { id: string }) => id)
    const { id } = await send(ada, ada.orgId, { content: 'a zebra crossing' })
    const answer = (content: string) => at(abe, ada.orgId, 'POST', `/messages/${id}/reply`, { content })
    const [early, late] = [(await answer('early')).data.message.id, (await answer('late okapi')).data.message.id]
    expect((await at(abe, ada.orgId, 'DELETE', `/messages/${early}`)).status).toBe(200)
    app.clock.advance(1000)
    expect((await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)).status).toBe(200)
    const [first] = (await at(ada, ada.orgId, 'GET', '/messages/deleted')).data.messages
    expect(first).toMatchObject({ id, subject: 'Subject', content: 'a zebra crossing' })
    expect(Date.parse(first.purgeAfter) - Date.parse(first.deletedAt)).toBe(30 * 86_400_000)
    // The reply that was deleted with its thread is not a separate entry; the one that was deleted before is, for its
    // author.
    expect([(await mine(ada)()).includes(early), await mine(abe)()]).toEqual([false, [early]])
    expect(await mine(abe)()).not.toContain(late)
    const purge = async (as: SignedIn, what = id) =>
      at(as, ada.orgId, 'POST', `/messages/${what}/purge`, undefined, await stepUp(app, as))
    expect((await at(ada, ada.orgId, 'POST', `/messages/${id}/purge`)).code).toBe('STEP_UP_REQUIRED')
    expect((await purge(abe)).status).toBe(404)
    const live = await send(ada, ada.orgId)
    expect((await purge(ada, live.id)).status).toBe(404)
    expect((await purge(ada)).data).toEqual({ id, purged: true, message: 'the message is purged' })
    expect([(await purge(ada)).status, await mine(abe)()]).toEqual([404, []])
    const { messages: t, messageSearch: s } = messageTables(app.runtime.store)
    const left = await app.runtime.store.system.read(async (db) => [
      await db.$count(t, eq(t.rootId, id)),
      await db.$count(s, eq(s.rootId, id)),
    ])
    expect(left).toEqual([0, 0])
  })

  it('of the past are neither listed nor brought back', async () => {
    const { id } = await send(ada, ada.orgId)
    await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)
    await app.runtime.store.system.write(async (tx) => {
      const { messages: t } = messageTables(tx)
      await tx.update(t).set({ purgeAfterMs: app.clock.now() }).where(eq(t.id, id))
    })
    const listed = (await at(ada, ada.orgId, 'GET', '/messages/deleted?limit=100')).data.messages
    expect(listed.map((each: { id: string }) => each.id)).not.toContain(id)
    const confirmed = await stepUp(app, ada)
    expect((await at(ada, ada.orgId, 'POST', `/messages/${id}/restore`, undefined, confirmed)).status).toBe(404)
  })

  it('are read once by a person, however often and from wherever it is said', async () => {
    const { id } = await send(ada, ada.orgId)
    const unread = async () => (await at(abe, ada.orgId, 'GET', '/messages/unread/count')).data.count
    const before = await unread()
    const marks = await Promise.all([
      ...Array.from({ length: 5 }, () => at(abe, ada.orgId, 'PUT', `/messages/${id}/read`)),
      ...Array.from({ length: 3 }, () => at(abe, ada.orgId, 'PUT', `/messages/${id}/thread/read`)),
    ])
    expect(marks.map(({ status }) => status)).toEqual(marks.map(() => 200))
    expect(await unread()).toBe(before - 1)
    await at(ada, ada.orgId, 'POST', `/messages/${id}/reply`, { content: 'more' })
    expect(await unread()).toBe(before)
    expect((await at(abe, ada.orgId, 'PUT', '/messages/read-all')).data.marked).toBeGreaterThan(0)
    expect([await unread(), (await at(abe, ada.orgId, 'PUT', '/messages/read-all')).data.marked]).toEqual([0, 0])
  })

  it('of the server itself reach whom they are for, once', async () => {
    const notice = { subject: 'Nearly full', content: '80 %', priority: 'high', channel: 'quota' } as const
    await app.runtime.store.system.write(async (tx) => {
      const messages = [null, abe.userId, bob.userId].map((recipientUserId) =>
        noticeMessage({ ...notice, recipientOrgId: ada.orgId, recipientUserId }),
      )
      for (const message of messages) await enqueue(tx, app.runtime, message)
    })
    await runJobs(app, [postNotice])
    await runJobs(app, [postNotice])
    const shown = async (as: SignedIn, orgId: string) =>
      (await at(as, orgId, 'GET', '/messages?channel=quota')).data.messages.length
    // Bob is not a member, so the notice for him is dropped.
    expect([await shown(ada, ada.orgId), await shown(abe, ada.orgId), await shown(bob, bob.orgId)]).toEqual([1, 2, 0])
  })

  it('leave with their organization, and a person’s name with the person', async () => {
    const reach = { recipientOrgId: bob.orgId, subject: 'From outside', content: 'x' }
    const { id } = (await at(root, root.orgId, 'POST', '/messages', reach)).data.message
    await at(bob, bob.orgId, 'POST', `/messages/${id}/reply`, { content: 'From Bob' })
    await app.runtime.store.system.write((tx) =>
      messageRegistration.erase(tx, bob.userId, { ...app.runtime, recheck: async () => undefined }),
    )
    const [, answer] = (await at(root, root.orgId, 'GET', `/messages/${id}/thread`)).data.messages
    expect(answer).toMatchObject({ senderName: 'Deleted user', content: 'From Bob' })
    for (let gone = 1; gone > 0; )
      gone = await app.runtime.store.system.write((tx) =>
        messageRegistration.purge(tx, bob.orgId, 2, 0, async () => undefined),
      )
    const left = (await at(root, root.orgId, 'GET', `/messages/${id}/thread`)).data.messages
    expect(left).toMatchObject([{ id, replyCount: 0 }])
    const rows = await app.runtime.store.system.read((db) => {
      const { messages: t } = messageTables(db)
      return db.$count(t, eq(t.orgId, bob.orgId))
    })
    expect(rows).toBe(0)
  })
})
