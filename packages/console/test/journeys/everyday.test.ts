/** What people do beside the journeys: schedules, search, invitations, webhooks, several tabs. Each asks the API in the end. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeZip } from '../../../server/test/support/zip.js'
import { type Api, type DemoConsole, demoConsole, describeConsole, faultsOf, signIn } from '../support/console.js'
import { seed } from '../support/seed.js'

describeConsole('every day', () => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  /** The headers of what arrived at a webhook. */
  const received: IncomingHttpHeaders[] = []
  const receiver = createServer((request, response) => {
    received.push(request.headers)
    response.writeHead(202).end()
  })
  let hook = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    demo = await demoConsole({ settings: { COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: hook } })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
  })
  afterAll(async () => {
    await demo?.stop()
    receiver.close()
  })

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

  it('a schedule of one’s own says in words when it runs, lists its next runs, and is changed', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/scans?tab=schedules')
    await page.getByRole('button', { name: 'New schedule' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('When').selectOption({ label: 'Own expression' })
    await form.getByLabel('Cron expression, in UTC').fill('30 6 * * 1-5')
    await form.getByText('At 06:30, Monday through Friday').waitFor()
    await form.getByRole('button', { name: 'New schedule' }).click()
    await page.getByRole('link', { name: 'At 06:30, Monday through Friday' }).click()
    const sheet = page.getByRole('dialog')
    // The address leads to the open sheet again.
    await page.reload()
    await sheet.getByRole('listitem').nth(4).waitFor()
    expect(await sheet.getByRole('listitem').count()).toBe(5)
    await sheet.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Cron expression, in UTC').fill('0 7 1 * *')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('link', { name: 'At 07:00, on day 1 of the month' }).waitFor()
    const { schedules } = await owner<{ schedules: { cronExpression: string }[] }>('GET', '/compliance/scan-schedules')
    expect(schedules.map(({ cronExpression }) => cronExpression)).toContain('0 7 1 * *')
    expect(complaints).toEqual([])
    await close()
  })

  it('⌘K finds a record by a part of its name, a command, and the record by its id, by keyboard alone', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const dialog = page.getByRole('dialog')
    const open = async () => {
      await page.keyboard.press('Control+k')
      await dialog.getByRole('combobox').waitFor()
    }
    await open()
    await page.keyboard.type('HECKOU')
    await dialog.getByRole('option', { name: /^checkout\s*Pipeline/ }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/pipelines/*-*')
    await open()
    await page.keyboard.type(ruleId)
    await dialog.getByRole('option', { name: /^Pipelines name a team\s*Rule/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/rules/${ruleId}`)
    await open()
    await page.keyboard.type('new ru')
    await dialog.getByRole('option', { name: 'New rule' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/rules/new')
    expect(complaints).toEqual([])
    await close()
  })

  it('what somebody else changes appears without a reload, by one stream for all tabs, and its loss is said', async () => {
    const { page, context, complaints, close } = await demo.open({ user: 'demo-owner' })
    const streams: string[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') streams.push(request.url())
    })
    await Promise.all([page.waitForRequest('**/api/events'), page.goto('/console/demo/rules')])
    await page.getByRole('heading', { name: 'Rules' }).waitFor()
    streams.length = 0
    const second = await context.newPage()
    await second.goto('/console/demo/rules')
    await second.getByRole('heading', { name: 'Rules' }).waitFor()
    const rule = { target: 'pipeline', field: 'labels.live', operator: 'exists', mode: 'observe' }
    await owner('POST', '/compliance/rules', { ...rule, name: 'Seen while it is made' })
    await page.getByRole('link', { name: 'Seen while it is made', exact: true }).waitFor()
    await second.getByRole('link', { name: 'Seen while it is made', exact: true }).waitFor()
    // The second tab opened no stream.
    expect(streams).toEqual([])
    // The tab with the stream closes. The other tab opens the stream and receives the changes.
    await Promise.all([second.waitForRequest('**/api/events'), page.close()])
    await owner('POST', '/compliance/rules', { ...rule, name: 'Seen by the other tab' })
    await second.getByRole('link', { name: 'Seen by the other tab', exact: true }).waitFor()
    await second.route('**/api/events', (route) => route.abort('aborted'))
    await second.reload()
    await second.getByText('Not live').waitFor()
    await second.unroute('**/api/events')
    await second.getByText('Not live').waitFor({ state: 'detached' })
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

  it('the secret of an invitation leaves the address at once, and the link works again after a reload', async () => {
    const { acceptUrl } = await owner<{ acceptUrl: string }>('POST', '/invitation/send', { email: 'bea@example.com' })
    const link = new URL(acceptUrl)
    const { page, complaints, close } = await demo.open()
    const open = async () => {
      await page.goto(`${link.pathname}${link.search}`)
      await page.getByLabel('User name', { exact: true }).waitFor()
    }
    await open()
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await page.getByText('Open the link of the invitation again').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))).not.toContain(
      link.searchParams.get('token'),
    )
    await open()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByLabel('User name', { exact: true }).fill('bea')
    await page.getByLabel('Password').fill('A-long-passphrase-4-bea')
    await page.getByRole('button', { name: 'Open an account and accept' }).click()
    await page.waitForURL('**/console/**')
    expect(complaints).toEqual([])
    const me = await page.evaluate(async () => (await (await fetch('/api/auth/me')).json()).data)
    expect(me).toMatchObject({ user: { username: 'bea' }, organization: { slug: 'demo' } })
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

  it('a webhook is set with its secret and tested, and the page shows what the receiver answered', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/organization?tab=notifications')
    await page.getByLabel('Webhook address').fill(`${hook}/in`)
    await page.getByLabel('Webhook secret').fill('a secret of the journey')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('A secret is set.').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText(/Test of the webhook:.*202/).waitFor()
    // What else the organization is notified of meanwhile goes there too.
    expect(received.filter((headers) => headers['x-platform-event'] === 'notification.test')).toMatchObject([
      { 'x-platform-signature': expect.stringMatching(/^sha256=/) },
    ])
    const path = '/compliance/notification-log?channel=webhook&event=notification.test'
    const { entries } = await owner<{ entries: unknown[] }>('GET', path)
    expect(entries).toMatchObject([{ status: 'sent', responseCode: 202 }])
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await owner('PUT', '/compliance/notification-preferences', { webhookUrl: null })
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
    await page.getByRole('link', { name, exact: true }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })
})
