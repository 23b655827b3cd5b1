/** Add-ons over HTTP: what the preview shows is charged, limits follow in the next request, and each gate is closed. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf } from '../../../test/support/organizations.js'
import { fillPlaces, freePlaces } from '../../../test/support/places.js'
import { retentionOfOrg } from '../../reporting/retention.js'
import { boughtRetention } from '../../reporting/retention-sync/bought.js'
import { reportRetentionPort } from '../../runtime/records/report-retention.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('add-ons', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store)
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const path = (id: string, rest = '') => `/billing/subscriptions/${id}/addons${rest}`

  it('shows the add-ons of the tier, and a combo only where all of it is sold', async () => {
    const all = (await ada.get('/billing/bundles')).data
    expect(all.bundles).toHaveLength(14)
    expect(all.comboDiscounts.map(({ id }: { id: string }) => id)).toEqual([
      'analytics_suite',
      'team_growth',
      'compliance_suite',
    ])
    await ada.subscribe('pro')
    const pro = (await ada.get('/bundles')).data
    expect(pro.selfService).toBe(true)
    expect(pro.bundles.map(({ id }: { id: string }) => id)).not.toContain('seat_pack')
    expect(pro.comboDiscounts.map(({ id }: { id: string }) => id)).toEqual(['analytics_suite', 'compliance_suite'])
    expect(pro.comboDiscounts[1]).toMatchObject({ savings: { monthly: 3_894, annual: 38_940 } })
  })

  it('extend the retention of reports for the account and its teams, and a week after they are removed no more', async () => {
    world.app.ports.set(reportRetentionPort, boughtRetention(world.app.runtime))
    const { id } = await ada.subscribe('team')
    const team = await ada.post('/organization', { name: `Reports ${ada.orgId}`, parentOrgId: ada.orgId })
    const both = [ada.orgId, team.data.organization.id]
    const keptAfter = (days: number) =>
      store.system.read((db) => {
        const atMs = world.app.clock.now() + days * DAY_MS
        return Promise.all(both.map((orgId) => retentionOfOrg(db, world.app.runtime, orgId, atMs)))
      })
    const each = (days: object) => both.map(() => ({ eventDays: 30, factDays: 180, ...days }))
    expect(await keptAfter(0)).toEqual(each({}))
    expect((await ada.post(path(id), { bundleId: 'retention_pack', quantity: 1 })).status).toBe(200)
    expect(await keptAfter(0)).toEqual(each({ eventDays: 120 }))
    expect((await ada.call('DELETE', path(id, '/retention_pack'))).status).toBe(200)
    expect(await keptAfter(6)).toEqual(each({ eventDays: 120 }))
    expect(await keptAfter(7)).toEqual(each({}))
    world.app.ports.set(reportRetentionPort, undefined)
  })

  it('wait for the next period with the plan that waits, as preview and next invoice show, and are recorded then', async () => {
    const { id, currentPeriodEnd } = await ada.subscribe('pro')
    const at = `/billing/subscriptions/${id}`
    await ada.post(path(id), { bundleId: 'pipeline_pack', quantity: 1 })
    await ada.call('PUT', at, { planId: 'team', when: 'period_end' })
    const asked = { bundleId: 'seat_pack', quantity: 2, when: 'period_end' }
    const addons = [
      { bundleId: 'pipeline_pack', quantity: 1 },
      { bundleId: 'seat_pack', quantity: 2 },
    ]
    const preview = (await ada.post(path(id, '/preview'), asked)).data
    expect(preview).toMatchObject({ addons, invoiceNow: null })
    const set = await ada.post(path(id), asked)
    expect(set.data).toMatchObject({ addons, invoiceId: null, nextInvoice: preview.nextInvoice })
    const waiting = { planId: 'team', interval: 'monthly', effectiveAt: currentPeriodEnd, waitsFor: 'period_end' }
    expect(await ada.subscription()).toMatchObject({
      planId: 'pro',
      addons: [addons[0]],
      pendingChange: { ...waiting, addons },
    })
    // Nothing is in force yet; what goes waits too.
    expect(await ada.quotas()).toMatchObject({ tier: 'pro' })
    const gone = await ada.call('DELETE', path(id, '/pipeline_pack?when=period_end'))
    expect(gone.data.subscription).toMatchObject({
      addons: [addons[0]],
      pendingChange: { ...waiting, addons: [addons[1]] },
    })
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    expect(next).toEqual(gone.data.nextInvoice)
    expect(next.lines.map(({ label, quantity }: { label: string; quantity: number }) => [label, quantity])).toEqual([
      ['Team plan', 1],
      ['Seat pack', 2],
    ])
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    expect(await ada.subscription()).toMatchObject({ planId: 'team', addons: [addons[1]], pendingChange: null })
    expect((await ada.get('/billing/invoices')).data.invoices[0]).toMatchObject({ totalCents: next.totalCents })
    expect((await ada.events()).slice(-3).map(({ details }) => details)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ reason: 'addon_removed', bundleId: 'pipeline_pack', previousQuantity: 1 }),
        expect.objectContaining({ reason: 'addon_set', bundleId: 'seat_pack', quantity: 2 }),
      ]),
    )
    expect(await evidenceOf(world.app, ada.orgId)).toEqual(
      expect.arrayContaining(['billing.addon.add', 'billing.addon.remove', 'billing.subscription.change']),
    )
  })

  it('that wait are withdrawn by asking for what is held, or with what waits', async () => {
    const { id } = await ada.subscribe('pro')
    const later = (quantity: number) =>
      ada.post(path(id), { addons: [{ bundleId: 'pipeline_pack', quantity }], when: 'period_end' })
    expect((await later(2)).data.subscription.pendingChange.addons).toEqual([
      { bundleId: 'pipeline_pack', quantity: 2 },
    ])
    expect((await later(0)).data.subscription.pendingChange).toBeNull()
    expect((await later(0)).status).toBe(200)
    await later(3)
    expect((await ada.call('DELETE', path(id, '/pipeline_pack?when=period_end'))).data.subscription).toMatchObject({
      addons: [],
      pendingChange: null,
    })
    expect((await ada.call('DELETE', path(id, '/pipeline_pack?when=period_end'))).status).toBe(404)
    await later(1)
    expect((await ada.call('DELETE', `/billing/subscriptions/${id}/pending-change`)).status).toBe(200)
    expect(await ada.subscription()).toMatchObject({ addons: [], pendingChange: null })
  })

  it('charges what the preview shows, and its limits hold in the next request', async () => {
    const { id } = await ada.subscribe('pro')
    await ada.later(15 * DAY_MS)
    const preview = (await ada.post(path(id, '/preview'), { bundleId: 'pipeline_pack', quantity: 2 })).data
    expect(preview).toMatchObject({
      addons: [{ bundleId: 'pipeline_pack', quantity: 2 }],
      effectiveLimits: { pipelines: 30 },
      invoiceNow: {
        lines: [{ label: 'Remaining time of Pipeline pack', cents: 1_500, quantity: 2 }],
        totalCents: 1_500,
      },
      priceBreakdown: {
        interval: 'monthly',
        items: [
          { label: 'Pro plan', cents: 4_900 },
          { cents: 3_000, quantity: 2, reason: '$30.00 = 2 × $15.00 for one period' },
        ],
        totalCents: 7_900,
      },
      overages: [],
    })
    expect((await ada.quotas()).quotas.pipelines.limit).toBe(10)
    await ada.later(60_000)
    const body = { bundleId: 'pipeline_pack', quantity: 2, previewToken: preview.previewToken }
    const done = await ada.post(path(id), body)
    expect([done.body.success, done.body.code, done.body.message]).toEqual([true, undefined, undefined])
    expect(done.data).toMatchObject({ subscription: { addons: [{ bundleId: 'pipeline_pack', quantity: 2 }] } })
    const { invoice } = (await ada.get(`/billing/invoices/${done.data.invoiceId}`)).data
    expect(invoice).toMatchObject(preview.invoiceNow)
    expect((await ada.get('/billing/invoices/next')).data.invoice).toEqual(preview.nextInvoice)
    // The same amount has the same reason wherever it is shown.
    expect(preview.nextInvoice.lines[1]).toMatchObject(preview.priceBreakdown.items[1])
    expect((await ada.quotas()).quotas.pipelines).toMatchObject({ limit: 30, addons: 20 })
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.addon.add')
    // Again is nothing, and the token of before is stale for another.
    const before = (await ada.get('/billing/invoices')).data.pagination.total
    expect((await ada.post(path(id), { bundleId: 'pipeline_pack', quantity: 2 })).status).toBe(200)
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(before)
    expect((await ada.post(path(id), { ...body, quantity: 3 })).code).toBe('PREVIEW_STALE')
  })

  it('takes both halves of a combo, says what is lost with one, and grants the saving with the roll', async () => {
    const { id } = await ada.subscribe('pro')
    const both = {
      addons: ['compliance_advanced', 'compliance_standard'].map((bundleId) => ({ bundleId, quantity: 1 })),
    }
    const done = await ada.post(path(id), both)
    expect(done.data.gainedCombos).toMatchObject([{ comboId: 'compliance_suite', creditCents: 3_894 }])
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    expect(next).toMatchObject({ totalCents: 13_986, grants: [{ source: 'combo', cents: 3_894 }] })
    const gone = (await ada.post(path(id, '/preview'), { bundleId: 'compliance_standard', quantity: 0 })).data
    expect(gone).toMatchObject({
      cascaded: ['compliance_advanced'],
      lostCombos: [{ comboId: 'compliance_suite', creditCents: 3_894 }],
      addons: [],
    })
    await ada.later(30 * DAY_MS)
    await world.run('billing.lifecycle')
    const [drawn] = (await ada.get('/billing/invoices')).data.invoices
    expect(drawn).toMatchObject({ lines: next.lines, totalCents: 13_986 })
    const removed = await ada.call('DELETE', path(id, '/compliance_standard'))
    expect(removed.data).toMatchObject({ addons: [], cascaded: ['compliance_advanced'] })
    const told = (await ada.events()).filter(({ type }) => type === 'combo_expired' || type === 'subscription_updated')
    expect(told.map(({ details }) => details)).toEqual([
      { reason: 'addon_set', bundleId: 'compliance_advanced', quantity: 1, previousQuantity: 0 },
      { reason: 'addon_set', bundleId: 'compliance_standard', quantity: 1, previousQuantity: 0 },
      {
        reason: 'addon_removed',
        bundleId: 'compliance_advanced',
        quantity: 0,
        previousQuantity: 1,
        cascadedFrom: 'compliance_standard',
      },
      { reason: 'addon_removed', bundleId: 'compliance_standard', quantity: 0, previousQuantity: 1 },
      { comboId: 'compliance_suite', creditCents: 3_894 },
    ])
    expect(await evidenceOf(world.app, ada.orgId)).toEqual(
      expect.arrayContaining(['billing.addon.remove', 'billing.combo.expired']),
    )
  })

  it.each([
    [{ bundleId: 'pipline_pack' }, 'VALIDATION_ERROR', 'did you mean pipeline_pack'],
    [{ bundleId: 'seat_pack' }, 'VALIDATION_ERROR', 'is not sold on tier pro'],
    [{ bundleId: 'compliance_advanced' }, 'VALIDATION_ERROR', 'requires compliance_standard; add that first'],
    [{ bundleId: 'retention_pack', quantity: 8 }, 'VALIDATION_ERROR', 'must be at most 7'],
    [{ bundleId: 'api_pack', quantity: -1 }, 'VALIDATION_ERROR', '/body/quantity'],
    [{ bundleId: 'api_pack', quantity: 1.5 }, 'VALIDATION_ERROR', '/body/quantity'],
    [{ bundleId: 'api_pack', quantity: 1_001 }, 'VALIDATION_ERROR', '/body/quantity'],
    [{ bundleId: 'api_pack', quantity: '1' }, 'VALIDATION_ERROR', '/body/quantity'],
    [{ bundleId: 'api_pack', more: true }, 'VALIDATION_ERROR', '/body/more'],
    [{ bundleId: '__proto__' }, 'VALIDATION_ERROR', 'must name a bundle'],
    [{}, 'MISSING_REQUIRED_FIELD', 'bundleId'],
    [{ addons: [] }, 'VALIDATION_ERROR', '/body/addons'],
    [
      {
        addons: [
          { bundleId: 'sso', quantity: 1 },
          { bundleId: 'sso', quantity: 1 },
        ],
      },
      'VALIDATION_ERROR',
      '/body/addons/1/bundleId',
    ],
  ])('refuses %j with its field, and writes nothing', async (body, code, text) => {
    const { id } = await ada.subscribe('pro')
    const answer = await ada.post(path(id), body)
    expect([answer.status, answer.code]).toEqual([400, code])
    expect(JSON.stringify(answer.body)).toContain(text)
    expect((await ada.subscription()).addons).toEqual([])
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(1)
  })

  it('knows no subscription but the own live one, and no add-on that is not held', async () => {
    const { id } = await ada.subscribe('pro')
    const eve = await world.sibling()
    await eve.subscribe('pro')
    expect((await eve.post(path(id), { bundleId: 'api_pack' })).status).toBe(404)
    expect((await eve.post(path(id, '/preview'), { bundleId: 'api_pack' })).status).toBe(404)
    expect((await ada.call('DELETE', path(id, '/api_pack'))).status).toBe(404)
    expect((await ada.subscription()).addons).toEqual([])
  })

  it('refuses to take away what is in use, and lists it in the preview', async () => {
    const { id } = await ada.subscribe('pro')
    await ada.post(path(id), { bundleId: 'pipeline_pack' })
    const ids = Array.from({ length: 12 }, () => world.app.runtime.ids.next())
    await store.system.write((tx) => fillPlaces(tx, ada.orgId, ids))
    const over = [{ quotaType: 'pipelines', currentUsage: 12, targetCap: 10, overage: 2 }]
    const preview = (await ada.post(path(id, '/preview'), { bundleId: 'pipeline_pack', quantity: 0 })).data
    expect(preview.overages).toEqual(over)
    const refused = await ada.call('DELETE', path(id, '/pipeline_pack'))
    expect([refused.status, refused.code, refused.body.details.overages]).toEqual([409, 'ADDON_OVER_CAP', over])
    await store.system.write((tx) => freePlaces(tx, [ada.orgId]))
    expect((await ada.call('DELETE', path(id, '/pipeline_pack'))).status).toBe(200)
  })

  it('keeps what waits for the next period, and takes the new add-on along', async () => {
    const { id } = await ada.subscribe('pro')
    await ada.call('PUT', `/billing/subscriptions/${id}`, { interval: 'annual' })
    const done = await ada.post(path(id), { bundleId: 'api_pack', quantity: 2 })
    expect(done.data.subscription.pendingChange).toMatchObject({
      interval: 'annual',
      addons: [{ bundleId: 'api_pack', quantity: 2 }],
    })
    expect((await ada.get('/billing/invoices/next')).data.invoice.totalCents).toBe(49_000 + 40_000)
  })

  it('answers what if for add-ons in the preview of a plan, a first one too', async () => {
    const addons = [{ bundleId: 'seat_pack', quantity: 2 }]
    const first = (await ada.post('/billing/preview', { planId: 'team', addons })).data.preview
    expect(first).toMatchObject({ effectiveLimits: { seats: 20 }, invoiceNow: { totalCents: 14_900 + 5_000 } })
    const { id } = await ada.subscribe('pro')
    const preview = (await ada.post('/billing/preview', { planId: 'team', addons })).data.preview
    expect(preview.invoiceNow.totalCents).toBe(10_000 + 5_000)
    const { previewToken } = preview
    const done = await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team', addons, previewToken })
    expect([done.body.success, done.body.code, done.body.message]).toEqual([true, undefined, undefined])
    expect((await ada.get(`/billing/invoices/${done.data.invoiceId}`)).data.invoice).toMatchObject(preview.invoiceNow)
    expect((await ada.quotas()).seats.limit).toBe(20)
    const json = encodeURIComponent(JSON.stringify(addons))
    expect((await ada.get(`/billing/invoices/next?addons=${json}`)).data.invoice.totalCents).toBe(14_900 + 5_000)
  })

  it('names the field of the add-on that is refused, also when it is the only one of a list', async () => {
    const { id } = await ada.subscribe('pro')
    const addons = [{ bundleId: 'seat_pack', quantity: 1 }]
    const inList = [
      await ada.post('/billing/preview', { addons }),
      await ada.call('PUT', `/billing/subscriptions/${id}`, { addons }),
      await ada.post(`/billing/subscriptions/${id}/addons/preview`, { addons }),
      await ada.post(`/billing/subscriptions/${id}/addons`, { addons }),
    ]
    const alone = await ada.post(`/billing/subscriptions/${id}/addons`, addons[0])
    const pathOf = ({ body }: { body: object }) => /"path":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
    expect([...new Set(inList.map(pathOf))]).toEqual(['/body/addons/0/bundleId'])
    expect(pathOf(alone)).toBe('/body/bundleId')
  })

  it('LAW: a set of add-ons and back at one instant costs nothing, and every preview is what is charged', async () => {
    const { id } = await ada.subscribe('team')
    const ids = ['seat_pack', 'pipeline_pack', 'api_pack', 'team_usage_analytics'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ bundleId: fc.constantFrom(...ids), quantity: fc.integer({ min: 1, max: 3 }) }), {
          selector: ({ bundleId }) => bundleId,
          minLength: 1,
          maxLength: 3,
        }),
        fc.integer({ min: 0, max: 86_400_000 }),
        async (addons, ms) => {
          await ada.later(ms)
          const balance = async () => (await ada.subscription()).creditBalanceCents
          const shown = (await ada.post(path(id, '/preview'), { addons })).data
          const { invoiceId } = (await ada.post(path(id), { addons })).data
          const drawn = (await ada.get(`/billing/invoices/${invoiceId}`)).data.invoice
          expect(drawn).toMatchObject(shown.invoiceNow)
          const held = await balance()
          await ada.post(path(id), { addons: addons.map(({ bundleId }) => ({ bundleId, quantity: 0 })) })
          expect((await ada.subscription()).addons).toEqual([])
          expect(drawn.totalCents + drawn.creditCents).toBe((await balance()) - held)
        },
      ),
      { numRuns: 4 },
    )
  })

  it('is hidden as a whole while add-ons are off', async () => {
    const { id } = await ada.subscribe('pro')
    const off = await BillingWorld.start(store, { BILLING_BUNDLES_ENABLED: 'false' })
    off.app.clock.set(world.app.clock.now())
    expect((await off.get('/billing/bundles', ada.person)).data).toEqual({
      bundles: [],
      selfService: false,
      comboDiscounts: [],
    })
    expect((await off.call('POST', path(id), { bundleId: 'api_pack' }, ada.person)).status).toBe(404)
    expect((await off.call('POST', path(id, '/preview'), { bundleId: 'api_pack' }, ada.person)).status).toBe(404)
  })
})
