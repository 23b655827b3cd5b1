/** Counters compared with a simple model, with changing limits, teams, resets, and a clock that jumps over periods. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { organizationApp, superAdmin } from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import type { Refusal } from '../../runtime/errors.js'
import type { Store } from '../../runtime/store/db.js'
import { periodAt } from '../limit/period.js'
import { QUOTA_OPERATIONS } from '../operations.js'
import { quotaRegistration } from '../registration.js'
import { quotaTables } from '../tables.js'
import { consume } from './consume.js'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-11-21T10:00:00.000Z')

type Step =
  | { readonly do: 'use'; readonly team: boolean; readonly amount: number }
  | { readonly do: 'limit'; readonly team: boolean; readonly limit: number }
  | { readonly do: 'jump'; readonly days: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('use' as const),
      team: fc.boolean(),
      amount: fc.integer({ min: 1, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      team: fc.boolean(),
      limit: fc.integer({ min: -1, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('jump' as const), days: fc.integer({ min: 0, max: 45 }) }) },
)

await describeStores('counters', BOTH_DATABASES, (open, database) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let team: string
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, {
      operations: QUOTA_OPERATIONS,
      domains: [identityRegistration, quotaRegistration],
    })
    await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    team = app.runtime.ids.next()
    const { insertOrganization } = await import('../../identity/organization/insert.js')
    const input = { id: team, name: 'Team', parentOrgId: ada.orgId, ownerId: null }
    await store.system.write((tx) => insertOrganization(tx, app.runtime, input))
  })
  afterAll(() => store.close())

  const setLimit = (orgId: string, override: number) =>
    store.system.write(async (tx) => {
      const { quotaLimits: t } = quotaTables(tx)
      const row = { orgId, type: 'aiCalls', override, granted: 0, updatedAtMs: 0 }
      await tx
        .insert(t)
        .values(row)
        .onConflictDoUpdate({ target: [t.orgId, t.type], set: { override } })
    })

  it('allow what the model allows, hold what it holds, and never pass a limit', async () => {
    const runs = database === 'SQLite' ? 60 : 15
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await store.system.write(async (tx) => {
          const { quotaPools, quotaCounters, quotaLimits } = quotaTables(tx)
          for (const table of [quotaPools, quotaCounters, quotaLimits]) await tx.delete(table)
        })
        app.clock.set(START_MS)
        const limits = { account: -1, team: -1 }
        const model = new Map<number, { account: number; team: number }>()
        for (const each of steps) {
          if (each.do === 'jump') app.clock.advance(each.days * DAY_MS)
          if (each.do === 'limit') {
            limits[each.team ? 'team' : 'account'] = each.limit
            await setLimit(each.team ? team : ada.orgId, each.limit)
          }
          if (each.do !== 'use') continue
          const { startMs } = periodAt('monthly', app.clock.now())
          const held = model.get(startMs) ?? { account: 0, team: 0 }
          const fits = (limit: number, used: number) => limit < 0 || used + each.amount <= limit
          const isAllowed = fits(limits.account, held.account) && (!each.team || fits(limits.team, held.team))
          const orgId = each.team ? team : ada.orgId
          const code = await store.system
            .write((tx) => consume(tx, app.runtime, orgId, 'aiCalls', each.amount))
            .then(
              () => null,
              (error: unknown) => (error as Refusal).code,
            )
          expect(code).toBe(isAllowed ? null : 'QUOTA_EXCEEDED')
          if (isAllowed) {
            const share = held.team + (each.team ? each.amount : 0)
            model.set(startMs, { account: held.account + each.amount, team: share })
          }
        }
        const rows = await store.system.read(async (db) => {
          const { quotaPools, quotaCounters } = quotaTables(db)
          return { pools: await db.select().from(quotaPools), shares: await db.select().from(quotaCounters) }
        })
        const byPeriod = (list: { periodStartMs: number; used: number }[]) =>
          list.map(({ periodStartMs, used }) => [periodStartMs, used]).sort()
        expect(byPeriod(rows.pools)).toEqual([...model].map(([start, { account }]) => [start, account]).sort())
        expect(byPeriod(rows.shares)).toEqual(
          [...model].flatMap(([start, { team: share }]) => (share === 0 ? [] : [[start, share]])).sort(),
        )
      }),
      { numRuns: runs },
    )
  })
})
