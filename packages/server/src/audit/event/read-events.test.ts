/**
 * Goal: the trail, read in slices, shows the same events as one read of the whole trail, with every filter, to
 * administrators of an organization and of the system. Method: some hundred events of few instants; each page and each
 * total is compared with all events, filtered and sorted in the test.
 */
import type { ActionName } from '@plumbline/audit-chain'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../../test/support/audit/evidence.js'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { toIso } from '../../runtime/clock.js'
import { noMetrics } from '../../runtime/metrics/port.js'
import type { Store } from '../../runtime/store/db.js'
import { auditSequencer } from '../chain/start-sequencer.js'
import { auditTables } from '../tables.js'
import { type Filter, fits } from './filter.js'
import { type Cursor, type Order, readEvents } from './read-events.js'
import type { Shown } from './view.js'

const EVENTS = 180
const BEGIN_MS = Date.parse('2026-05-01T00:00:00Z')

await describeStores('the trail in slices', BOTH_DATABASES, (open) => {
  let store: Store
  let all: Shown[]
  beforeAll(async () => {
    store = await open()
    let atMs = BEGIN_MS
    const clock = { now: () => atMs }
    const onError = (error: unknown) => {
      throw error
    }
    const sequencer = auditSequencer({ store, clock, metrics: noMetrics, onError })
    const runtime = runtimeOver(store, clock)
    for (let n = 0; n < EVENTS; n++) {
      // Up to nine events of the same instant.
      if ((n * 7) % 9 === 0) atMs += 1000
      const [orgId, affectedOrgId] = [
        [ORG_A, ORG_A],
        [ORG_A, ORG_A],
        [ORG_A, ORG_B],
        [ORG_B, ORG_A],
        [ORG_B, ORG_B],
        [null, ORG_A],
      ][n % 6] as [string | null, string]
      const action: ActionName = n % 4 === 0 ? 'org.update' : 'org.member.add'
      const outcome = n % 5 === 0 ? 'failure' : 'success'
      const entry = { affectedOrgId, targetId: `t${n % 3}`, outcome } as const
      await store.system.write((tx) => evidence(tx, runtime, orgId, action, entry))
    }
    expect(await sequencer.drain(30_000)).toBe(true)
    await sequencer.stop()
    all = (await store.system.read((db) => db.select().from(auditTables(db).auditEvents))) as unknown as Shown[]
    expect(all).toHaveLength(EVENTS)
  })
  afterAll(() => store.close())

  const newestFirst = (a: Shown, b: Shown): number =>
    a.createdAt !== b.createdAt
      ? a.createdAt < b.createdAt
        ? 1
        : -1
      : a.chain !== b.chain
        ? a.chain < b.chain
          ? -1
          : 1
        : Number(b.seq) - Number(a.seq)

  const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const instant = fc.integer({ min: -1, max: 25 }).map((seconds) => toIso(BEGIN_MS + seconds * 1000))
  const asked = fc.record({
    orgId: fc.constantFrom(ORG_A, ORG_B, null),
    filter: fc.record({
      action: some(fc.constantFrom('UPDATE', 'org.', 'member', 'nothing')),
      id: fc.oneof(
        { weight: 7, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.nat({ max: EVENTS }).map((n) => all[n]?.id ?? 'evt_none') },
      ),
      targetId: some(fc.constantFrom('t0', 't1', 'none')),
      outcome: some(fc.constantFrom('success' as const, 'failure' as const)),
      orgId: some(fc.constantFrom(ORG_A, ORG_B)),
      from: some(instant),
      to: some(instant),
    }),
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.nat(60),
    compared: fc.integer({ min: 1, max: 30 }),
    order: fc.constantFrom<Order>('asc', 'desc'),
  })

  it('shows what a look at all of it shows, page after page', { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ orgId, filter: drawn, limit, offset, compared, order }) => {
        const { orgId: filteredBy, ...rest } = Object.fromEntries(
          Object.entries(drawn).filter(([, value]) => value !== undefined),
        ) as Filter
        // As in the operation: only a system administrator may name an organization.
        const filter: Filter = orgId === null && filteredBy !== undefined ? { ...rest, orgId: filteredBy } : rest
        const wanted = all
          .filter((row) => orgId === null || row.affectedOrgId === orgId || row.orgId === orgId)
          .filter((row) => fits(row, filter))
          .sort((a, b) => (order === 'desc' ? newestFirst(a, b) : newestFirst(b, a)))
          .map(({ id }) => id)
        const read = (from: number, cursor: Cursor | null) =>
          store.system.read((db) => readEvents(db, { orgId, filter, order, limit, offset: from, cursor, compared }))
        const page = await read(offset, null)
        expect(page.rows.map(({ id }) => id)).toEqual(wanted.slice(offset, offset + limit))
        expect([page.total, page.hasMore]).toEqual([wanted.length, offset + limit < wanted.length])
        const seen: string[] = []
        for (let cursor: Cursor | null = null; ; ) {
          const { rows, next, total } = await read(0, cursor)
          seen.push(...rows.map(({ id }) => id))
          expect(total).toBe(wanted.length)
          if (next === null) break
          cursor = next
        }
        expect(seen).toEqual(wanted)
      }),
      { numRuns: 60 },
    )
  })
})
