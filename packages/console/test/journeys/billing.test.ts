/** Billing: the person sees what a change costs before it is made, and the API shows the same change afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, withPermissions } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'

const SETTINGS = {
  BILLING_ENABLED: 'true',
  BILLING_BUNDLES_ENABLED: 'true',
  DEFAULT_QUOTA_TIER: 'enterprise',
  LIMITER_MAX: '0',
}

interface Held {
  readonly subscription: {
    readonly planId: string
    readonly addons: readonly { bundleId: string; quantity: number }[]
    readonly pendingChange: { planId: string; addons: readonly object[] } | null
    readonly cancelAtPeriodEnd: boolean
  }
}

describeConsole('billing', () => {
  let demo: DemoConsole
  let owner: Api
  const held = () => owner<Held>('GET', '/billing/subscription').then(({ subscription }) => subscription)
  beforeAll(async () => {
    demo = await demoConsole({ settings: SETTINGS })
    owner = await demo.as('demo-owner')
  })
  afterAll(() => demo?.stop())

  it('a plan is chosen by its preview, add-ons are counted before they are set, a later change waits and is dropped', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/billing')
    await page.getByText('No plan is subscribed').waitFor()
    await page.getByRole('button', { name: 'Choose Enterprise' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: 'Enterprise plan' }).first().waitFor()
    await dialog.getByText('$599.00').first().waitFor()
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('current plan').waitFor()
    expect(await held()).toMatchObject({ planId: 'enterprise', addons: [] })

    await page.getByRole('tab', { name: 'Add-ons' }).click()
    await page.getByRole('button', { name: 'Add Seat pack' }).click()
    await page.getByLabel('Number').fill('2')
    await dialog.getByText('$50.00').first().waitFor()
    expect(await held()).toMatchObject({ addons: [] })
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('2 in use').waitFor()
    expect(await held()).toMatchObject({ addons: [{ bundleId: 'seat_pack', quantity: 2 }] })

    const change = async (count: string) => {
      await page.getByRole('button', { name: 'Change number of Seat pack' }).click()
      await page.getByRole('spinbutton', { name: 'Number' }).fill(count)
    }
    await change('3')
    await dialog.getByText('At the end of the period').click()
    await dialog.getByText('In force from').waitFor()
    await dialog.getByText('Nothing is charged now.').waitFor()
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('The change is planned.').waitFor()
    expect(await held()).toMatchObject({
      addons: [{ bundleId: 'seat_pack', quantity: 2 }],
      pendingChange: { addons: [{ bundleId: 'seat_pack', quantity: 3 }] },
    })
    // The same count as now withdraws what waits.
    await change('2')
    await dialog.getByText('At the end of the period').click()
    await page.getByRole('button', { name: 'Change it' }).click()
    await expect.poll(async () => (await held()).pendingChange).toBeNull()
    await change('0')
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('2 in use').waitFor({ state: 'detached' })
    expect(await held()).toMatchObject({ addons: [] })

    await page.getByRole('tab', { name: 'Plan', exact: true }).click()
    await page.getByRole('button', { name: 'Change to Team' }).click()
    await dialog.getByText('Unused time of Enterprise plan').waitFor()
    await dialog.getByText('At the end of the period').click()
    await dialog.getByText('Nothing is charged now.').waitFor()
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('A change waits').waitFor()
    expect(await held()).toMatchObject({ planId: 'enterprise', pendingChange: { planId: 'team' } })
    await page.getByRole('button', { name: 'Drop the change' }).click()
    await page.getByText('A change waits').waitFor({ state: 'detached' })
    expect(await held()).toMatchObject({ pendingChange: null })
    expect(complaints).toEqual([])
    await close()
  })

  it('the next invoice is asked what-if without a change, an invoice opens line by line, an alert is told in cents', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/billing?tab=invoices')
    await page.getByRole('cell', { name: 'Seat pack' }).first().waitFor()
    await page.getByLabel('What if: Plan').selectOption('team')
    await page.getByRole('cell', { name: 'Team plan' }).first().waitFor()
    await page.getByText('Only counted, nothing is changed.').waitFor()
    expect(await held()).toMatchObject({ planId: 'enterprise', pendingChange: null })
    const rows = page.getByRole('table', { name: 'Invoices' })
    await rows.getByRole('link').last().click()
    await page.getByRole('dialog').getByRole('cell', { name: 'Enterprise plan' }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'PDF' }).click()
    expect((await file).suggestedFilename()).toMatch(/^invoice-\d{4}-\d\d-\d\d\.pdf$/)

    await page.goto('/console/demo/billing?tab=alerts')
    await page.getByRole('button', { name: 'New alert' }).click()
    await page.getByLabel('Amount in dollars').fill('0.1.2')
    await page.getByText('Write an amount such as 250 or 250.50.').waitFor()
    await page.getByLabel('Amount in dollars').fill('700.29')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('the next invoice is over $700.29').waitFor()
    const { alerts } = await owner<{ alerts: object[] }>('GET', '/billing/alerts')
    expect(alerts).toMatchObject([{ kind: 'next_invoice_over', thresholdCents: 70_029 }])
    expect(complaints).toEqual([])
    await close()
  })

  it('a preview that is stale is counted again before anything is bought', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    const refusal = { success: false, statusCode: 409, code: 'PREVIEW_STALE', message: 'the account changed' }
    await page.route('**/api/billing/subscriptions/*', (route) => route.fulfill({ status: 409, json: refusal }))
    await page.goto('/console/demo/billing')
    await page.getByRole('button', { name: 'Change to Team' }).click()
    await page.getByRole('dialog').getByText('Unused time of Enterprise plan').waitFor()
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('The account changed since the preview').waitFor()
    const again = page.waitForRequest('**/api/billing/preview')
    await page.getByRole('button', { name: 'Try again' }).click()
    await again
    expect(await held()).toMatchObject({ planId: 'enterprise' })
    await close()
  })

  it('may be looked at without the permission to change it; without the permission to look, the page says which one', async () => {
    const { page, close } = await demo.open({ user: 'demo-member' })
    await page.goto('/console/demo/billing')
    await page.getByText('billing:manage').waitFor()
    expect(await page.getByRole('button', { name: /^Change to|Cancel plan/ }).count()).toBe(0)
    await withPermissions(page, owner, (each) => !each.startsWith('billing:'))
    await page.goto('/console/demo/billing')
    await page.getByText('You may not see this section').waitFor()
    await page.getByText('billing:read').waitFor()
    expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
    await close()
  })

  describe('is sound in light, dark and at 320 px', () => {
    let looks: Looks
    beforeAll(async () => {
      looks = await looksOf(demo, 'demo-owner')
    })
    it.each(['plan', 'addons', 'invoices', 'credit', 'usage', 'alerts', 'events'])('%s', (tab) =>
      looks.at(`billing?tab=${tab}`),
    )
    it('the preview of a change', () =>
      looks.at('billing', ({ page }) => page.getByRole('button', { name: 'Change to Pro' }).click()))
  })
})
