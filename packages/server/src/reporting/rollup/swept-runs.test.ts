/**
 * The same events give the same numbers in whatever order they came, also when retention deleted a part of them in
 * between.
 */
import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { runJobs, signInAgain } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { sweepReportsJob } from '../sweep.js'
import { reportingTables } from '../tables.js'
import { rollUpJob } from './job.js'

const DAY = 86_400_000
/** As many as the settings keep by default. */
const KEPT_DAYS = 180

await describeStores('runs whose first attempt was deleted', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let named = 0
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  interface Team {
    readonly person: SignedIn
    readonly pipelines: readonly string[]
  }
  const newTeam = async (): Promise<Team> => {
    const person = await signUp(app, `swept${++named}`)
    return { person, pipelines: [await newPipeline(app, person, 'one'), await newPipeline(app, person, 'two')] }
  }
  interface Told {
    readonly run: number
    readonly pipeline: number
    readonly attempt: number
    readonly status: string
    /** In hours after the first day began. */
    readonly start: number | null
    readonly end: number | null
  }
  const send = async ({ person, pipelines }: Team, events: readonly Told[], firstMs: number) => {
    const iso = (hours: number) => new Date(firstMs + hours * 3_600_000).toISOString()
    if (events.length === 0) return
    const { data } = await app.call('POST', '/reports/events', {
      as: await forwarder(app, person.orgId),
      body: {
        events: events.map(({ run, pipeline, attempt, status, start, end }) => ({
          pipelineId: pipelines[pipeline],
          executionId: `run-${run}`,
          attempt,
          eventType: 'PIPELINE',
          status,
          ...(start === null ? {} : { startedAt: iso(start) }),
          ...(end === null ? {} : { completedAt: iso(end) }),
        })),
      },
    })
    expect(data.skippedItems).toEqual([])
  }
  const sweep = () => runJobs(app, [sweepReportsJob, rollUpJob], ['reporting.roll-up', 'reporting.sweep'])
  const numbers = async ({ person, pipelines }: Team, firstMs: number) => {
    const as = await signInAgain(app, person)
    const window = `from=${new Date(firstMs - DAY).toISOString()}&to=${new Date(app.clock.now()).toISOString()}`
    const found: unknown[] = []
    for (const path of ['count?', 'success-rate?interval=day&', 'success-rate?interval=month&', 'duration?']) {
      const { data, body } = await app.call('GET', `/reports/execution/${path}${window}`, { as })
      if (data === undefined) throw new Error(JSON.stringify(body))
      found.push(data)
    }
    const name = (text: string) => pipelines.reduce((all, id, at) => all.replaceAll(id, `pipeline ${at}`), text)
    // Percentiles of a swept day come from bins.
    return JSON.parse(name(JSON.stringify(found)), (key, value) =>
      /^(p\d+Ms|approximate|asOf|orgId)$/.test(key) ? undefined : value,
    ) as unknown
  }
  /** What is told of runs that began on the last day that is kept, which the next day deletes. */
  const inTwoParts = async (early: readonly Told[], late: readonly Told[]) => {
    const firstMs = Math.floor(app.clock.now() / DAY) * DAY - (KEPT_DAYS - 2) * DAY
    const [inOrder, behind] = [await newTeam(), await newTeam()]
    await send(inOrder, early, firstMs)
    await send(inOrder, late, firstMs)
    await send(behind, early, firstMs)
    app.clock.advance(3 * DAY)
    await sweep()
    await send(behind, late, firstMs)
    const atOnce = await numbers(behind, firstMs)
    await sweep()
    return { firstMs, inOrder, behind, atOnce }
  }
  const same = async (early: readonly Told[], late: readonly Told[]) => {
    const { firstMs, inOrder, behind, atOnce } = await inTwoParts(early, late)
    const wanted = await numbers(inOrder, firstMs)
    expect(atOnce).toEqual(wanted)
    expect(await numbers(behind, firstMs)).toEqual(wanted)
    await send(behind, late, firstMs)
    expect(await numbers(behind, firstMs)).toEqual(wanted)
    app.clock.advance(4 * DAY)
    await sweep()
    expect(await numbers(behind, firstMs)).toEqual(await numbers(inOrder, firstMs))
    return wanted as readonly [{ readonly totals: { readonly total: number } }]
  }
  const first = { run: 1, pipeline: 0, attempt: 1, status: 'FAILED', start: 10, end: 11 } as const
  const other = { run: 2, pipeline: 0, attempt: 1, status: 'SUCCEEDED', start: 12, end: 15 } as const

  it('count once when they are repeated on an open day', async () => {
    const retry = { ...first, attempt: 2, status: 'SUCCEEDED', start: 50, end: 52 }
    expect((await same([first, other], [retry]))[0].totals.total).toBe(2)
    expect((await same([first], [retry]))[0].totals.total).toBe(1)
  })

  it('count once when their end comes late, without their start', async () => {
    const begun = { ...first, status: 'STARTED', end: null }
    const end = { ...first, status: 'FAILED', start: null, end: 60 }
    expect((await same([begun, other], [end]))[0].totals.total).toBe(2)
    expect((await same([begun], [end, { ...end, attempt: 2, end: 61 }]))[0].totals.total).toBe(1)
  })

  it('say the same whatever came before the sweep', async () => {
    const early = fc.record({
      run: fc.nat(3),
      pipeline: fc.nat(1),
      attempt: fc.integer({ min: 1, max: 2 }),
      status: fc.constantFrom('STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED'),
      start: fc.integer({ min: 0, max: 60 }),
      length: fc.integer({ min: 0, max: 20 }),
    })
    const late = fc.record({
      run: fc.nat(3),
      pipeline: fc.nat(1),
      attempt: fc.integer({ min: 1, max: 3 }),
      status: fc.constantFrom('STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED'),
      start: fc.integer({ min: 49, max: 60 }),
      length: fc.integer({ min: 0, max: 9 }),
      isEnd: fc.boolean(),
    })
    const told = ({
      length,
      isEnd = false,
      ...event
    }: Omit<Told, 'end'> & { length: number; isEnd?: boolean }): Told =>
      event.status === 'STARTED'
        ? { ...event, end: null }
        : { ...event, start: isEnd ? null : event.start, end: (event.start as number) + length }
    await fc.assert(
      fc.asyncProperty(
        fc.array(early, { minLength: 1, maxLength: 8 }),
        fc.array(late, { minLength: 1, maxLength: 5 }),
        async (before, after) => {
          await same(before.map(told), after.map(told))
        },
      ),
      { numRuns: 5 },
    )
  })

  it('are forgotten a month after their day was closed', async () => {
    const { behind } = await inTwoParts([first], [])
    const left = () =>
      store.system.read(async (db) => {
        const rows = await db.select().from(reportingTables(db).reportSweptRuns)
        return rows.filter(({ orgId }) => orgId === behind.person.orgId).map(({ executionId }) => executionId)
      })
    expect(await left()).toEqual(['run-1'])
    app.clock.advance(31 * DAY)
    await sweep()
    expect(await left()).toEqual([])
  })

  it('leave the sums of a day alone that is forgotten in part: a sweep deletes a bounded number of rows', async () => {
    const { firstMs, behind } = await inTwoParts([first, other], [])
    await store.system.write(async (tx) => {
      const { reportSweptRuns: t } = reportingTables(tx)
      await tx.delete(t).where(and(eq(t.orgId, behind.person.orgId), eq(t.executionId, 'run-2')))
    })
    await send(behind, [{ ...first, attempt: 2, status: 'SUCCEEDED', start: 50, end: 52 }], firstMs)
    await sweep()
    const [{ totals }] = (await numbers(behind, firstMs)) as readonly [{ readonly totals: { readonly total: number } }]
    // What was counted stays counted, and the retry is a run of its own.
    expect(totals.total).toBe(3)
  })
})
