/** An account that leaves: its invoices stay for ten years, without it, and nothing else of it does. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { creditTables } from '../credit-tables.js'
import { putLink, updateLink } from '../provider/link.js'
import { billingRegistration } from '../registration.js'
import { billingTables } from '../tables.js'
import { keptUntil } from './keep.js'

it('keeps for ten calendar years, to the millisecond', () => {
  expect(new Date(keptUntil(Date.UTC(2026, 10, 23, 5, 6, 7, 8))).toISOString()).toBe('2036-11-23T05:06:07.008Z')
  expect(new Date(keptUntil(Date.UTC(2028, 1, 29))).toISOString()).toBe('2038-03-01T00:00:00.000Z')
})

await describeStores('kept invoices', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open(), { BILLING_TEST_CLOCKS: 'true' })
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })

  const purge = async () => {
    let batches = 0
    const nowMs = world.app.clock.now()
    while (
      (await world.store.system.write((tx) =>
        billingRegistration.purge(tx, ada.orgId, 1, nowMs, async () => undefined),
      )) > 0
    )
      batches++
    return batches
  }
  const kept = async () => (await world.get(`/billing/admin/kept-invoices?accountId=${ada.orgId}`)).data.invoices
  const rowsLeft = () =>
    world.store.system.read(async (db) => {
      const tables = [...Object.values(billingTables(db)), creditTables(db).billingRedemptions]
      let left = 0
      for (const table of tables) left += await db.$count(table, eq(table.orgId, ada.orgId))
      return left
    })

  it('outlive the purge of their organization as they were, and go when ten years are over', async () => {
    const { id } = await ada.subscribe('pro')
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    const { invoices } = (await ada.get('/billing/invoices')).data
    expect(invoices).toHaveLength(2)
    expect(await kept()).toEqual([])
    expect(await purge()).toBeGreaterThan(4)
    expect(await rowsLeft()).toBe(0)
    const rows = await kept()
    expect(rows.map(({ invoice }: { invoice: unknown }) => invoice)).toEqual(invoices)
    const [{ accountId, customerName, closedAt, keptUntil: until }] = rows
    expect(accountId).toBe(ada.orgId)
    expect(customerName).toMatch(/^payer\d+ org$/)
    expect(Date.parse(until)).toBe(keptUntil(Date.parse(closedAt)))
    // No person is in what is kept: whose it was is the name of the organization.
    const text = JSON.stringify(rows)
    for (const personal of [ada.person.userId, '@']) expect(text).not.toContain(personal)
    world.app.clock.set(Date.parse(until) - 1)
    await ada.world.run('billing.kept-invoices')
    await ada.signInAgain()
    expect(await kept()).toHaveLength(2)
    world.app.clock.set(Date.parse(until))
    await ada.world.run('billing.kept-invoices')
    await ada.signInAgain()
    expect(await kept()).toEqual([])
  })

  it('are none of what a test clock drew', async () => {
    await ada.post('/billing/clocks', { name: 'try' })
    await ada.subscribe('pro')
    await purge()
    expect([await rowsLeft(), await kept()]).toEqual([0, []])
  })

  it('stay when a service takes the account out of billing, which falls to the baseline', async () => {
    await ada.subscribe('team')
    const path = `/billing/subscriptions/by-org/${ada.orgId}`
    expect((await ada.call('DELETE', path)).status).toBe(403)
    expect((await world.call('DELETE', path)).code).toBe('STEP_UP_REQUIRED')
    const done = await world.confirmed('DELETE', path)
    expect([done.status, done.data]).toEqual([200, { deleted: 1, events: 2 }])
    expect(await rowsLeft()).toBe(0)
    expect(await kept()).toMatchObject([{ accountId: ada.orgId, invoice: { totalCents: 14_900 } }])
    expect(await ada.quotas()).toMatchObject({ tier: 'developer', seats: { limit: 1 } })
    expect((await world.confirmed('DELETE', path)).data).toEqual({ deleted: 0, events: 0 })
    const unknown = await world.confirmed('DELETE', `/billing/subscriptions/by-org/${world.app.runtime.ids.next()}`)
    expect(unknown.status).toBe(404)
    // It may buy again, as its first subscription.
    await ada.subscribe('pro')
    expect((await ada.quotas()).tier).toBe('pro')
  })

  it('do not let an account go for which a provider charges', async () => {
    const { id } = await ada.subscribe('pro')
    const charge = (isEnded: boolean) =>
      world.store.system.write(async (tx) => {
        const nowMs = world.app.clock.now()
        const link = await putLink(tx, nowMs, { id, orgId: ada.orgId, provider: 'card_provider' })
        await updateLink({ tx, nowMs }, link, { isEnded })
      })
    await charge(false)
    const path = `/billing/subscriptions/by-org/${ada.orgId}`
    const held = await world.confirmed('DELETE', path)
    expect([held.status, held.code]).toEqual([409, 'CONFLICT'])
    expect((await ada.subscription()).id).toBe(id)
    await charge(true)
    expect((await world.confirmed('DELETE', path)).data).toMatchObject({ deleted: 1 })
  })

  it('are read by operators alone', async () => {
    expect((await ada.get('/billing/admin/kept-invoices')).status).toBe(403)
  })
})
