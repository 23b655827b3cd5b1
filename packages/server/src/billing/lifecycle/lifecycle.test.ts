/** What time does to a subscription: trials, payments that fail, notices, the end. Told by events, mails and what the account may do. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { queuedMails, verifyAddress } from '../../../test/support/sign-in.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { type Announcement, NOTIFY_JOB } from '../../runtime/records/notification.js'
import type { Store } from '../../runtime/store/db.js'
import { BILLING_NOTIFICATIONS } from '../notice/send.js'

await describeStores('the lifecycle of a subscription', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store, {
      BILLING_TEST_CLOCKS: 'true',
      BILLING_PLAN_PRO_TRIAL_DAYS: '14',
    })
  })
  beforeEach(async () => {
    ada = await world.account()
    await verifyAddress(world.app, ada.person.userId)
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const clockOf = async (account: BillingAccount) => {
    const answer = await account.post('/billing/clocks', { name: 'two years' })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.clock as { id: string; now: string }
  }
  const after = (clock: { now: string }, days: number) => new Date(Date.parse(clock.now) + days * DAY_MS).toISOString()
  const advance = (clock: { id: string; now: string }, days: number, account = ada) =>
    account.post(`/billing/clocks/${clock.id}/advance`, { to: after(clock, days) })
  const fail = (clock: { id: string }, body: object) => ada.post(`/billing/clocks/${clock.id}/fail-payments`, body)
  /** Kept to what tells the story. */
  const story = async (clock: { now: string }, account = ada) =>
    (await account.events()).map(({ type, details, createdAt }) => {
      const day = (Date.parse(createdAt) - Date.parse(clock.now)) / DAY_MS
      return [day, type, details['reason'] ?? details['attempt'] ?? details['status'] ?? ''].join(' ').trim()
    })
  const mails = async (account = ada) =>
    (await queuedMails(world.app))
      .filter(
        ({ template, values }) =>
          template === 'billing.notice' && values['organization'] === `${account.person.username} org`,
      )
      .map(({ values }) => values['subject'])
  const inbox = (account = ada) =>
    store.system.read(async (db) => {
      const { jobs } = jobTables(db)
      const rows = await db.select().from(jobs)
      return rows
        .filter(({ kind, orgId }) => kind === NOTIFY_JOB && orgId === account.orgId)
        .map(({ payload }) => BILLING_NOTIFICATIONS['billing.notice']?.text((payload as Announcement).fields).subject)
    })

  it('lives two years in one command: trial, renewals, declines, mails, grace, the end', async () => {
    const clock = await clockOf(ada)
    expect(await ada.subscribe('pro')).toMatchObject({ status: 'trialing', currentPeriodEnd: after(clock, 14) })
    expect((await ada.quotas()).tier).toBe('pro')
    expect((await fail(clock, { failing: true, from: after(clock, 640) })).data.clock).toMatchObject({
      failsFrom: after(clock, 640),
      failsUntil: null,
    })
    expect((await advance(clock, 730)).status).toBe(200)
    const told = await story(clock)
    const paid = told.filter((each) => each.endsWith('payment_succeeded'))
    expect(told.slice(0, 3)).toEqual(
      ['0 subscription_created trialing', '14 subscription_updated trial_ended', '14 payment_succeeded'].toSorted(
        (a, b) => told.indexOf(a) - told.indexOf(b),
      ),
    )
    expect(paid.length).toBe(21)
    const failed = told.findIndex((each) => each.includes('payment_failed'))
    const day = Number(told[failed]?.split(' ')[0])
    expect(told.slice(failed - 1)).toEqual([
      `${day} subscription_updated past_due`,
      `${day} payment_failed 1`,
      `${day + 3} payment_failed 2`,
      `${day + 6} payment_failed 3`,
      `${day + 7} subscription_updated grace_period_expired`,
      expect.stringMatching(/ subscription_canceled unpaid$/),
    ])
    const subjects = [
      'The trial of Pro ends on',
      'A payment for Pro failed',
      'A payment for Pro failed',
      'A payment for Pro failed',
      'Pro is suspended until it is paid',
      'The subscription to Pro has ended',
    ]
    expect(await mails()).toEqual(subjects.map((each) => expect.stringContaining(each)))
    expect(await inbox()).toEqual(subjects.map((each) => expect.stringContaining(`Sandbox: ${each}`)))
    expect(await ada.subscription()).toBeNull()
    expect((await ada.quotas()).tier).toBe('developer')
    const { invoices } = (await ada.get('/billing/invoices?limit=100')).data
    expect(invoices[0]).toMatchObject({ status: 'uncollectible', totalCents: 4900, amountPaidCents: 0 })
  })

  it('restores everything in the second of the payment, and keeps what the account holds meanwhile', async () => {
    const clock = await clockOf(ada)
    const { id } = await ada.subscribe('team')
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2 })
    const before = await ada.quotas()
    await fail(clock, { failing: true, from: after(clock, 20), until: after(clock, 45) })
    await advance(clock, 35)
    expect(await ada.subscription()).toMatchObject({
      status: 'past_due',
      planId: 'team',
      graceEndsAt: after(clock, 37),
    })
    expect(await ada.quotas()).toEqual(before)
    await advance(clock, 40)
    expect((await ada.quotas()).tier).toBe('developer')
    expect(await ada.subscription()).toMatchObject({
      status: 'past_due',
      planId: 'team',
      addons: [{ bundleId: 'pipeline_pack', quantity: 2 }],
    })
    await advance(clock, 45)
    expect(await ada.subscription()).toMatchObject({ status: 'active', graceEndsAt: null })
    expect(await ada.quotas()).toEqual({ ...before, revision: before.revision + 2 })
    const { invoices } = (await ada.get('/billing/invoices?limit=100')).data
    expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid', 'paid'])
  })

  it.each([
    ['a second before the grace period ends', 37, -1000],
    ['in the second in which the grace period ends', 37, 0],
    ['a second before the unpaid period ends', 61, -1000],
  ])('is active again with its plan and pays once, when it pays %s', async (_when, day, ms) => {
    const clock = await clockOf(ada)
    await ada.subscribe('team')
    const before = await ada.quotas()
    const until = new Date(Date.parse(after(clock, day)) + ms).toISOString()
    await fail(clock, { failing: true, from: after(clock, 20), until })
    expect((await ada.post(`/billing/clocks/${clock.id}/advance`, { to: until })).status).toBe(200)
    expect(await ada.subscription()).toMatchObject({ status: 'active', planId: 'team', graceEndsAt: null })
    expect(await ada.quotas()).toMatchObject({ tier: 'team', quotas: before.quotas })
    await advance(clock, 60.9)
    const { invoices } = (await ada.get('/billing/invoices?limit=100')).data
    expect(
      invoices.map(({ status, totalCents }: { status: string; totalCents: number }) => [status, totalCents]),
    ).toEqual([
      ['paid', 14_900],
      ['paid', 14_900],
    ])
    expect((await story(clock)).filter((each) => each.endsWith('payment_succeeded')).length).toBe(2)
    expect((await mails()).at(-1)).not.toContain('has ended')
  })

  it('goes on when it pays in the second in which the unpaid period ends, and each period is charged once', async () => {
    const clock = await clockOf(ada)
    await ada.subscribe('team')
    await fail(clock, { failing: true, from: after(clock, 20), until: after(clock, 61) })
    expect((await advance(clock, 90)).status).toBe(200)
    const { invoices } = (await ada.get('/billing/invoices?limit=100')).data
    expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['paid', 'paid', 'paid'])
    expect(new Set(invoices.map(({ periodStart }: { periodStart: string }) => periodStart)).size).toBe(3)
    expect(await ada.subscription()).toMatchObject({ status: 'active', planId: 'team' })
  })

  it('pays what is due as soon as payments go through again', async () => {
    const clock = await clockOf(ada)
    await ada.subscribe('team')
    await fail(clock, {})
    await advance(clock, 33)
    expect(await ada.subscription()).toMatchObject({ status: 'past_due' })
    expect((await fail(clock, { failing: false })).data.clock.failsFrom).toBeNull()
    expect(await ada.subscription()).toMatchObject({ status: 'active', graceEndsAt: null })
    expect((await mails()).length).toBe(2)
  })

  it('refuses a change whose payment fails, and writes nothing', async () => {
    const clock = await clockOf(ada)
    const { id } = await ada.subscribe('team')
    await fail(clock, { failing: true })
    const before = await ada.events()
    const answers = [
      await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack' }),
      await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'enterprise' }),
    ]
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [402, 'PAYMENT_FAILED'],
      [402, 'PAYMENT_FAILED'],
    ])
    expect(await ada.events()).toEqual(before)
    expect(await ada.subscription()).toMatchObject({ planId: 'team', addons: [] })
    const eve = await world.sibling()
    const other = await clockOf(eve)
    await eve.post(`/billing/clocks/${other.id}/fail-payments`, { failing: true })
    expect((await eve.post('/billing/subscriptions', { planId: 'team' })).code).toBe('PAYMENT_FAILED')
    expect(await eve.subscription()).toBeNull()
  })

  it.each([
    [{ failing: true, from: '2020-01-01T00:00:00.000Z' }, '/body/from'],
    [{ failing: true, until: '2020-01-01T00:00:00.000Z' }, '/body/until'],
    [{ failing: false, until: '2090-01-01T00:00:00.000Z' }, '/body/until'],
    [{ failing: 'yes' }, '/body/failing'],
  ])('refuses a window of failures that cannot be: %j', async (body, path) => {
    const clock = await clockOf(ada)
    const answer = await fail(clock, body)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(path)])
    expect((await ada.get('/billing/clocks')).data.clocks[0].failsFrom).toBeNull()
  })

  it('gives an account one trial, for its first subscription; changes in it cost nothing and keep its end', async () => {
    const { preview } = (await ada.post('/billing/preview', { planId: 'pro' })).data
    expect(preview).toMatchObject({ invoiceNow: null, nextInvoice: { totalCents: 4900, dueAt: preview.trialEndsAt } })
    const { id, currentPeriodEnd } = await ada.subscribe('pro')
    expect(currentPeriodEnd).toBe(preview.trialEndsAt)
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack' })
    const changed = await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    expect(changed.data.subscription).toMatchObject({ planId: 'team', status: 'trialing', currentPeriodEnd })
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(0)
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    await ada.later(15 * DAY_MS)
    await world.run('billing.lifecycle')
    const { invoices } = (await ada.get('/billing/invoices')).data
    expect(invoices).toMatchObject([{ lines: next.lines, totalCents: 14_900 + 1_500, status: 'paid' }])
    expect(await mails()).toEqual([expect.stringContaining('The trial of Team ends on')])
    await ada.cancel()
    await ada.later(40 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await ada.subscription()).toBeNull()
    expect((await ada.post('/billing/preview', { planId: 'pro' })).data.preview.trialEndsAt).toBeNull()
    expect(await ada.subscribe('pro')).toMatchObject({ status: 'active' })
  })

  it('gives a standing discount once where the period behind the trial has its key', async () => {
    const made = await world.call('POST', '/billing/admin/discounts', { code: '20:percent:recurring' })
    const { id } = await ada.subscribe('pro')
    const path = `/billing/admin/discounts/${made.data.discount.id}/apply`
    expect((await world.call('POST', path, { targetOrgId: ada.orgId })).status).toBe(200)
    expect(await ada.subscription()).toMatchObject({ id, creditBalanceCents: 980 })
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    await ada.later(15 * DAY_MS)
    await world.run('billing.lifecycle')
    const { invoices } = (await ada.get('/billing/invoices')).data
    expect(invoices).toMatchObject([{ lines: next.lines, totalCents: 4900 - 980, creditCents: 980 }])
  })

  it('says before the end of a trial what its first invoice is, with what waits for that end', async () => {
    const { id } = await ada.subscribe('pro')
    await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2 })
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team', interval: 'annual' })
    await ada.later(12 * DAY_MS)
    await world.run('billing.lifecycle')
    const [mail] = (await queuedMails(world.app)).filter(
      ({ values }) => values['organization'] === `${ada.person.username} org`,
    )
    expect(mail?.values['content']).toMatch(
      /annual subscription to Team begins then\. Its first invoice will be \$1,790\.00/,
    )
    expect(mail?.values['content']).not.toMatch(/payment method/)
  })

  it('ends a trial that was canceled, without a charge and without a notice', async () => {
    await ada.subscribe('pro')
    await ada.cancel()
    await ada.later(15 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await ada.subscription()).toBeNull()
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(0)
    expect(await mails()).toEqual([])
  })
})

