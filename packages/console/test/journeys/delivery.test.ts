/**
 * Delivery and scorecards on the ninety days of the demo: each figure has its reason, and the API shows changed marks
 * and links.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, withPermissions } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'

interface Deployments {
  readonly deployments: readonly { executionId: string; environment: string; failedLater: string | null }[]
}

describeConsole('delivery', () => {
  let demo: DemoConsole
  let owner: Api
  beforeAll(async () => {
    demo = await demoConsole({ settings: { PLUMBLINE_DEMO_HISTORY: 'true', LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
  })
  afterAll(() => demo?.stop())

  it('the five figures are those of the API, with interval and level; the trend is a table as well', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/delivery?days=90')
    for (const name of ['Deployment frequency', 'Lead time for changes', 'Change failure rate', 'Rework rate'])
      await page.getByRole('heading', { name, exact: true }).waitFor()
    const to = new Date()
    const from = new Date(to.getTime() - 90 * 86_400_000)
    const { dora } = await owner<{
      dora: { environments: { headline: boolean; deploymentFrequency: { perDay: number } }[] }
    }>('GET', `/reports/execution/dora?from=${from.toISOString()}&to=${to.toISOString()}`)
    const { perDay } = dora.environments.find(({ headline }) => headline)?.deploymentFrequency ?? { perDay: 0 }
    await page.getByText(`${perDay} a day`, { exact: true }).first().waitFor()
    await page
      .getByText(/95 % sure/)
      .first()
      .waitFor()
    await page.getByRole('heading', { name: 'Trend', exact: true }).scrollIntoViewIfNeeded()
    const chart = page.locator('figure', { hasText: 'Deployments a day' })
    await chart.getByRole('button', { name: 'As a table' }).click()
    expect(await chart.getByRole('row').count()).toBeGreaterThan(3)
    await page.getByLabel('More failed deployments').fill('5')
    await page.getByRole('columnheader', { name: 'After it' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('where there is no value, it says why and what would give one', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/delivery?environment=nowhere')
    await page.getByRole('heading', { name: 'Deployment frequency' }).waitFor()
    expect(await page.locator('.card .message').count()).toBeGreaterThan(3)
    await close()
  })

  it('a deployment is marked as failed, and the API counts it', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/delivery?tab=deployments&environment=production')
    const { deployments } = await owner<Deployments>('GET', '/reports/deployments?environment=production&limit=5')
    const { executionId } = deployments.find(({ failedLater }) => failedLater === null) ?? { executionId: '' }
    await page.getByRole('button', { name: `Mark ${executionId} production` }).click()
    await page.getByLabel('Note').fill('the cache was cold')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The mark is set.').waitFor()
    const after = await owner<Deployments>('GET', '/reports/deployments?environment=production&limit=5')
    expect(after.deployments.find((each) => each.executionId === executionId)).toMatchObject({ failedLater: 'mark' })
    expect(complaints).toEqual([])
    await close()
  })

  it('a source is made with its secret shown once, switched off, and deleted', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/delivery?tab=sources')
    await page.getByRole('button', { name: 'New source' }).click()
    await page.getByLabel('Name').fill('builds of the shop')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('The secret is shown only now.').waitFor()
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toContain('whsec_')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Delete: builds of the shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The source is deleted.').waitFor()
    const { sources } = await owner<{ sources: { name: string }[] }>('GET', '/reports/sources')
    expect(sources.map(({ name }) => name)).not.toContain('builds of the shop')
    expect(complaints).toEqual([])
    await close()
  })

  it('a scorecard says what would help most, as the API does', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/scorecards')
    const { scorecards } = await owner<{
      scorecards: { pipelineName: string; score: number; nextBestFix: { name: string; gain: number }[] }[]
    }>('GET', '/reports/scorecards?sortBy=score&sortOrder=asc&limit=1')
    const worst = scorecards[0]
    await page
      .getByRole('link', { name: worst?.pipelineName ?? '' })
      .first()
      .click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(`${worst?.score} of 100`, { exact: true }).waitFor()
    await sheet.getByText(worst?.nextBestFix[0]?.name ?? '').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('a scorecard names a metric as the figures do', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/scorecards')
    await page.getByText('Deployment frequency').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('deploymentFrequency')
    await close()
  })

  it('is in part there without the feature, says what unlocks the rest, and scorecards stand locked', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await withPermissions(page, owner, (each) => each !== 'advanced_reporting')
    await page.goto('/console/demo/delivery')
    await page.getByText('This part is not in your plan').waitFor()
    await page.getByRole('tab', { name: 'Runs' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Five figures' }).count()).toBe(0)
    await page.goto('/console/demo/scorecards')
    await page.getByText('This organization does not have this section').waitFor()
    await page.goto('/console/demo/billing')
    await page.getByText('BILLING_ENABLED=true').waitFor()
    await close()
  })

  describe('is sound in light, dark and at 320 px', () => {
    let looks: Looks
    beforeAll(async () => {
      looks = await looksOf(demo, 'demo-owner')
    })
    it.each(['dora', 'deployments', 'executions', 'incidents', 'sources'])('%s', (tab) =>
      looks.at(`delivery?tab=${tab}`),
    )
    it('a scorecard', () => looks.at('scorecards', ({ page }) => page.locator('tbody a').first().click()))
  })
})
