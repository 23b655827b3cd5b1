/**
 * Three builders and the builds of many organizations: how often each organization is served, however the builds end.
 * `PLUMBLINE_FAIR_BUILDS=100 PLUMBLINE_FAILED_BUILDS=1000` is the full size.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { queueBuilds, type Waiting } from '../../../test/support/queued-builds.js'
import { testSettings } from '../../../test/support/settings.js'
import { createIds } from '../../runtime/ids.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Store } from '../../runtime/store/db.js'
import { pluginTables } from '../tables.js'
import { type BuildClaim, type BuildQueue, createBuildQueue } from './queue.js'

const IMAGE = { imageRef: 'made/1', imageDigest: 'sha256:abc', imageSizeBytes: 1 }
const FLAKY = { category: 'network' as const, message: 'the registry did not answer', isPermanent: false }
const BUILDERS = 3
const BUILDS = Number(process.env.PLUMBLINE_FAIR_BUILDS ?? 20)
const FAILURES = Number(process.env.PLUMBLINE_FAILED_BUILDS ?? 24)

await describeStores('builders are shared', BOTH_DATABASES, (open) => {
  let store: Store
  let runtime: Runtime
  let queue: BuildQueue
  beforeAll(async () => {
    store = await open()
    const clock = { now: () => 1_000_000 }
    runtime = { clock, ids: createIds(clock), store, settings: testSettings(), domains: [] }
    queue = createBuildQueue(runtime)
  })
  beforeEach(() =>
    store.system.write(async (tx) => {
      const { buildJobs, buildTurns, plugins } = pluginTables(tx)
      for (const table of [buildJobs, buildTurns, plugins]) await tx.delete(table)
    }),
  )
  afterAll(() => store.close())

  const several = (name: string, count: number, builds: number): Waiting[] =>
    Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}`, tier: 'developer', builds }))

  /**
   * Each builder claims a build whenever it is free; which of them finishes first changes from turn to turn.
   * @param end ends a build.
   * @param seen called at each start, with all starts of each organization so far. False: stop.
   */
  async function served(
    end: (claim: BuildClaim) => Promise<unknown>,
    seen: (starts: ReadonlyMap<string, number>, orgId: string) => boolean,
  ): Promise<void> {
    const held: BuildClaim[] = []
    const starts = new Map<string, number>()
    for (let turn = 0; ; turn++) {
      while (held.length < BUILDERS) {
        const claimed = await queue.claim(`builder ${held.length}`)
        if (claimed === null) break
        held.push(claimed)
        starts.set(claimed.orgId, (starts.get(claimed.orgId) ?? 0) + 1)
        if (!seen(starts, claimed.orgId)) return
      }
      const [done] = held.splice((turn * 7) % Math.max(1, held.length), 1)
      if (done === undefined) return
      await end(done)
    }
  }
  const complete = (claim: BuildClaim) => queue.complete(claim, IMAGE)

  it('so that organizations of one tier never differ by more than one start while all wait', async () => {
    const orgIds = await queueBuilds(runtime, several('even', 10, BUILDS / 10))
    let total = 0
    await served(complete, (starts) => {
      const counts = orgIds.map((id) => starts.get(id) ?? 0)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      total += 1
      return true
    })
    expect(total).toBe(BUILDS)
  })

  it('by 1, 2, 4 and 8 among the tiers, in each round of 15 starts', async () => {
    const tiers = ['developer', 'pro', 'team', 'enterprise'] as const
    const orgIds = await queueBuilds(
      runtime,
      tiers.map((tier, n) => ({ name: `of ${tier}`, tier, builds: 2 * 2 ** n })),
    )
    let total = 0
    await served(complete, (starts) => {
      total += 1
      if (total % 15 === 0) {
        expect(orgIds.map((id) => starts.get(id))).toEqual([1, 2, 4, 8].map((share) => (share * total) / 15))
      }
      return total < 30
    })
    expect(total).toBe(30)
  })

  it('so that the failures of one starve nobody', async () => {
    const [failing = '', ...others] = await queueBuilds(runtime, [
      { name: 'failing', tier: 'enterprise', builds: FAILURES / 8 },
      ...several('honest', 3, FAILURES / 8 + 3),
    ])
    let failures = 0
    // Eight attempts, each due at once.
    const end = async (claim: BuildClaim) => {
      if (claim.orgId !== failing) return complete(claim)
      failures += 1
      const isEnded = await queue.fail(claim, FLAKY)
      // Advancing the clock would end the leases of the others.
      await store.system.write(async (tx) => void (await tx.update(pluginTables(tx).buildJobs).set({ runAtMs: 0 })))
      return isEnded
    }
    let since = 0
    await served(end, (starts, orgId) => {
      since = orgId === failing ? since + 1 : 0
      // Its tier has eight starts for each start of every other organization.
      expect(since).toBeLessThanOrEqual(8)
      const counts = others.map((id) => starts.get(id) ?? 0)
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
      return true
    })
    expect(failures).toBe(FAILURES)
  })
})
