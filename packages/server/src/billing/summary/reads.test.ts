/** What an account reads about its money: an invoice in three forms, sums that agree with the invoices, who uses what. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol } from '../../../test/support/organizations.js'
import { signUp } from '../../../test/support/sign-in.js'
import { invoicePdf } from '../invoice/pdf.js'

interface Shown {
  readonly subtotalCents: number
  readonly creditCents: number
  readonly totalCents: number
  readonly status: string
}

await describeStores('reads of billing', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open(), {
      BILLING_TEST_CLOCKS: 'true',
      BILLING_ISSUER_NAME: 'Plumbline <Works> & Co.',
      BILLING_ISSUER_ADDRESS: '1 Λεωφόρος Αθηνών, Пловдив',
    })
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })

  const inForm = async (path: string, accept: string) => {
    const headers = { authorization: `Bearer ${ada.person.accessToken}`, accept, 'x-org-id': ada.orgId }
    const response = await world.app.http.request(`/api${path}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const invoices = async (): Promise<(Shown & { id: string })[]> =>
    (await ada.get('/billing/invoices?limit=1000')).data.invoices

  it('shows an invoice as JSON, page and PDF of one model, escaped and the same twice', async () => {
    await ada.call('PATCH', `/organization/${ada.orgId}`, { name: 'Röhren <script>alert(1)</script> & Söhne' })
    const { id: subscriptionId } = await ada.subscribe('team')
    await ada.later(5 * DAY_MS)
    await ada.call('PUT', `/billing/subscriptions/${subscriptionId}`, { planId: 'enterprise' })
    const [invoice] = await invoices()
    const path = `/billing/invoices/${invoice?.id}`
    const { data } = await ada.get(path)
    expect(data).toMatchObject({
      invoice,
      issuer: { name: 'Plumbline <Works> & Co.' },
      customer: { id: ada.orgId },
      sandbox: false,
    })
    const page = await inForm(path, 'text/html,*/*;q=0.8')
    expect(page.response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = page.bytes.toString()
    expect(html).not.toMatch(/<script|<Works>|alert\(1\)<\/script>/)
    expect(html).toContain('Plumbline &lt;Works&gt; &amp; Co.')
    expect(html).toContain('Λεωφόρος')
    const dollars = (amount: number) => `$${(amount / 100).toFixed(2)}`
    expect(html).toContain(dollars(data.invoice.totalCents))
    for (const { reason } of data.invoice.lines) expect(html).toContain(reason)
    const [pdf, again] = [await inForm(path, 'application/pdf'), await inForm(path, 'application/pdf')]
    expect(pdf.response.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.bytes.length).toBeGreaterThan(5_000)
    expect(again.bytes.equals(pdf.bytes)).toBe(true)
    const known = { authorization: `Bearer ${ada.person.accessToken}`, accept: 'application/pdf' }
    const etag = pdf.response.headers.get('etag') ?? ''
    const cached = await world.app.http.request(`/api${path}`, { headers: { ...known, 'if-none-match': etag } })
    expect(cached.status).toBe(304)
    // Nobody else sees it in any form.
    const eve = await world.sibling()
    expect((await eve.get(path)).status).toBe(404)
    // Where nothing writes PDF, the refusal says what does.
    const missing = () => Promise.reject(new Error("Cannot find package 'pdfkit'"))
    await expect(invoicePdf(data, missing)).rejects.toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  })

  it('sums invoices: the totals are those of the invoices and of the months', async () => {
    expect((await ada.get('/billing/summary')).data).toMatchObject({ invoiceCount: 0, timeline: [] })
    const { id } = await ada.subscribe('pro')
    await ada.call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'api_pack', quantity: 2 })
    await ada.later(35 * DAY_MS)
    await ada.world.run('billing.lifecycle')
    await ada.signInAgain()
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'developer' })
    await ada.later(30 * DAY_MS)
    await ada.world.run('billing.lifecycle')
    await ada.signInAgain()
    const summary = (await ada.get('/billing/summary')).data
    const all = await invoices()
    const sum = (of: (each: Shown) => number) => all.reduce((total, each) => total + of(each), 0)
    expect(all.length).toBeGreaterThanOrEqual(4)
    expect(summary.invoiceCount).toBe(all.length)
    expect(summary.totals).toMatchObject({
      grossBilledCents: sum(({ subtotalCents }) => subtotalCents),
      creditsCents: sum(({ creditCents }) => creditCents),
      netBilledCents: sum(({ totalCents }) => totalCents),
      discountsCents: 0,
    })
    expect(summary.totals.creditsCents).toBeGreaterThan(0)
    const months: { netCents: number; periodStart: string }[] = summary.timeline
    expect(months.reduce((total, { netCents }) => total + netCents, 0)).toBe(summary.totals.netBilledCents)
    expect(summary.creditBalanceCents).toBe((await ada.subscription()).creditBalanceCents)
    // A range is the sum of its months.
    const [first] = months
    const begin = first?.periodStart.slice(0, 10) ?? ''
    const month = (await ada.get(`/billing/summary?from=${begin}&to=${begin.slice(0, 8)}30`)).data
    expect([month.totals.netBilledCents, month.timeline.length]).toEqual([first?.netCents, 1])
    for (const wrong of ['from=yesterday', 'from=2027-02-30', 'from=2028-01-01&to=2027-01-01']) {
      expect((await ada.get(`/billing/summary?${wrong}`)).code, wrong).toBe('VALIDATION_ERROR')
    }
  })

  it('sums all accounts for operators, those with a test clock left out', async () => {
    const before = (await world.get('/billing/admin/summary')).data
    await ada.subscribe('team')
    const eve = await world.sibling()
    await eve.post('/billing/clocks', { name: 'sandbox' })
    await eve.subscribe('enterprise')
    const { data } = await world.get('/billing/admin/summary')
    expect(data).toMatchObject({
      scope: 'all',
      invoiceCount: before.invoiceCount + 1,
      totals: { netBilledCents: before.totals.netBilledCents + 14_900 },
      subscriptions: [{ planId: 'team', interval: 'monthly', status: 'active', count: 1, creditBalanceCents: 0 }],
    })
    const months: { netCents: number }[] = data.timeline
    expect(months.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(data.totals.netBilledCents)
    const day = new Date(world.app.clock.now()).toISOString().slice(0, 10)
    const today = (await world.get(`/billing/admin/summary?from=${day}&to=${day}`)).data
    expect([today.invoiceCount, today.totals.netBilledCents]).toEqual([1, 14_900])
    expect((await world.get('/billing/admin/summary?from=soon')).code).toBe('VALIDATION_ERROR')
    expect((await ada.get('/billing/admin/summary')).status).toBe(403)
  })

  it('shares the bill out over the teams to the cent, and says who uses what', async () => {
    await ada.subscribe('enterprise')
    const made = await ada.post('/organizations', { name: 'Payments', parentOrgId: ada.orgId })
    expect(made.status).toBe(201)
    const bob = await signUp(world.app, `member-of-${ada.person.username}`)
    await enrol(world.app, bob, ada.orgId)
    const allocation = (await ada.get('/billing/summary/allocation')).data
    const total = (allocation.shares as { cents: number }[]).reduce((sum, { cents }) => sum + cents, 0)
    expect(total + allocation.unallocatedCents).toBe(59_900)
    expect(allocation.shares.map(({ orgId }: { orgId: string }) => orgId)).toEqual([
      ada.orgId,
      made.data.organization.id,
    ])
    // Nobody has a plugin: nothing is shared out.
    expect((await ada.get('/billing/summary/allocation?driver=plugins')).data.unallocatedCents).toBe(59_900)
    expect((await ada.get('/billing/summary/allocation?driver=people')).code).toBe('VALIDATION_ERROR')
    const usage = (await ada.get('/billing/summary/usage-by-team')).data
    for (const [type, count] of Object.entries(usage.total)) {
      const parts = (usage.teams as { used: Record<string, number> }[]).map(({ used }) => used[type] ?? 0)
      expect(
        parts.reduce((sum, part) => sum + part, 0),
        type,
      ).toBe(count)
    }
    expect(usage.teams.map(({ members }: { members: number }) => members)[0]).toBe(2)
  })

  it('shows who uses what only where the feature is', async () => {
    await ada.subscribe('pro')
    expect((await ada.get('/billing/summary/usage-by-team')).status).toBe(403)
  })

  it('says how much of each limit is used, and which add-on raises it', async () => {
    await ada.subscribe('pro')
    const { data } = await ada.get('/billing/usage')
    expect(data).toMatchObject({ planId: 'pro', tier: 'pro' })
    const of = (type: string) => data.usage.find((each: { type: string }) => each.type === type)
    expect(of('pipelines')).toMatchObject({
      used: 0,
      limit: 10,
      remaining: 10,
      percent: 0,
      raisedBy: ['pipeline_pack'],
    })
    // Seat packs are not sold on pro.
    expect(of('seats')).toMatchObject({ used: 1, limit: 3, percent: 33, raisedBy: [] })
  })
})
