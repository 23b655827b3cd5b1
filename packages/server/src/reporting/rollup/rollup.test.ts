/**
 * Reports from sums equal those from facts, no matter which events came, in which order sums were built, and also after
 * facts were deleted.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { storeEvents } from '../event-store.js'
import { readEvent } from '../ingest/event.js'
import { reportingTables } from '../tables.js'
import { rollUpJob } from './job.js'
import { rebuildDays } from './rebuild.js'

const HOUR = 3_600_000
const gate = () => {
  let open: () => void = () => undefined
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), passed }
}
const STATUSES = ['STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED'] as const
const run = fc.record({
  id: fc.nat(30),
  pipeline: fc.nat(1),
  hours: fc.integer({ min: 1, max: 70 * 24 }),
  attempt: fc.integer({ min: 1, max: 2 }),
  /** In minutes; many a run crosses midnight. */
  length: fc.integer({ min: 0, max: 3000 }),
  status: fc.constantFrom(...STATUSES),
})

await describeStores('sums of runs', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const answers = async (as: SignedIn, pipelineId: string) => {
    const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
    const windows = [
      `from=${at(72 * 24)}&to=${at(0)}`,
      `from=${at(40 * 24 + 5)}&to=${at(3)}`,
      `from=${at(720)}&to=${at(0)}&pipelineId=${pipelineId}`,
    ]
    const found = []
    for (const window of windows) {
      for (const path of ['count?', 'success-rate?interval=day&', 'success-rate?interval=month&', 'duration?']) {
        const { data, body } = await app.call('GET', `/reports/execution/${path}${window}`, { as })
        if (data === undefined) throw new Error(JSON.stringify(body))
        found.push(data)
      }
    }
    return found
  }
  type Run = typeof run extends fc.Arbitrary<infer T> ? T : never
  const send = async (token: string, ids: readonly string[], runs: readonly Run[]) => {
    const events = runs.map(({ id, pipeline, attempt, hours, length, status }) => {
      const startMs = app.clock.now() - hours * HOUR - length * 60_000
      const end = status === 'STARTED' ? {} : { completedAt: new Date(startMs + length * 60_000).toISOString() }
      return {
        pipelineId: ids[pipeline],
        executionId: `run-${id}`,
        attempt,
        eventType: 'PIPELINE',
        status,
        startedAt: new Date(startMs).toISOString(),
        ...end,
      }
    })
    if (events.length > 0)
      expect((await app.call('POST', '/reports/events', { as: token, body: { events } })).status).toBe(200)
  }
  /** The runs of all days and of all months, added up, and the runs as a whole. */
  const countsOf = async (as: SignedIn) => {
    const window = `from=${new Date(app.clock.now() - 80 * 24 * HOUR).toISOString()}&to=${new Date(app.clock.now()).toISOString()}`
    const read = async (name: string) => (await app.call('GET', `/reports/execution/${name}${window}`, { as })).data
    const added = (timeline: { succeeded: number; failed: number; canceled: number }[]) =>
      timeline.reduce((sum, { succeeded, failed, canceled }) => sum + succeeded + failed + canceled, 0)
    const { totals } = await read('count?')
    return {
      whole: totals.total as number,
      byDay: added((await read('success-rate?interval=day&')).timeline),
      byMonth: added((await read('success-rate?interval=month&')).timeline),
    }
  }
  /** Each execution of a pipeline once: its last attempt, and that is over as soon as one event says so. */
  const countedOnce = (runs: readonly Run[]) => {
    const isOver = new Map<string, { attempt: number; isOver: boolean }>()
    for (const { id, pipeline, attempt, status } of runs) {
      const key = `${pipeline} ${id}`
      const known = isOver.get(key)
      if (known !== undefined && known.attempt > attempt) continue
      const before = known?.attempt === attempt && known.isOver
      isOver.set(key, { attempt, isOver: before || status !== 'STARTED' })
    }
    const over = [...isOver.values()].filter((each) => each.isOver).length
    return { whole: isOver.size, byDay: over, byMonth: over }
  }
  const rollUp = () => runJobs(app, [rollUpJob], ['reporting.roll-up'])

  it('come to what the facts come to: before, half-way, after, and told again', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 1, maxLength: 30 }),
        fc.array(run, { maxLength: 10 }),
        async (runs, later) => {
          const person = await signUp(app, `sums${++round}`)
          const ids = [await newPipeline(app, person, 'one'), await newPipeline(app, person, 'two')]
          const token = await forwarder(app, person.orgId)
          await send(token, ids, runs)
          const facts = await answers(person, ids[0] as string)
          expect(await countsOf(person)).toEqual(countedOnce(runs))
          await store.system.write((tx) => rebuildDays(tx, person.orgId, 5))
          expect(await answers(person, ids[0] as string)).toEqual(facts)
          await rollUp()
          expect(await answers(person, ids[0] as string)).toEqual(facts)
          await send(token, ids, later)
          const behind = await answers(person, ids[0] as string)
          await rollUp()
          expect(await answers(person, ids[0] as string)).toEqual(behind)
          expect(await countsOf(person)).toEqual(countedOnce([...runs, ...later]))
          const left = await store.system.read((db) => db.select().from(reportingTables(db).reportDirty))
          expect(left).toEqual([])
        },
      ),
      { numRuns: 8 },
    )
  })

  it('keep the mark of a day for a write that is not committed when the sums are made', async () => {
    const person = await signUp(app, 'raced')
    const ids = [await newPipeline(app, person, 'one'), await newPipeline(app, person, 'two')]
    const run = { id: 1, pipeline: 0, attempt: 1, hours: 50, length: 10, status: 'FAILED' } as const
    await send(await forwarder(app, person.orgId), ids, [run])
    const { orgId } = person
    const nowMs = app.clock.now()
    const startedAt = new Date(nowMs - 50 * HOUR).toISOString()
    const item = { executionId: 'run-2', eventType: 'PIPELINE', status: 'SUCCEEDED', startedAt } as const
    const event = readEvent({ pipelineId: ids[0] as string, ...item }, '', nowMs)
    if ('message' in event) throw new Error(event.message)
    const [stored, committing] = [gate(), gate()]
    const write = store.system.write(async (tx) => {
      await storeEvents(tx, [event], { orgId, nowMs, keptFromMs: 0 })
      stored.open()
      await committing.passed
    })
    await stored.passed
    const rebuild = () => store.system.write((tx) => rebuildDays(tx, orgId, 5))
    // SQLite has one writer.
    if (store.database === 'pg') await rebuild()
    committing.open()
    await write
    if (store.database === 'sqlite') await rebuild()
    await rollUp()
    expect(await countsOf(person)).toEqual({ whole: 2, byDay: 2, byMonth: 2 })
  })

  it('say the same while many stretches of days are marked', async () => {
    const person = await signUp(app, 'marked')
    const ids = [await newPipeline(app, person, 'one'), await newPipeline(app, person, 'two')]
    const token = await forwarder(app, person.orgId)
    const status = (at: number) => STATUSES[1 + (at % 3)] ?? 'FAILED'
    const runs = Array.from({ length: 60 }, (_, at) => ({
      id: at,
      pipeline: at % 2,
      attempt: 1,
      hours: 20 + at * 26,
      length: at % 59,
      status: status(at),
    }))
    await send(token, ids, runs)
    await send(token, ids, [{ id: 99, pipeline: 0, attempt: 1, hours: 5, length: 0, status: 'STARTED' }])
    await rollUp()
    const settled = await answers(person, ids[0] as string)
    const { orgId } = person
    const mark = (pipelineId: string, days: readonly number[]) =>
      store.system.write((tx) =>
        tx
          .insert(reportingTables(tx).reportDirty)
          .values(
            days.map((day) => ({ orgId, pipelineId, dayMs: (Math.floor(app.clock.now() / 864e5) - day) * 864e5 })),
          )
          .onConflictDoNothing(),
      )
    // One period of all days leaves the sums of the other pipeline usable.
    const all = Array.from({ length: 75 }, (_, day) => day)
    await mark(ids[0] as string, all)
    expect(await answers(person, ids[0] as string)).toEqual(settled)
    // Marks of deleted pipelines form separate periods, so that whole days are read.
    for (const gone of ['a', 'b', 'c', 'd', 'e', 'f'])
      await mark(
        gone,
        all.filter((day) => day % 2 === 1),
      )
    expect(await answers(person, ids[0] as string)).toEqual(settled)
    await rollUp()
    expect(await answers(person, ids[0] as string)).toEqual(settled)
  })
})
