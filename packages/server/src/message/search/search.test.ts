/**
 * What a search of messages finds, compared with a simple scan of all messages, for each side and for no other
 * organization; and its query plans.
 */

import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { describeMessages } from '../../../test/support/describe-messages.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import type { MessageApp } from '../../../test/support/messages.js'
import { enrol, stepUp, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { findRoots } from './search.js'

await describeMessages('search of messages', BOTH_DATABASES, (app) => {
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
  const write = async (as: SignedIn, orgId: string, body: object): Promise<string> => {
    const sent = await at(as, orgId, 'POST', '/messages', {
      recipientOrgId: orgId,
      subject: 's',
      content: 'c',
      ...body,
    })
    expect(sent.status, JSON.stringify(sent.body)).toBe(201)
    return sent.data.message.id
  }
  const find = async (as: SignedIn, orgId: string, text: string, more = '') => {
    const found = await at(as, orgId, 'GET', `/messages?limit=1000&search=${encodeURIComponent(text)}${more}`)
    expect(found.status, JSON.stringify(found.body)).toBe(200)
    return found.data.messages.map(({ id }: { id: string }) => id) as string[]
  }

  it('finds threads by their subject, their content and their answers, for both sides', async () => {
    const id = await write(ada, ada.orgId, { recipientOrgId: 'system', subject: 'Gazelle', content: 'of the Plain' })
    const answered = await at(root, SYSTEM_ORG_ID, 'POST', `/messages/${id}/reply`, { content: 'Impala, 100% of_it' })
    const answer = answered.data.message.id
    for (const text of ['gazelle', 'THE PLAIN', 'impala', '0% of_', 'az', 'I']) {
      expect(await find(ada, ada.orgId, text), text).toContain(id)
      expect(await find(root, SYSTEM_ORG_ID, text), text).toContain(id)
      expect(await find(bob, bob.orgId, text), text).not.toContain(id)
    }
    for (const text of ['0_ of%', 'gazelle" OR "', 'impalas']) expect(await find(ada, ada.orgId, text)).toEqual([])
    expect(await find(ada, ada.orgId, 'impala', '&messageType=announcement')).toEqual([])

    await at(root, SYSTEM_ORG_ID, 'PATCH', `/messages/${answer}`, { content: 'Kudu' })
    expect([await find(ada, ada.orgId, 'impala'), await find(ada, ada.orgId, 'kudu')]).toEqual([[], [id]])
    await at(root, SYSTEM_ORG_ID, 'DELETE', `/messages/${answer}`)
    expect([await find(ada, ada.orgId, 'kudu'), await find(ada, ada.orgId, 'gazelle')]).toEqual([[], [id]])
    const confirmed = await stepUp(app, root)
    await at(root, SYSTEM_ORG_ID, 'POST', `/messages/${answer}/restore`, undefined, confirmed)
    expect(await find(ada, ada.orgId, 'kudu')).toEqual([id])
    await at(ada, ada.orgId, 'DELETE', `/messages/${id}`)
    expect([await find(ada, ada.orgId, 'kudu'), await find(ada, ada.orgId, 'gazelle')]).toEqual([[], []])
  })

  it('finds what is for one member for that one, and announcements for everybody', async () => {
    const alone = await write(abe, ada.orgId, { subject: 'Quagga', recipientUserId: ada.userId })
    const support = await write(root, SYSTEM_ORG_ID, {
      recipientOrgId: ada.orgId,
      recipientUserId: abe.userId,
      subject: 'Quagga too',
    })
    expect((await find(ada, ada.orgId, 'quagga')).sort()).toEqual([alone])
    expect((await find(abe, ada.orgId, 'quagga')).sort()).toEqual([alone, support].sort())
    const all = await write(root, root.orgId, { recipientOrgId: '*', subject: 'Okapi for all' })
    for (const who of [ada, abe, bob]) expect(await find(who, who.orgId, 'okapi')).toEqual([all])
    // Only the system organization searches all messages, on request.
    expect(await find(root, SYSTEM_ORG_ID, 'quagga')).toEqual([support])
    expect((await find(root, SYSTEM_ORG_ID, 'quagga', '&scope=all')).sort()).toEqual([alone, support].sort())
    expect((await find(root, SYSTEM_ORG_ID, 'qu', '&scope=all')).sort()).toEqual([alone, support].sort())
    expect(await find(bob, bob.orgId, 'quagga', '&scope=all')).toEqual([])
  })

  it('finds what a naive look finds', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '%', '_', '"', '\\', ' ', 'é', '字'), maxLength: 8 })
    const text = word.filter((each) => each.trim() !== '')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ subject: text, content: text, answers: fc.array(text, { maxLength: 2 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        text,
        async (threads, asked) => {
          const channel = `c${app.runtime.ids.next()}`.slice(0, 40)
          const expected: string[] = []
          for (const { subject, content, answers } of threads) {
            const id = await write(bob, bob.orgId, { subject, content, channel })
            for (const each of answers) await at(bob, bob.orgId, 'POST', `/messages/${id}/reply`, { content: each })
            const holds = [subject, content, ...answers].some((each) =>
              each.toLowerCase().includes(asked.toLowerCase()),
            )
            if (holds) expected.push(id)
          }
          expect((await find(bob, bob.orgId, asked, `&channel=${channel}`)).sort()).toEqual(expected.sort())
        },
      ),
      { numRuns: 25 },
    )
  })

  it('enters its index by the organization', async () => {
    const plan = async (text: string) => {
      const rows = await app.runtime.store.tenant({ orgId: ada.orgId, readableOrgIds: [SYSTEM_ORG_ID] }).read((db) => {
        const statement = findRoots(db, { orgId: ada.orgId, isEverything: false, text }, 10)
        return db.rows<Record<string, unknown>>(
          db.database === 'sqlite' ? sql`EXPLAIN QUERY PLAN ${statement}` : sql`EXPLAIN ${statement}`,
        )
      })
      return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
    }
    if (app.runtime.store.database === 'sqlite') {
      expect(await plan('pay')).toMatch(
        /SCAN message_search_fts VIRTUAL TABLE INDEX 0:M\d\nSEARCH t USING INTEGER PRIMARY/,
      )
      const short = await plan('pa')
      expect(short).toMatch(/SEARCH message_search USING INDEX message_search_sent \(thread_org_id=\?\)/)
      expect(short).not.toMatch(/SCAN message_search\b/)
    } else {
      expect(await plan('pay')).toMatch(/Function Scan on plumbline_find_message_search/)
    }
  })

  it('shows a tenant nothing of another, not even to a query that names it', async () => {
    await write(ada, ada.orgId, { subject: 'Bongo' })
    if (app.runtime.store.database === 'sqlite') return
    const bobs = app.runtime.store.tenant({ orgId: bob.orgId, readableOrgIds: [SYSTEM_ORG_ID] })
    for (const isEverything of [false, true]) {
      for (const text of ['bongo', 'bo']) {
        for (const { orgId } of [ada, bob]) {
          const rows = await bobs.read((db) => db.rows(findRoots(db, { orgId, isEverything, text }, 10)))
          expect(rows).toEqual([])
        }
      }
    }
  })
})