await describeStores('renewals with reminders and a long time of grace', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open(), {
      ...{ BILLING_TEST_CLOCKS: 'true', RENEWAL_REMINDER_DAYS: '7', PAYMENT_GRACE_PERIOD_DAYS: '60' },
    })
  })
  beforeEach(async () => {
    ada = await world.account()
    await verifyAddress(world.app, ada.person.userId)
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })
  const mails = async () =>
    (await queuedMails(world.app))
      .filter(({ template, to }) => template === 'billing.notice' && to === ada.person.email)
      .map(({ values }) => values['subject'])

  it('come once a period by the job, with what the next invoice costs', async () => {
    const { id, currentPeriodEnd } = await ada.subscribe('pro')
    await ada.later(22 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await mails()).toEqual([])
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team', when: 'period_end' })
    await ada.later(2 * DAY_MS)
    await world.run('billing.lifecycle')
    await world.run('billing.lifecycle')
    const first = `Team renews on ${currentPeriodEnd.slice(0, 10)}`
    expect(await mails()).toEqual([first])
    const told = (await queuedMails(world.app)).find(({ values }) => values['subject'] === first)
    expect(told?.values['content']).toContain('The invoice will be $149.00')
    await ada.later(7 * DAY_MS)
    await world.run('billing.lifecycle')
    await ada.later(25 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await mails()).toHaveLength(2)
  })

  it('come to nobody who cancels, pays nothing, or slept through the period', async () => {
    await ada.subscribe('pro')
    await ada.cancel()
    await ada.later(25 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await mails()).toEqual([])
    ada = await world.account()
    await verifyAddress(world.app, ada.person.userId)
    await ada.subscribe('developer')
    await ada.later(25 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await mails()).toEqual([])
    ada = await world.account()
    await verifyAddress(world.app, ada.person.userId)
    await ada.subscribe('pro')
    await ada.later(70 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(3)
    expect(await mails()).toEqual([])
  })

  it('come by the clock in each period that it lives through', async () => {
    const { clock } = (await ada.post('/billing/clocks', { name: 'year' })).data
    await ada.subscribe('pro')
    const to = new Date(Date.parse(clock.now) + 200 * DAY_MS).toISOString()
    await ada.post(`/billing/clocks/${clock.id}/advance`, { to })
    const reminded = (await mails()).map(String)
    expect(reminded).toHaveLength(6)
    expect(new Set(reminded).size).toBe(6)
  })

  it.each(['the end of its period', 'an operator', 'an operator who lets it go on'])(
    'leave nothing open of a subscription that owes, at %s',
    async (how) => {
      const { clock } = (await ada.post('/billing/clocks', { name: 'owes' })).data
      const at = (days: number) => new Date(Date.parse(clock.now) + days * DAY_MS).toISOString()
      const { id } = await ada.subscribe('team')
      await ada.post(`/billing/clocks/${clock.id}/fail-payments`, { from: at(20) })
      await ada.post(`/billing/clocks/${clock.id}/advance`, { to: at(35) })
      expect(await ada.subscription()).toMatchObject({ status: 'past_due' })
      if (how === 'the end of its period') {
        await ada.cancel()
        await ada.post(`/billing/clocks/${clock.id}/advance`, { to: at(70) })
      } else {
        const status = how === 'an operator' ? 'canceled' : 'active'
        await world.confirmed('PUT', `/billing/admin/subscriptions/${id}`, { status })
      }
      const invoices = (await ada.get('/billing/invoices')).data.invoices as { status: string }[]
      expect(invoices.map(({ status }) => status)).toEqual(['uncollectible', 'paid'])
    },
  )
})
