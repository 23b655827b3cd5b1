/** Journeys of people through the console, on each database. Each ends by asking the API, and does not rely on the page alone. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeOnBoth, faultsOf, signIn } from '../support/console.js'
import { seed } from '../support/seed.js'

await describeOnBoth('journeys', (database) => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  beforeAll(async () => {
    demo = await demoConsole({ database })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
  })
  afterAll(() => demo?.stop())

  it('a deep link survives sign-in, a wrong password says what to do, and no script can read the session', async () => {
    const { page, context, complaints, close } = await demo.open()
    await page.goto('/console/demo/rules?tab=own&q=team')
    await page.waitForURL('**/sign-in?**')
    expect(await faultsOf(page)).toEqual([])
    await signIn(page, 'demo-owner', 'wrong-password')
    await page.getByText('Name or password is wrong').waitFor()
    await signIn(page, 'demo-owner', demo.password)
    await page.getByRole('link', { name: 'Pipelines name a team', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=own&q=team')
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(kept).not.toMatch(/eyJ|plp_/)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(complaints).toEqual([])
    await close()
  })

  it('the link of the terminal leads into the console once, and leaves no secret in the address', async () => {
    const first = await demo.open()
    const asked: string[] = []
    first.page.on('request', (request) => asked.push(request.url()))
    await first.page.goto(demo.link)
    await first.page.waitForURL('**/console/demo/overview')
    await first.page.getByRole('heading', { level: 1 }).waitFor()
    const secret = demo.link.split('#')[1] ?? ''
    expect(secret.length).toBeGreaterThan(40)
    expect(asked.filter((address) => address.includes(secret) && !address.includes('#'))).toEqual([])
    await first.page.goBack().catch(() => null)
    expect(first.page.url()).not.toContain(secret)
    expect(first.complaints).toEqual([])
    await first.close()
    const second = await demo.open({ width: 390 })
    await second.page.goto(demo.link)
    await second.page.getByText('The link does not work any more').waitFor()
    expect(await faultsOf(second.page)).toEqual([])
    await second.page.getByRole('link', { name: 'Back to sign-in' }).click()
    await second.page.waitForURL('**/console/sign-in')
    await second.close()
  })

  it.each(['/', '/console', '/console/'])(
    'the address that the server prints, %s, leads to the sign-in and into the organization',
    async (path) => {
      const { page, complaints, close } = await demo.open()
      await page.goto(path)
      await page.waitForURL('**/console/sign-in?**')
      await signIn(page, 'demo-owner', demo.password)
      await page.waitForURL('**/console/demo/overview')
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(complaints).toEqual([])
      await page.goto(path)
      await page.waitForURL('**/console/demo/overview')
      await close()
    },
  )

  it('a rule is written, its hits are seen before it is saved, and the server holds the same rule', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/rules/new')
    await page.getByText('The rule is not complete').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Pipelines have a runbook')
    await page.getByLabel('Field').fill('labels.runbook')
    await page.getByText('3 of 3 stored entities fail it').waitFor()
    await page.getByRole('tab', { name: 'YAML' }).click()
    await page.getByText('labels.runbook').first().waitFor()
    await page.reload()
    await page.getByText('A draft of this tab was kept.').waitFor()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Pipelines have a runbook' }).waitFor()
    const { rules } = await owner<{ rules: { name: string; field: string; mode: string }[] }>(
      'GET',
      '/compliance/rules?name=runbook',
    )
    expect(rules).toMatchObject([{ name: 'Pipelines have a runbook', field: 'labels.runbook', mode: 'observe' }])
    expect(complaints).toEqual([])
    await close()
  })

  it('an edit says what it moves: judged here without the server, then counted by it', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    // The server's count is aborted, so the page shows the verdict of its own engine.
    await page.route('**/preview/impact', (route) => route.abort('aborted'))
    await page.goto(`/console/demo/rules/${ruleId}/edit`)
    await page.getByText('judged here').waitFor()
    await page.getByLabel('Field').fill('props')
    await page.getByText('Nothing that is stored fails it').waitFor()
    await page.getByText('Newly passing: 3').waitFor()
    await page.unroute('**/preview/impact')
    await page.getByLabel('Field').fill('props.synth')
    await page.getByText('counted by the server').waitFor()
    await page.getByText('Newly passing: 3').waitFor()
    await page.getByText('The rule as it is now: 3 of 3').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('enforcing what blocks something is asked about once, with the number', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/rules/new')
    await page.getByLabel('Name', { exact: true }).fill('Pipelines have a cost centre')
    await page.getByLabel('Field').fill('props')
    await page.getByText('Enforce: block').click()
    await page.getByText('Nothing that is stored fails it').waitFor()
    await page.getByText('counted by the server').waitFor()
    // The server has counted the draft of before, and does not answer for this one.
    await page.route('**/preview/impact', (route) => route.abort('aborted'))
    await page.getByLabel('Field').fill('labels.cost')
    await page.getByText('3 of 3 stored entities fail it').waitFor()
    await page.getByText('judged here').waitFor()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Block 3 stored entities?' }).waitFor()
    await page.keyboard.press('Escape')
    const { rules } = await owner<{ rules: unknown[] }>('GET', '/compliance/rules?name=cost')
    expect(rules).toEqual([])
    await close()
  })

  it('why it was blocked, an exemption asked for, no button on the own request, approved by the second person', async () => {
    const first = await demo.open({ user: 'demo-owner' })
    await first.page.goto(`/console/demo/checks?result=block&rule=${ruleId}`)
    await first.page.getByRole('link', { name: 'checkout' }).first().click()
    await first.page.getByText('labels.team must be present').first().waitFor()
    await first.page.getByRole('button', { name: 'Ask for an exemption' }).first().click()
    await first.page.getByLabel('Reason').fill('The team is being formed')
    await first.page.getByRole('button', { name: 'Send request' }).click()
    await first.page.getByText('Somebody else has to decide').waitFor()
    await first.page.goto('/console/demo/exemptions?status=pending')
    await first.page.getByRole('link', { name: 'checkout' }).click()
    await first.page.getByText('You asked for this yourself').waitFor()
    expect(await first.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    const second = await demo.open({ user: 'demo-admin', width: 390, height: 800 })
    await second.page.goto('/console/demo/exemptions?status=pending')
    await second.page.getByRole('link', { name: 'checkout' }).click()
    await second.page.getByRole('button', { name: 'Approve' }).click()
    await second.page.getByText('The exemption is approved.').waitFor()
    const { exemptions } = await owner<{ exemptions: { status: string; reason: string }[] }>(
      'GET',
      '/compliance/exemptions',
    )
    expect(exemptions).toMatchObject([{ status: 'approved', reason: 'The team is being formed' }])
    expect([...first.complaints, ...second.complaints]).toEqual([])
    await Promise.all([first.close(), second.close()])
  })

  it('a scan is started and followed to its end', async () => {
    // A change of a rule starts a scan of its own, and two scans of the same records do not run at once.
    const active = async () => {
      const { scans } = await owner<{ scans: { status: string }[] }>('GET', '/compliance/scans?limit=100')
      return scans.filter(({ status }) => status === 'pending' || status === 'running').length
    }
    await expect.poll(active).toBe(0)
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/scans')
    await page.getByRole('button', { name: 'Scan now' }).click()
    const dialog = page.getByRole('dialog')
    const isStarted = async () => {
      const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
      await dialog.getByRole('button', { name: 'Scan now' }).click()
      return (await answered).ok()
    }
    // The scan after a change of a rule can begin at this moment too: the refusal leads to it.
    while (!(await isStarted())) {
      await dialog.getByRole('link', { name: 'Open the running scan' }).waitFor()
      await expect.poll(active).toBe(0)
    }
    await page.waitForURL('**/scans/*-*')
    await page.getByRole('heading', { name: 'Scan of' }).waitFor()
    await page.getByText('Completed').waitFor()
    const id = page.url().split('/').pop() ?? ''
    const { scan } = await owner<{ scan: { status: string; totalEntities: number } }>('GET', `/compliance/scans/${id}`)
    expect(scan).toMatchObject({ status: 'completed', totalEntities: 3 })
    // As the server answers while that scan runs.
    await page.route('**/api/compliance/scans', (route) =>
      route.fulfill({
        status: 409,
        json: {
          success: false,
          statusCode: 409,
          code: 'SCAN_CONFLICT',
          message: 'a scan runs',
          details: { scanId: id },
        },
      }),
    )
    await page.goto('/console/demo/scans?status=completed')
    await page.getByRole('button', { name: 'Scan now' }).click()
    await dialog.getByRole('button', { name: 'Scan now' }).click()
    await dialog.getByRole('link', { name: 'Open the running scan' }).click()
    await page.waitForURL(`**/scans/${id}`)
    await page.getByRole('heading', { name: 'Scan of' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(complaints.filter((each) => !each.includes('409'))).toEqual([])
    await close()
  })
})
