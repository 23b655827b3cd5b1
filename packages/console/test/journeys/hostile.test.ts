/**
 * Failures around the console, and hostile content: typed text is not lost, there is no request loop, and content stays
 * text.
 */
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECTIONS } from '../../src/app/sections.js'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeConsole,
  signIn,
  type Visit,
  withAnswers,
} from '../support/console.js'
import { seed } from '../support/seed.js'

/** Keys of answers that hold text written by people. */
const OWN_WORDS = new Set(
  'name displayName description reason message subject content entityName ruleName pipelineName project senderName senderOrgName filename username email detail label title note'.split(
    ' ',
  ),
)
const MARKUP =
  '<img src="x" onerror="globalThis.hit=1"><script>globalThis.hit=1</script>[a](javascript:hit)`\u202e\u2066\u200f'
const LONG = `${MARKUP}${'x'.repeat(100_000)}`

/**
 * Only the first entry of each list is very long; the others are hostile. A page of fifty very long entries is not a
 * realistic attack.
 */
function poisoned(value: unknown, isFirst = true): unknown {
  if (Array.isArray(value)) return value.map((each, at) => poisoned(each, isFirst && at === 0))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      OWN_WORDS.has(key) && typeof each === 'string' ? [key, isFirst ? LONG : MARKUP] : [key, poisoned(each, isFirst)],
    ),
  )
}

