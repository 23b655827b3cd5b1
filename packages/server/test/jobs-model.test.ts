/**
 * Goal: whatever the order of claims, effects, crashes, pauses and clock moves, every job has its effect exactly once, and
 * none is lost. Method: workers as step machines over the real table; generated sequences of steps, in which a worker may die
 * or sleep past its lease between any two of them; then an honest worker works off what is left.
 */
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defineJob, LeaseLost } from '../src/runtime/jobs/define.js'
import { type ClaimedJob, endIn } from '../src/runtime/jobs/queue.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { none } from '../src/runtime/operation/operation.js'
import type { Store, Tx } from '../src/runtime/store/db.js'
import { jobKit } from './support/job-kit.js'
import { sqliteStore } from './support/stores.js'

const LEASE_MS = 1000
const WORKERS = 3

type Step =
  | { readonly do: 'add' | 'reclaim' | 'tick' | 'lease ends' }
  /** `crash`: the worker forgets everything and begins again. `dies before commit`: its transaction rolls back. */
  | { readonly do: 'claim' | 'finish' | 'crash' | 'dies before commit' | 'fails' | 'renew'; readonly worker: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('add', 'add', 'reclaim', 'tick', 'lease ends' as const) }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'claim',
        'claim',
        'finish',
        'finish',
        'crash',
        'dies before commit',
        'fails',
        'renew' as const,
      ),
      worker: fc.nat(WORKERS - 1),
    }),
  },
) as fc.Arbitrary<Step>

class PowerCut extends Error {}

let store: Store
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())

/** An effect that shows when it happens twice: it counts, and nothing in the database stops it. */
async function effect(tx: Tx, jobId: string): Promise<void> {
  const { scheduleTicks: effects } = jobTables(tx)
  await tx
    .insert(effects)
    .values({ name: jobId, tick: 1 })
    .onConflictDoUpdate({ target: effects.name, set: { tick: sql`${effects.tick} + 1` } })
}

it('has each effect exactly once under every interleaving of crashes', async () => {
  // What the generator has to reach, or the law below says little.
  const reached = { finished: 0, refused: 0, 'died before commit': 0, 'taken back': 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
      const kit = jobKit(store)
      await kit.clear()
      // What a worker holds in memory. Another may have taken the job over since.
      const hands: (ClaimedJob | null)[] = Array.from({ length: WORKERS }, () => null)
      const newest = new Map<string, number>()
      const finish = (job: ClaimedJob, dies: boolean) =>
        store.system.write(async (tx) => {
          await effect(tx, job.id)
          await endIn(tx, job, { state: 'done' }, kit.clock.now())
          if (dies) throw new PowerCut()
        })
      const act = async (what: Step['do'], held: ClaimedJob) => {
        try {
          if (what === 'finish') await finish(held, false)
          if (what === 'dies before commit') await finish(held, true)
          if (what === 'fails') await kit.queue.end(held, { state: 'waiting', error: 'no' })
          if (what === 'renew') return (await kit.queue.renew(held, LEASE_MS)) ? 'renewed' : 'refused'
          return what === 'finish' || what === 'fails' ? 'finished' : 'nothing'
        } catch (error) {
          if (error instanceof LeaseLost) return 'refused'
          if (error instanceof PowerCut) return 'died before commit'
          throw error
        }
      }
      for (const each of steps) {
        if (each.do === 'add') await kit.add({ kind: 'k', payload: {} })
        if (each.do === 'tick') kit.clock.advance(LEASE_MS / 2 + 1)
        if (each.do === 'lease ends') kit.clock.advance(LEASE_MS + 1)
        if (each.do === 'reclaim' || each.do === 'lease ends') {
          reached['taken back'] += await kit.queue.reclaim(new Map([['k', 1000]]))
        }
        if (!('worker' in each)) continue
        const held = hands[each.worker] ?? null
        if (each.do === 'crash') hands[each.worker] = null
        if (each.do === 'claim' && held === null) {
          const [job] = await kit.queue.claim({ kind: 'k', leaseMs: LEASE_MS, jobsMax: 1, afterLane: '' })
          hands[each.worker] = job ?? null
          if (job !== undefined) newest.set(job.id, job.fence)
        }
        if (held === null) continue
        const outcome = await act(each.do, held)
        if (outcome !== 'renewed') hands[each.worker] = null
        if (outcome !== 'nothing' && outcome !== 'renewed') reached[outcome] += 1
        // The fence lets one worker of a job write: the one that claimed last.
        if (outcome === 'finished') {
          expect(held.fence, `job ${held.id} was finished by a worker that another had replaced`).toBe(
            newest.get(held.id),
          )
        }
      }
      const honest = defineJob({
        kind: 'k',
        payload: Type.Object({}),
        audit: none('a test'),
        attemptsMax: 1000,
        run: ({ job, finish: end }) => end(({ tx }) => effect(tx, job.id)),
      })
      const { worker } = kit.background([honest])
      kit.clock.advance(LEASE_MS + 1)
      await worker.sweep()
      await worker.settle()
      const rows = await kit.rows()
      const effects = await store.system.read((db) => db.select().from(jobTables(db).scheduleTicks))
      expect(rows.filter(({ state }) => state !== 'done')).toEqual([])
      expect(effects.map(({ name, tick }) => [name, tick]).sort()).toEqual(rows.map(({ id }) => [id, 1]).sort())
    }),
    // The sequences are always the same ones, so that what they reach does not depend on luck.
    { numRuns: 40, seed: 20_261_121 },
  )
  for (const [what, times] of Object.entries(reached)) {
    expect(times, `no sequence had a step that ${what}`).toBeGreaterThan(5)
  }
})
