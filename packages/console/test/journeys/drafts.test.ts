/** A prompt becomes a draft whose verdict is shown before it is saved. A key is set and never shown again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, withPermissions } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'

describeConsole('drafts', () => {
  let demo: DemoConsole
  let owner: Api
  beforeAll(async () => {
    demo = await demoConsole({ settings: { AI_PROVIDER: 'fake', AI_RATE_MAX: '0', LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
  })
  afterAll(() => demo?.stop())

  it('a prompt is followed to a draft with its verdict, and is a pipeline only when it is saved', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    const pipelines = () => owner<{ pipelines: unknown[] }>('GET', '/pipelines').then((each) => each.pipelines.length)
    const before = await pipelines()
    await page.goto('/console/demo/drafts')
    await page.getByLabel('Describe it').fill('Build and test a node service')
    await page.getByRole('button', { name: 'Write draft' }).click()
    await page.getByRole('heading', { name: 'What happens' }).waitFor()
    await page.getByRole('heading', { name: 'Draft', exact: true }).waitFor()
    expect(await pipelines()).toBe(before)
    await page.getByRole('button', { name: 'Save as it is' }).click()
    await page.waitForURL('**/pipelines/*')
    expect(await pipelines()).toBe(before + 1)
    const { generations } = await owner<{ generations: { kind: string; state: string }[] }>('GET', '/ai/generations')
    expect(generations).toMatchObject([{ kind: 'pipeline', state: 'done' }])
    expect(complaints).toEqual([])
    await close()
  })

  it('what the server tells as the end of a stream is said in words, and the prompt stays', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    const event = { type: 'error', code: 'AI_BUDGET_EXCEEDED', message: 'the budget is spent' }
    const body = `event: error\ndata: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`
    await page.route('**/generate/stream', (route) => route.fulfill({ contentType: 'text/event-stream', body }))
    await page.goto('/console/demo/drafts')
    await page.getByLabel('Describe it').fill('Something dear')
    await page.getByRole('button', { name: 'Write draft' }).click()
    await page.getByText('The budget of the month is used up').waitFor()
    expect(await page.getByLabel('Describe it').inputValue()).toBe('Something dear')
    await close()
  })

  it('a key is set, never shown again, and the budget of the month is kept in millionths of a dollar', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/drafts?tab=settings')
    await page.getByLabel('Dollars a month').fill('12.34')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings are saved.').waitFor()
    await page.getByRole('button', { name: 'Set key of OpenAI' }).click()
    await page.getByLabel('Key', { exact: true }).fill('sk-a-secret-of-the-organization-9876')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('…9876').waitFor()
    expect(await page.content()).not.toContain('a-secret-of-the-organization')
    const { config } = await owner<{ config: { monthlyMicroUsd: number; keys: { provider: string }[] } }>(
      'GET',
      '/organization/ai-config',
    )
    expect(config).toMatchObject({ monthlyMicroUsd: 12_340_000, keys: [{ provider: 'openai' }] })
    expect(complaints).toEqual([])
    await close()
  })

  it('is locked without the feature, and forbidden without a permission to write', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await withPermissions(page, owner, (each) => each !== 'ai_generation')
    await page.goto('/console/demo/drafts')
    await page.getByText('This organization does not have this section').waitFor()
    await page.unroute('**/api/auth/me')
    await withPermissions(page, owner, (each) => !each.endsWith(':write'))
    await page.goto('/console/demo/drafts')
    await page.getByText('You may not see this section').waitFor()
    await close()
  })

  describe('is sound in light, dark and at 320 px', () => {
    let looks: Looks
    beforeAll(async () => {
      looks = await looksOf(demo, 'demo-owner')
    })
    it.each(['history', 'settings'])('%s', (tab) => looks.at(`drafts?tab=${tab}`))
    it('a draft', () =>
      looks.at('drafts', async ({ page }) => {
        await page.getByLabel('Describe it').fill('Build and test a node service')
        await page.getByRole('button', { name: 'Write draft' }).click()
        await page.getByRole('heading', { name: 'Draft', exact: true }).waitFor()
      }))
  })
})
