/** From a number to its rows, and links to one event, one delivery: whatever page and filters the list has. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, faultsOf } from '../support/console.js'
import { seed } from '../support/seed.js'

interface Day {
  readonly day: string
  readonly checks: Readonly<Record<'pass' | 'warn' | 'block', number>>
}

describeConsole('evidence', () => {
  let demo: DemoConsole
  let owner: Api
  beforeAll(async () => {
    demo = await demoConsole()
    owner = await demo.as('demo-owner')
    await seed(owner)
  })
  afterAll(() => demo?.stop())

  it('each day of the trend leads to exactly its checks, from the chart and from its table', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/overview')
    await page.getByText('Checks a day').first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    const { days } = await owner<{ days: Day[] }>('GET', '/compliance/summary?days=30')
    const busy = days.map(({ checks }) => checks.pass + checks.warn + checks.block)
    const at = busy.findLastIndex((count) => count > 0)
    const chart = page.locator('figure').filter({ hasText: 'Checks a day' })
    await chart.locator('rect.chart-open').nth(at).click()
    const address = new URL(page.url())
    expect([address.searchParams.get('from'), address.searchParams.get('to')]).toEqual([days[at]?.day, days[at]?.day])
    await page.getByText(`of ${busy[at]}`, { exact: false }).first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'As a table' }).first().click()
    await page.locator('figure table a').nth(at).click()
    await page.getByText(`of ${busy[at]}`, { exact: false }).first().waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('one event of the trail opens by its address, and one that is not there is said to be missing', async () => {
    const { events } = await owner<{ events: { id: string; action: string }[] }>('GET', '/audit?sortOrder=asc&limit=1')
    const [oldest] = events
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto(`/console/demo/audit?q=nothing.has.this.name&sheet=${oldest?.id}`)
    const sheet = page.getByRole('dialog', { name: oldest?.action ?? '' })
    await sheet.getByText('Place in the chain').waitFor()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.goto('/console/demo/audit?sheet=evt_none')
    await page.getByText('has no event with the id of this address').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('the doubts of a verification are said in the language of the person', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }))
    await page.goto('/console/demo/audit')
    await page.getByRole('button', { name: 'Prüfen' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Ein Ereignis, das nie geschrieben wurde, hinterlässt in keinem Pfad eine Spur.').waitFor()
    expect(await dialog.textContent()).not.toMatch(/witness|never written|checkpoint/)
    await close()
  })

  it('a delivery opens by its address, with its attempts and what was sent, and is sent again from there', async () => {
    await owner('PUT', '/compliance/notification-preferences', { webhookUrl: 'https://hooks.example.test/in' })
    await owner('POST', '/compliance/notification-preferences/test')
    const failed = async () => {
      const { entries } = await owner<{ entries: { id: string; status: string; attempt: number }[] }>(
        'GET',
        '/compliance/notification-log?event=notification.test',
      )
      return entries
    }
    while ((await failed())[0]?.status !== 'failed') await new Promise((resolve) => setTimeout(resolve, 200))
    const [entry] = await failed()
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto(`/console/demo/organization?tab=deliveries&sheet=${entry?.id}`)
    const sheet = page.getByRole('dialog', { name: 'notification.test' })
    await sheet.getByRole('heading', { name: 'What was sent' }).waitFor()
    await sheet.getByRole('table', { name: 'Attempts' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('It is sent again.').waitFor()
    while ((await failed()).length < 2) await new Promise((resolve) => setTimeout(resolve, 200))
    expect(complaints).toEqual([])
    await owner('PUT', '/compliance/notification-preferences', { webhookUrl: null })
    await close()
  })
})
