/**
 * Every query of the trail begins at an index, so an index that no line here needs can be removed: each index costs
 * every event a write. The plans of SQLite are asserted; PostgreSQL chooses a plan by the contents of the tables.
 */
import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteStore } from '../../test/support/stores.js'
import type { Db } from '../runtime/store/db.js'
import type { SqliteStore } from '../runtime/store/sqlite.js'
import { concerns, happenedElsewhere } from './elsewhere.js'
import { conditionOf } from './event/filter.js'
import { behind, inOrder, type Order } from './event/read-events.js'
import { auditTables } from './tables.js'

let store: SqliteStore
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

type Table = ReturnType<typeof auditTables>['auditEvents']
const table = () => auditTables({ database: 'sqlite' } as Db).auditEvents

async function planOf(where: SQL | undefined, order: SQL = sql``): Promise<string> {
  const rows = await store.system.read((db) =>
    db.rows<{ detail: string }>(sql`EXPLAIN QUERY PLAN SELECT * FROM ${table()} WHERE ${where} ${order} LIMIT 10`),
  )
  return rows.map(({ detail }) => detail).join('; ')
}

const listed = (t: Table, order: Order): SQL => sql`ORDER BY ${sql.join(inOrder(t, order), sql`, `)}`
const oldestFirst = (t: Table): SQL => sql`ORDER BY ${asc(t.seq)}`
const PLACE = { createdAt: '2026-01-01T00:00:00Z', chain: 'o', seq: 7 }

it.each<[string, string[], (t: Table) => [where: SQL | undefined, order?: SQL]]>([
  ['events about an organization', ['audit_events_affected'], (t) => [eq(t.affectedOrgId, 'o'), listed(t, 'desc')]],
  [
    'what its people did elsewhere',
    ['audit_events_org'],
    (t) => [and(eq(t.orgId, 'o'), happenedElsewhere(t)), listed(t, 'desc')],
  ],
  ['both, for its export', ['audit_events_affected', 'audit_events_org'], (t) => [concerns(t, 'o')]],
  [
    'what an organization caused, for system administrators',
    ['audit_events_affected', 'audit_events_org'],
    (t) => [conditionOf(t, { orgId: 'o' })],
  ],
  ['what a person did', ['audit_events_actor'], (t) => [eq(t.actorId, 'u')]],
  ['events since an instant', ['audit_events_created'], (t) => [conditionOf(t, { from: '2026-01-01T00:00:00Z' })]],
  ['events by their ids, for who emitted them', ['audit_events_id'], (t) => [inArray(t.id, ['evt_1', 'evt_2'])]],
  ['one event, for a link to it', ['audit_events_id'], (t) => [conditionOf(t, { id: 'evt_1' })]],
  ['a chain', ['sqlite_autoindex_audit_events_1'], (t) => [eq(t.chain, 'o'), oldestFirst(t)]],
])('%s', async (_, indexes, question) => {
  const plan = await planOf(...question(table()))
  for (const index of indexes) expect(plan).toContain(`INDEX ${index}`)
})

it.each<[Order, string]>([
  ['desc', '<'],
  ['asc', '>'],
])('a page in the order %s begins at its place in the index, and is not sorted as a whole', async (order, further) => {
  const t = table()
  for (const [index, side] of [
    ['audit_events_affected (affected_org_id=? AND ', eq(t.affectedOrgId, 'o')],
    ['audit_events_org (org_id=? AND ', and(eq(t.orgId, 'o'), happenedElsewhere(t))],
    ['audit_events_created (', undefined],
  ] as const) {
    const plan = await planOf(and(side, behind(t, order, PLACE)), listed(t, order))
    expect(plan).toContain(`INDEX ${index}created_at${further}?)`)
    expect(plan).not.toContain('TEMP B-TREE FOR ORDER BY')
  }
})
