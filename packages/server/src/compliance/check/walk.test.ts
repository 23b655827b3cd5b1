/**
 * Goal: the check log, read in slices, gives the same lists and counts as one read of the whole log. Method: logs with
 * many rows of the same instant; each page is compared with the same page cut from the sorted rows; and the query plans
 * of its filters.
 */
import { and, eq, gte, type SQL } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import type { Db, Store } from '../../runtime/store/db.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { CheckRecord, checkRecord } from './list.js'
import { checkPages } from './pages.js'
import { walkChecks } from './walk.js'

const row = (orgId: string, id: string, createdAtMs: number, result: string): CheckRow => ({
  id,
  orgId,
  userId: null,
  target: 'plugin',
  action: 'deploy',
  entityId: null,
  entityName: null,
  result,
  violations: [],
  observed: [],
  exempted: null,
  unresolved: null,
  ruleText: '',
  ruleCount: 1,
  rulesSkipped: 0,
  exemptionsApplied: [],
  attributesHash: '',
  scanId: null,
  eventId: null,
  createdAtMs,
})
const list = listOf({ key: 'entries', item: CheckRecord, sortBy: ['createdAt'], filters: {} })

await describeStores('the check log in slices', BOTH_DATABASES, (open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const log = fc.array(fc.record({ atMs: fc.nat(4), result: fc.constantFrom('pass', 'warn', 'block') }), {
    maxLength: 25,
  })
  const asked = fc.record({
    sliceRows: fc.integer({ min: 1, max: 6 }),
    limit: fc.integer({ min: 1, max: 8 }),
    offset: fc.nat(12),
    sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
    result: fc.constantFrom(undefined, 'pass', 'block'),
    fromMs: fc.constantFrom(undefined, 2),
  })

  it('has what a look at all of it has, page after page', async () => {
    let orgs = 0
    await fc.assert(
      fc.asyncProperty(log, asked, async (entries, { sliceRows, limit, offset, sortOrder, result, fromMs }) => {
        const orgId = `org-${++orgs}`
        const { checks: t } = complianceTables(store)
        const rows = entries.map(({ atMs, result: own }, n) => {
          const id = `${orgs}-${String((n * 7) % 31).padStart(2, '0')}`
          return row(n % 5 === 4 ? 'another' : orgId, id, atMs, own)
        })
        if (rows.length > 0) await store.system.write((tx) => tx.insert(t).values(rows))
        const own = rows
          .filter((each) => each.orgId === orgId && (result === undefined || each.result === result))
          .filter(({ createdAtMs }) => fromMs === undefined || createdAtMs >= fromMs)
          .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1))
        if (sortOrder === 'desc') own.reverse()
        const page = (query: PageQuery) =>
          store.system.read(async (db: Db) => {
            const within = and(eq(t.orgId, orgId), fromMs === undefined ? undefined : gte(t.createdAtMs, fromMs))
            const filter: SQL | undefined = result === undefined ? undefined : eq(t.result, result)
            return list.rows(walkChecks(db, { within, filter, query, present: checkRecord, sliceRows }))
          })
        const first = await page({ limit, offset, sortOrder })
        expect(first.entries.map(({ id }) => id)).toEqual(own.slice(offset, offset + limit).map(({ id }) => id))
        expect(first.pagination.total).toBe(own.length)
        const seen: string[] = []
        for (let cursor: string | undefined; ; ) {
          const { entries: shown, pagination } = await page({
            limit,
            sortOrder,
            ...(cursor === undefined ? {} : { cursor }),
          })
          seen.push(...shown.map(({ id }) => id))
          expect(pagination.total).toBe(own.length)
          cursor = pagination.nextCursor
          if (cursor === undefined) break
        }
        expect(seen).toEqual(own.map(({ id }) => id))
        const read = { read: store.system.read, signal: new AbortController().signal }
        const where = () =>
          and(result === undefined ? undefined : eq(t.result, result), gte(t.createdAtMs, fromMs ?? 0))
        const streamed: CheckRow[] = []
        for await (const some of checkPages(read, { orgId, where, rows: limit, sliceRows })) {
          expect(some.length).toBeLessThanOrEqual(limit)
          streamed.push(...some)
        }
        if (sortOrder === 'desc') streamed.reverse()
        expect(streamed.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
      }),
      { numRuns: 60 },
    )
  })
})

it('enters the index of a record for its checks, in the order of time', async () => {
  const store = await sqliteStore()
  try {
    const plan = store.writer
      .prepare<unknown[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM compliance_checks WHERE org_id = ? AND entity_id = ? ORDER BY created_at_ms DESC, id DESC LIMIT 10`,
      )
      .all(null, null)
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH compliance_checks USING INDEX compliance_checks_entity (org_id=? AND entity_id=?)',
    ])
  } finally {
    await store.close()
  }
})
