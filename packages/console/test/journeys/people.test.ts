/** Journeys of people through the console; each ends with what the API says, not only with what the page shows. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/zip.js'
import { type Api, type DemoConsole, demoConsole, describeConsole, faultsOf, signIn } from '../support/console.js'
import { seed } from '../support/seed.js'

describeConsole('journeys', () => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  beforeAll(async () => {
    demo = await demoConsole()
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
    await page.getByRole('link', { name: 'Pipelines name a team' }).waitFor()
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

  it('opens although the server refuses to say what it has, as it does to an address that asked often', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    const refusal = { success: false, statusCode: 429, code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests' }
    await page.route('**/api/config', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '487' }, json: refusal }),
    )
    await page.goto('/console/demo/rules')
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    await close()
  })

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
    // The server does not count: what is shown is the verdict of the page.
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
    await page.getByLabel('Field').fill('labels.cost')
    await page.getByText('Enforce: block').click()
    await page.getByText('3 of 3 stored entities fail it').waitFor()
    await page.getByText('counted by the server').waitFor()
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
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/scans')
    await page.getByRole('button', { name: 'Scan now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Scan now' }).click()
    await page.waitForURL('**/scans/*-*')
    await page.getByRole('heading', { name: 'Scan of' }).waitFor()
    await page.getByText('Completed').waitFor()
    const id = page.url().split('/').pop() ?? ''
    const { scan } = await owner<{ scan: { status: string; totalEntities: number } }>('GET', `/compliance/scans/${id}`)
    expect(scan).toMatchObject({ status: 'completed', totalEntities: 3 })
    expect(complaints).toEqual([])
    await close()
  })

  it('the auditor has the trail verified, by keyboard alone', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    // Keys count once the page stands: the address is there before it.
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
    await page.getByRole('button', { name: 'Verify' }).focus()
    await page.keyboard.press('Enter')
    const { verdict } = await owner<{ verdict: 'valid' | 'invalid' | 'cannot-tell' }>('GET', '/audit/verify')
    const says = {
      valid: 'The trail is whole',
      invalid: 'The trail was changed',
      'cannot-tell': 'The server cannot tell',
    }
    await page.getByText(says[verdict]).waitFor()
    expect(verdict).not.toBe('invalid')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Verify')
    expect(complaints).toEqual([])
    await close()
  })

  it('the newest event has no proof yet: the page says that it waits for a checkpoint, not that a form is wrong', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.route('**/api/audit/proof?**', (route) =>
      route.fulfill({
        status: 400,
        json: { success: false, statusCode: 400, code: 'VALIDATION_ERROR', message: 'wrong' },
      }),
    )
    await page.goto('/console/demo/audit')
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('button', { name: 'Make proof' }).click()
    await page.getByText('No signed checkpoint covers this event yet').waitFor()
    expect(await page.getByText('Something in the form is not right').count()).toBe(0)
    await close()
  })

  it('an invitation on a server without e-mail is handed over as a link, and nobody says that it was sent', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/people')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').getByLabel('E-mail address').fill('ann@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('/invite/accept?token=').waitFor()
    await page.getByText('The invitation is made.').waitFor()
    expect(await page.getByText('The invitation is sent.').count()).toBe(0)
    await close()
  })

  it('a plugin that a rule blocks: the dialog names the rule, what it expected and found, and leads to the check', async () => {
    const description = 'Set `keywords`, so that people find it.'
    const rule = {
      name: 'plugins-have-keywords',
      target: 'plugin',
      field: 'keywords',
      operator: 'notEmpty',
      description,
    }
    await owner('POST', '/compliance/rules', { ...rule, severity: 'critical', mode: 'enforce' })
    const files = [
      {
        name: 'plugin-spec.yaml',
        content: 'name: web-lint\nversion: 1.0.0\ncategory: quality\ncommands: [npm run lint]\n',
      },
      { name: 'config.yaml', content: 'buildType: metadata_only\n' },
    ]
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/plugins')
    await page.getByRole('button', { name: 'Upload plugin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('ZIP archive')
      .setInputFiles({ name: 'web-lint.zip', mimeType: 'application/zip', buffer: makeZip(files) })
    await dialog.getByRole('button', { name: 'Upload plugin' }).click()
    await dialog.getByText('A rule blocks the change').waitFor()
    await dialog.getByText('keywords must not be empty').waitFor()
    await dialog.getByRole('link', { name: 'See the recorded check' }).click()
    await page.getByRole('dialog').getByText('web-lint').first().waitFor()
    const { plugins } = await owner<{ plugins: unknown[] }>('GET', '/plugins?q=web-lint')
    expect(plugins).toEqual([])
    await close()
  })

  it('a session that is ended elsewhere keeps the page and what was typed', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/rules/new')
    await page.getByLabel('Name', { exact: true }).fill('Half a rule')
    await page.context().clearCookies()
    await page.getByLabel('Field').fill('labels.half')
    await page.getByText('Your session has ended').waitFor()
    await signIn(page, 'demo-owner', demo.password)
    await page.getByText('3 of 3 stored entities fail it').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a rule')
    await close()
  })

  it('what people name is text, whatever it holds', async () => {
    const name = '<img src=x onerror=alert(1)> & "quotes" \' {{7*7}}'
    await owner('POST', '/compliance/rules', {
      name,
      target: 'pipeline',
      field: 'labels.x',
      operator: 'exists',
      mode: 'observe',
    })
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/rules')
    await page.getByRole('link', { name }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })
})
