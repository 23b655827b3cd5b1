/** Alerts tell in the second in which money moves, once a period, and nobody else. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { queuedMails, verifyAddress } from '../../../test/support/sign-in.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { type Announcement, NOTIFY_JOB } from '../../runtime/records/notification.js'
import type { Store } from '../../runtime/store/db.js'
import { BILLING_NOTIFICATIONS } from '../notice/send.js'
import { BILLING_JOBS } from '../operations.js'

await describeStores('billing alerts', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store, { BILLING_TEST_CLOCKS: 'true' })
  })
  beforeEach(async () => {
    ada = await world.account()
    await verifyAddress(world.app, ada.person.userId)
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const alert = async (kind: string, thresholdCents: number) => {
    const answer = await ada.post('/billing/alerts', { kind, thresholdCents })
    expect(answer.status).toBe(201)
    return answer.data.alert as { id: string; lastToldAt: string | null }
  }
  const mails = async () =>
    (await queuedMails(world.app))
      .filter(({ template, to }) => template === 'billing.notice' && to === ada.person.email)
      .map(({ values }) => values['subject'])
  const inbox = () =>
    store.system.read(async (db) => {
      const { jobs } = jobTables(db)
      const rows = await db.select().from(jobs)
      return rows
        .filter(({ kind, orgId }) => kind === NOTIFY_JOB && orgId === ada.orgId)
        .map(({ payload }) => BILLING_NOTIFICATIONS['billing.notice']?.text((payload as Announcement).fields).subject)
    })

  it('tells by inbox and mail in the second the add-on is added, once a period', async () => {
    const { id } = await ada.subscribe('team')
    const { id: alertId, lastToldAt } = await alert('next_invoice_over', 50_000)
    expect(lastToldAt).toBeNull()
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'seat_pack', quantity: 14 })
    expect(await mails()).toEqual([])
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'seat_pack', quantity: 15 })
    const said = ['The next invoice is $524.00, above $500.00']
    expect([await mails(), await inbox()]).toEqual([said, said])
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'seat_pack', quantity: 20 })
    await world.run('billing.alerts')
    expect(await mails()).toEqual(said)
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    await world.run('billing.alerts')
    expect(await mails()).toEqual([...said, 'The next invoice is $649.00, above $500.00'])
    const { alerts } = (await ada.get('/billing/alerts')).data
    expect(alerts).toMatchObject([{ id: alertId, kind: 'next_invoice_over', thresholdCents: 50_000 }])
    expect(alerts[0].lastToldAt).not.toBeNull()
  })

  it('tells at once what has passed its threshold, and again after another one', async () => {
    await ada.subscribe('team')
    const { id, lastToldAt } = await alert('period_spend_over', 10_000)
    expect(lastToldAt).not.toBeNull()
    await alert('credit_below', 1)
    await ada.call('PUT', `/billing/alerts/${id}`, { thresholdCents: 10_000 })
    await ada.call('PUT', `/billing/alerts/${id}`, { thresholdCents: 14_899 })
    await ada.call('PUT', `/billing/alerts/${id}`, { thresholdCents: 14_900 })
    expect(await mails()).toEqual([
      'The invoices of this period are $149.00, above $100.00',
      'The credit is $0.00, below $0.01',
      'The invoices of this period are $149.00, above $148.99',
    ])
    expect((await ada.call('DELETE', `/billing/alerts/${id}`)).data).toEqual({ deleted: id })
    expect((await ada.get('/billing/alerts')).data.pagination.total).toBe(1)
  })

  it('looks at once where a subscription goes on again, and where an operator sets another plan', async () => {
    const { id } = await ada.subscribe('team')
    await ada.cancel()
    await alert('next_invoice_over', 10_000)
    expect(await mails()).toEqual([])
    await ada.post(`/billing/subscriptions/${id}/reactivate`)
    expect(await mails()).toEqual(['The next invoice is $149.00, above $100.00'])
    const made = await world.call('POST', '/billing/admin/discounts', { code: '20:percent:recurring', alias: `a${id}` })
    const { discount } = made.data
    await ada.post(`/billing/subscriptions/${id}/discounts`, { code: `a${id}` })
    await alert('next_invoice_over', 11_000)
    await ada.call('DELETE', `/billing/subscriptions/${id}/discounts/${discount.id}`)
    await runJobs(world.app, [...BILLING_JOBS])
    expect((await mails()).slice(1)).toEqual(['The next invoice is $119.20, above $110.00'])
    await alert('next_invoice_over', 20_000)
    await world.confirmed('PUT', `/billing/admin/subscriptions/${id}`, { planId: 'enterprise' })
    expect((await mails()).slice(2)).toEqual(['The next invoice is $569.20, above $200.00'])
  })

  it('tells in each period that a leap of the clock lives through', async () => {
    const clock = (await ada.post('/billing/clocks', { name: 'leap' })).data.clock
    await ada.subscribe('team')
    await alert('next_invoice_over', 100)
    const to = new Date(Date.parse(clock.now) + 70 * DAY_MS).toISOString()
    await ada.post(`/billing/clocks/${clock.id}/advance`, { to })
    expect(await mails()).toHaveLength(3)
  })

  it('is nobody else’s, and refuses what cannot be', async () => {
    const { id } = await alert('credit_below', 1)
    const eve = await world.sibling()
    const tried = [
      await eve.call('PUT', `/billing/alerts/${id}`, { thresholdCents: 5 }),
      await eve.call('DELETE', `/billing/alerts/${id}`),
    ]
    expect(tried.map(({ status }) => status)).toEqual([404, 404])
    expect((await eve.get('/billing/alerts')).data.alerts).toEqual([])
    for (const body of [
      { kind: 'other', thresholdCents: 1 },
      { kind: 'credit_below', thresholdCents: -1 },
      { kind: 'credit_below', thresholdCents: 1.5 },
      { kind: 'credit_below' },
    ]) {
      expect((await ada.post('/billing/alerts', body)).status).toBe(400)
    }
    expect((await ada.get('/billing/alerts')).data.pagination.total).toBe(1)
  })
})
