/** The periodic comparison of what accounts are entitled to with what is in force. */
import { asc, eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf } from '../../../test/support/organizations.js'
import { identityTables } from '../../identity/tables.js'
import { quotaTables } from '../../quota/tables.js'
import { reportRetentionPort } from '../../runtime/records/report-retention.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'

const KIND = 'billing.entitlement-drift'

await describeStores('the comparison of entitlements', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open())
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })

  const setTier = (tier: string, orgIds: string[] = [ada.orgId]) =>
    world.store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ tier }).where(inArray(organizations.id, orgIds))
    })
  const entitlement = async (orgId = ada.orgId) =>
    (await world.get(`/billing/admin/entitlements/${orgId}`)).data.entitlement
  const spoil = (columns: object, orgId = ada.orgId) =>
    world.store.system.write(async (tx) => {
      const { billingSubscriptions: t } = billingTables(tx)
      await tx.update(t).set(columns).where(eq(t.orgId, orgId))
    })

  it('repairs what differs, and keeps what it found', async () => {
    const { id } = await ada.subscribe('team')
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2 })
    await world.run(KIND)
    expect(await entitlement()).toMatchObject({ differs: [], lastDrift: null })
    await setTier('developer')
    await world.store.system.write(async (tx) => {
      const { quotaLimits } = quotaTables(tx)
      await tx.delete(quotaLimits).where(eq(quotaLimits.orgId, ada.orgId))
    })
    await world.run(KIND)
    expect(await ada.quotas()).toMatchObject({ tier: 'team', quotas: { pipelines: { limit: 220 } } })
    const foundAt = new Date(world.app.clock.now()).toISOString()
    const found = { differs: [], lastDrift: { foundAt, differs: ['tier', 'grants'], repaired: true } }
    expect(await entitlement()).toMatchObject(found)
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.tier.override')
    world.app.clock.advance(1000)
    await world.run(KIND)
    expect(await entitlement()).toMatchObject(found)
  })

  it('keeps what an operator repairs', async () => {
    await ada.subscribe('team')
    await setTier('developer')
    const done = await world.call('POST', `/billing/admin/entitlements/${ada.orgId}/resync`)
    expect(done.data.entitlement).toMatchObject({ differs: [], lastDrift: { differs: ['tier'], repaired: true } })
  })

  it('goes on behind an account that it cannot read, and behind one that it cannot repair', async () => {
    const [bad, eve] = [ada, await world.sibling()]
    for (const each of [bad, eve]) await each.subscribe('team')
    await spoil({ periodAnchorMs: 9e15 }, bad.orgId)
    await setTier('developer', [bad.orgId, eve.orgId])
    await world.run(KIND)
    expect([(await bad.quotas()).tier, (await eve.quotas()).tier]).toEqual(['developer', 'team'])
    await spoil({ periodAnchorMs: world.app.clock.now() }, bad.orgId)
    await setTier('developer', [bad.orgId, eve.orgId])
    const days = { eventDays: 30, factDays: 180 }
    world.app.ports.set(reportRetentionPort, {
      compare: async () => ({ expected: days, inForce: days }),
      follow: async (_tx, orgId) => {
        if (orgId === bad.orgId) throw new Error('it cannot be stored')
      },
    })
    try {
      await world.run(KIND)
    } finally {
      world.app.ports.set(reportRetentionPort, undefined)
    }
    expect([(await bad.quotas()).tier, (await eve.quotas()).tier]).toEqual(['developer', 'team'])
    expect((await entitlement(bad.orgId)).lastDrift).toMatchObject({ differs: ['tier'], repaired: false })
    await world.run(KIND)
    expect((await entitlement(bad.orgId)).lastDrift).toMatchObject({ differs: ['tier'], repaired: true })
  })

  it('goes on where the last run stopped', async () => {
    const eve = await world.sibling()
    for (const each of [ada, eve]) await each.subscribe('team')
    const [first, second] = [ada, eve].sort((a, b) => (a.orgId < b.orgId ? -1 : 1)) as [BillingAccount, BillingAccount]
    await setTier('developer', [first.orgId, second.orgId])
    await world.store.system.write(async (tx) => {
      const { billingProviderCursors: t } = providerTables(tx)
      await tx.update(t).set({ comparedId: first.orgId }).where(eq(t.provider, 'entitlements'))
      expect((await tx.select().from(t).orderBy(asc(t.provider))).length).toBe(1)
    })
    await world.run(KIND)
    expect([(await first.quotas()).tier, (await second.quotas()).tier]).toEqual(['developer', 'team'])
    await world.run(KIND)
    expect((await first.quotas()).tier).toBe('team')
  })

  it('ends no grace period: that is done once the provider was asked', async () => {
    await ada.subscribe('team')
    const endedAtMs = world.app.clock.now() - DAY_MS
    await spoil({ status: 'past_due', firstFailedAtMs: endedAtMs - DAY_MS, graceEndsAtMs: endedAtMs })
    await world.run(KIND)
    expect([(await ada.quotas()).tier, (await entitlement()).lastDrift]).toEqual(['team', null])
  })
})
