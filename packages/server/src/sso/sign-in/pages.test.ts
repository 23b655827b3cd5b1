/**
 * The pages of a sign-in in a real browser, against a real provider: the redirects, and joining by the link of the
 * e-mail.
 */
import { createServer } from 'node:net'
import { serve } from '@hono/node-server'
import { eq } from 'drizzle-orm'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../../../test/support/chromium.js'
import { type RealProvider, realProvider, withProvider } from '../../../test/support/oidc.js'
import { queuedMails, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { credentialTables } from '../../identity/credential/tables.js'
import { identityTables } from '../../identity/tables.js'
import { mountPages } from '../../runtime/http/pages.js'
import { SSO_PAGES } from '../pages.js'

const isRequired = process.env.PLUMBLINE_REQUIRE_SERVICES === '1'
const inBrowser = chromiumPath !== undefined || isRequired ? describe : describe.skip

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

inBrowser('the pages of a sign-in', () => {
  let home: string
  let app: SsoApp
  let real: RealProvider
  let ann: SignedIn
  let context: BrowserContext
  const ending: (() => unknown)[] = []
  beforeAll(async () => {
    const store = await sqliteStore()
    const port = await freePort()
    home = `http://localhost:${port}`
    real = await realProvider()
    app = await ssoApp(store, {
      startMs: Date.now(),
      settings: { IDP_ALLOWED_ORIGINS: real.issuer, PUBLIC_URL: home },
    })
    mountPages(app.http, SSO_PAGES, { basePath: '/api', behindTls: false })
    app.http.get('/reports', (c) => c.text('Reports'))
    const server = serve({ fetch: app.http.fetch, port, hostname: '127.0.0.1' })
    const browser = await chromium.launch(chromiumPath === undefined ? {} : { executablePath: chromiumPath })
    context = await browser.newContext()
    ending.push(
      () => browser.close(),
      () => server.close(),
      () => real.close(),
      () => store.close(),
    )
    ann = await signUp(app, 'ann')
    await provenDomain(app, ann, 'acme.test')
    real.allow(`${home}/auth/callback/sso/${await withProvider(app, ann, real.issuer)}`)
  })
  afterAll(async () => {
    for (const end of ending) await end()
    expect(app.errors).toEqual([])
  })

  /** Enters the name and the consent at the provider. */
  async function signInThere(page: Page, name: string): Promise<void> {
    real.people[name] = { email: `${name}@acme.test`, email_verified: true }
    await page.waitForSelector('input[name=login]')
    await page.fill('input[name=login]', name)
    await page.fill('input[name=password]', 'any')
    await page.click('button[type=submit]')
    await page.waitForSelector('input[name=prompt][value=consent]', { state: 'attached' })
    await page.click('button[type=submit]')
  }

  const me = (page: Page): Promise<unknown> =>
    page.evaluate(async () => {
      const answer = (await (await fetch('/api/auth/me')).json()) as { data?: { user: { email: string } } }
      return answer.data?.user.email
    })

  async function forgetProvider(): Promise<void> {
    const { hostname } = new URL(real.issuer)
    await context.clearCookies({ domain: hostname })
  }

  it('asks for the organization, goes to the provider, and comes back signed in by a cookie', async () => {
    const page = await context.newPage()
    await page.goto(`${home}/sso/start?returnTo=/reports`)
    await page.fill('input[name=org]', ann.orgSlug)
    await page.click('button[type=submit]')
    await signInThere(page, 'nina')
    await page.waitForURL(`${home}/reports`)
    expect(await me(page)).toBe('nina@acme.test')
    const held = await context.cookies(home)
    expect(held.find(({ name }) => name.endsWith('plumbline_session'))).toMatchObject({
      httpOnly: true,
      sameSite: 'Strict',
    })
    await page.close()
  })

  it('signs in again where the browser still has the cookie of a session that ended', async () => {
    await app.runtime.store.system.write(async (tx) => {
      const { sessions } = credentialTables(tx)
      const { users } = identityTables(tx)
      const [nina] = await tx.select().from(users).where(eq(users.email, 'nina@acme.test'))
      const isHers = eq(sessions.userId, nina?.id ?? '')
      const ended = await tx.update(sessions).set({ revokedAtMs: 1 }).where(isHers).returning({ id: sessions.id })
      for (const { id } of ended) app.identity.directory.drop({ sessionId: id })
    })
    await forgetProvider()
    const page = await context.newPage()
    await page.goto(`${home}/sso/start?org=${ann.orgSlug}&returnTo=/reports`)
    await signInThere(page, 'nina')
    await page.waitForURL(`${home}/reports`)
    expect(await me(page)).toBe('nina@acme.test')
    await page.close()
  })

  it('joins by the link of the e-mail, in the browser that came', async () => {
    const lone = await signUp(app, 'lone')
    await verifyAddress(app, lone.userId)
    await app.runtime.store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const address = { email: 'lone@acme.test', emailKey: 'lone@acme.test' }
      await tx.update(users).set(address).where(eq(users.id, lone.userId))
    })
    await forgetProvider()
    const page = await context.newPage()
    await page.goto(`${home}/sso/start?org=${ann.orgSlug}&returnTo=/reports`)
    await signInThere(page, 'lone')
    await page.waitForSelector('[role=status]')
    expect(await page.textContent('[role=status]')).toContain('Open the link that we sent')
    const mail = (await queuedMails(app)).filter(({ template }) => template === 'sso.join').at(-1)
    await page.goto(mail?.values.link ?? '')
    expect(page.url()).toBe(`${home}/sso/confirm`)
    await page.click('button[type=submit]')
    await page.waitForURL(`${home}/reports`)
    expect(await me(page)).toBe('lone@acme.test')
    await page.close()
  })

  it('shows the administrator what the claims of a test would do', async () => {
    await forgetProvider()
    const { data } = await app.call('POST', `/organization/${ann.orgId}/idp/test`, { as: ann })
    const page = await context.newPage()
    await page.goto(data.url)
    await signInThere(page, 'tess')
    await page.waitForSelector('[role=status]')
    expect(await page.textContent('[role=status]')).toContain('the person would be created')
    expect(await page.textContent('main')).toContain('email: "tess@acme.test"')
    await page.close()
  })

  it('says what went wrong, and keeps nothing of it in the address', async () => {
    const page = await context.newPage()
    await page.goto(`${home}/auth/callback/sso/${ann.orgId}?state=${'s'.repeat(43)}&code=c`)
    await page.waitForSelector('[role=alert]')
    expect(await page.textContent('[role=alert]')).not.toContain('csrf')
    expect(page.url()).not.toContain('state=')
    await page.close()
  })
})