describeConsole('faults and hostile text', () => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  let visit: Visit
  beforeAll(async () => {
    demo = await demoConsole({ settings: { LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
    visit = await demo.open({ user: 'demo-owner', width: 390 })
  })
  afterAll(() => demo?.stop())

  const refusal =
    (status: number, code: string, headers: Record<string, string> = {}) =>
    (route: Route) =>
      route.fulfill({
        status,
        headers,
        json: { success: false, statusCode: status, code, message: 'a fault', requestId: 'r1' },
      })

  it('a slow answer keeps the place, a refusal says what to do, and both end right without a reload', async () => {
    const { page } = visit
    const api = '**/api/compliance/rules?**'
    await page.route(api, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2000))
      await route.continue()
    })
    await page.goto('/console/demo/rules?tab=own')
    await page.locator('.skeleton').first().waitFor()
    await page.getByRole('link', { name: 'Pipelines name a team', exact: true }).waitFor()
    await page.unroute(api)
    let asked = 0
    await page.route(api, (route) => {
      asked += 1
      return refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '31' })(route)
    })
    await page.goto('/console/demo/rules?tab=own')
    await page.getByText(/Try again in \d+ seconds/).waitFor()
    // The page waits as long as the server says, and sends no request in that time.
    expect(asked).toBe(1)
    await page.unroute(api)
    await page.route(api, refusal(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }))
    await page.goto('/console/demo/rules?tab=own')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute(api)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Pipelines name a team', exact: true }).waitFor()
  })

  it('a stream that is cut is told, what changes meanwhile is shown, and the mark goes when it is back', async () => {
    const { page } = visit
    await page.route('**/api/events*', (route) => route.abort('connectionreset'))
    await page.goto('/console/demo/rules?tab=own')
    await page.getByRole('link', { name: 'Pipelines name a team', exact: true }).waitFor()
    await page.getByText('Not live').waitFor({ timeout: 60_000 })
    const rule = {
      name: 'Meanwhile',
      target: 'plugin',
      severity: 'warning',
      mode: 'observe',
      field: 'name',
      operator: 'exists',
    }
    await owner('POST', '/compliance/rules', rule)
    await page.unroute('**/api/events*')
    await page.getByRole('link', { name: 'Meanwhile', exact: true }).waitFor({ timeout: 45_000 })
    await page.getByText('Not live').waitFor({ state: 'detached' })
  })

  it('without a network a change is refused at once, a screen comes when it is back, and nothing typed is lost', async () => {
    const { page, context, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/rules/new')
    await page.getByLabel('Name', { exact: true }).fill('Written without a network')
    await page.getByLabel('Field').fill('labels.kept')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('The server does not answer').waitFor()
    // The code of this screen is not loaded yet.
    await page.getByRole('link', { name: 'Check log' }).click()
    await page.getByText('This screen is shown as soon as the server answers again.').waitFor()
    // Nor is that of the palette, which lies over the page.
    await page.keyboard.press('Control+k')
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Check log' }).waitFor()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.goBack()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Written without a network')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Written without a network' }).waitFor()
    await close()
  })

  it.each(['findings', 'checks'])('an export of %s that the server refuses leaves the page as it is', async (path) => {
    const { page, context, close } = await demo.open({ user: 'demo-owner' })
    await page.goto(`/console/demo/${path}`)
    await page.getByRole('button', { name: 'Export' }).click()
    // The page is signed out, and does not know it yet.
    await context.clearCookies()
    const refused = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    expect(await (await refused).failure()).not.toBeNull()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/demo/${path}`)
    await close()
  })

  it('a change that somebody made meanwhile is not overwritten, and what was typed stays', async () => {
    const { page } = visit
    const watched = {
      name: 'Watched',
      target: 'plugin',
      severity: 'warning',
      mode: 'observe',
      field: 'name',
      operator: 'exists',
    }
    const { rule: made } = await owner<{ rule: { id: string } }>('POST', '/compliance/rules', watched)
    await page.goto(`/console/demo/rules/${made.id}/edit`)
    const description = page.getByLabel('Description')
    await description.waitFor()
    await page.getByText('counted by the server').waitFor()
    await owner('PUT', `/compliance/rules/${made.id}`, { description: 'By somebody else' })
    await description.fill('By me')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByText('Somebody changed it').first().waitFor()
    expect(await description.inputValue()).toBe('By me')
    const { rule } = await owner<{ rule: { description: string } }>('GET', `/compliance/rules/${made.id}`)
    expect(rule.description).toBe('By somebody else')
  })

  it('a session that ends while somebody types is asked for over the page, and nothing typed is lost', async () => {
    const { page } = visit
    await page.goto('/console/demo/rules/new')
    await page.getByLabel('Name', { exact: true }).fill('Written before the end')
    await page.getByLabel('Field').fill('labels.kept')
    await page.context().clearCookies()
    // The form asks the server by itself too: when that answer is the first, the dialog already lies over the button.
    await page.getByRole('button', { name: 'Save rule' }).dispatchEvent('click')
    await page.getByRole('dialog').getByLabel('Password').waitFor()
    await signIn(page, 'demo-owner', demo.password)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Written before the end')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Written before the end' }).waitFor()
  })

  it('a clock that is a day ahead signs nobody out and shows what is there', async () => {
    const { page } = await demo.open({ user: 'demo-owner' })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.setFixedTime(Date.now() + 86_400_000)
    await page.goto('/console/demo/findings')
    await page.getByRole('cell', { name: 'Pipelines name a team' }).first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/demo/findings')
    expect(requests.filter((url) => url.includes('/api/auth/me')).length).toBeLessThanOrEqual(5)
    await page.context().close()
  })

  const lists = SECTIONS.flatMap(({ routes }) => Object.keys(routes)).filter((path) => !path.includes('$'))

  it('markup, bidi marks and 100,000 characters are text on every screen, and none scrolls sideways', async () => {
    const opened = await demo.open({ user: 'demo-owner', width: 390 })
    const { page, complaints, settled, go, close } = opened
    const poisonings = await withAnswers(opened, (data) => poisoned(data))
    const broken: Record<string, unknown> = {}
    for (const path of [...lists, `rules/${ruleId}`, 'checks?result=block', 'findings?group=rule']) {
      await go(`/console/demo/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled()
      const found = await page.evaluate(() => ({
        hit: (globalThis as { hit?: number }).hit,
        made: document.querySelectorAll('img[src="x"], main script, a[href^="javascript:"]').length,
        width: document.documentElement.scrollWidth,
      }))
      if (found.hit !== undefined || found.made > 0 || found.width > 390) broken[path] = found
    }
    expect(broken).toEqual({})
    expect(poisonings()).toBeGreaterThan(lists.length)
    expect(complaints).toEqual([])
    await close()
  }, 240_000)
})
