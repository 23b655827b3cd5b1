/**
 * No list, count or stream of messages scans the messages of all organizations: each query begins at an index of one
 * organization.
 */
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteStore } from '../../test/support/stores.js'
import type { Db } from '../runtime/store/db.js'
import type { SqliteStore } from '../runtime/store/sqlite.js'
import { messageTables } from './tables.js'
import { unreadIn } from './unread/count.js'
import { concerns, concernsAnybody, inInbox, READER, readers, type Viewer } from './visibility.js'

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

const viewer: Viewer = { orgId: 'o', userId: 'u' }

async function planOf(statement: (db: Db) => SQL): Promise<string[]> {
  const rows = await store.system.read((db) => db.rows<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement(db)}`))
  return rows.map(({ detail }) => detail)
}

it.each([
  [
    'the inbox',
    (db: Db) => {
      const { messages: t } = messageTables(db)
      const where = and(inInbox(db, viewer), eq(t.isRoot, true))
      return sql`SELECT * FROM ${t} WHERE ${where} ORDER BY ${desc(t.activityAtMs)} LIMIT 10`
    },
  ],
  [
    'what is unread',
    (db: Db) => {
      const { messages: t } = messageTables(db)
      const where = and(inInbox(db, viewer), eq(t.isRoot, true), unreadIn(db, viewer, t.id))
      return sql`SELECT count(*) FROM ${t} WHERE ${where}`
    },
  ],
  [
    'what is unread by each of several people',
    (db: Db) => {
      const { messages: t } = messageTables(db)
      const each = { orgId: 'o', userId: READER }
      const where = and(inInbox(db, each), eq(t.isRoot, true), unreadIn(db, each, t.id))
      return sql`${readers(['u', 'v'])} SELECT ${READER}, count(*) FROM reader CROSS JOIN ${t} WHERE ${where} GROUP BY ${READER}`
    },
  ],
  [
    'the streams of an organization',
    (db: Db) => {
      const { messageEvents: e } = messageTables(db)
      const own = concernsAnybody({ from: e.orgId, to: e.recipientOrgId, toUser: e.recipientUserId }, 'o')
      return sql`SELECT * FROM ${e} WHERE ${own} AND ${e.position} > 5 ORDER BY ${e.position} LIMIT 100`
    },
  ],
  [
    'the stream',
    (db: Db) => {
      const { messageEvents: e } = messageTables(db)
      const mine = concerns({ from: e.orgId, to: e.recipientOrgId, toUser: e.recipientUserId }, viewer)
      return sql`SELECT * FROM ${e} WHERE ${mine} AND ${e.position} > 5 ORDER BY ${e.position} LIMIT 100`
    },
  ],
] as const)('%s', async (_, statement) => {
  const plan = await planOf(statement)
  expect(plan.length).toBeGreaterThan(0)
  expect(
    plan.filter((detail) => /^SCAN (messages|message_events|message_reads|each_message|mark)\b/.test(detail)),
  ).toEqual([])
})
