/**
 * Social accounts in a real browser, on the pages of a server without the console: with both fake providers, and with
 * real cookies and content security policies.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeSso, type RunningServer, startFakeSso, startServer } from '@plumbline/server'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserOfProcess, describeConsole, WAIT_MS_MAX } from '../support/console.js'
import { atProvider as signInAt } from '../support/provider.js'

interface Answer {
  readonly status: number
  readonly code?: string
  readonly data: Readonly<Record<string, unknown>>
}

describeConsole('accounts elsewhere', () => {
  let fake: FakeSso
  let server: RunningServer
  const contexts: BrowserContext[] = []
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-elsewhere-'))
  beforeAll(async () => {
    fake = await startFakeSso({ domain: 'social.test' })
    const environment = {
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      PASSWORD_HASH_COST: '4',
      AUTH_LIMITER_MAX: '200',
      BILLING_ENABLED: 'false',
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      SHUTDOWN_DELAY_MS: '0',
      PLUMBLINE_MODULES: 'identity,quota,sso',
      ...fake.settings,
    }
    server = await startServer({ environment, print: () => undefined })
  })
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await server?.stop()
    await fake?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function visit() {
    const context = await (await browserOfProcess()).newContext({ baseURL: server.url })
    contexts.push(context)
    context.setDefaultTimeout(WAIT_MS_MAX)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      // The pages of the fake have no icon, so errors of other origins are ignored.
      if (message.type() === 'error' && message.location().url.startsWith(server.url)) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    return { page, context, complaints }
  }

  const atProvider = (page: Page, name: string) => signInAt(page, { provider: fake.url, server: server.url }, name)

  /** Sends a request like a page of the server: with the session cookie. */
  const call = (page: Page, method: string, path: string, body?: object, more: Record<string, string> = {}) =>
    page.evaluate(
      async ([by, at, sent, headers]) => {
        const answer = await fetch(`/api${at}`, {
          method: by as string,
          headers: {
            'x-csrf': '1',
            ...(sent === null ? {} : { 'content-type': 'application/json' }),
            ...(headers as object),
          },
          ...(sent === null ? {} : { body: JSON.stringify(sent) }),
        })
        return { status: answer.status, ...(answer.status === 204 ? {} : await answer.json()) }
      },
      [method, path, body ?? null, more] as const,
    ) as Promise<Answer>

  async function signsIn(page: Page, provider: string, name: string): Promise<void> {
    await page.goto('/oauth/start')
    await page.getByRole('button', { name: `Continue with ${provider}` }).click()
    await atProvider(page, name)
    await page.waitForURL(`${server.url}/`)
  }

  async function nothingIsKept(page: Page): Promise<void> {
    expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).toEqual({})
    expect(await page.evaluate(() => document.cookie)).toBe('')
  }

  /** The header of a confirmation of identity by Google, as the page of the server passes it on. */
  async function confirmation(page: Page, name: string): Promise<Record<string, string>> {
    const begun = await call(page, 'POST', '/auth/oauth/google/step-up', { returnTo: '/' })
    await page.goto(begun.data.url as string)
    await atProvider(page, name)
    await page.waitForURL(/#step-up=/)
    return { 'x-step-up-token': page.url().split('#step-up=')[1] ?? '' }
  }

  it.each(['GitHub', 'Google'])(
    'signs in by %s from the page, and keeps nothing that a script could read',
    async (provider) => {
      const { page, context, complaints } = await visit()
      const name = `nina-${provider.toLowerCase()}@social.test`
      await signsIn(page, provider, name)
      const { data } = await call(page, 'GET', '/auth/me')
      expect(data.user).toMatchObject({ email: name, isEmailVerified: true })
      await nothingIsKept(page)
      for (const cookie of await context.cookies(server.url)) expect(cookie.httpOnly, cookie.name).toBe(true)
      await page.goBack()
      expect(page.url()).not.toMatch(/code=|state=/)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  it('links a second account after a confirmation, and lets the last one not go', async () => {
    const { page, context, complaints } = await visit()
    await signsIn(page, 'Google', 'lena@social.test')
    const last = await call(
      page,
      'DELETE',
      '/auth/me/links/google',
      undefined,
      await confirmation(page, 'lena@social.test'),
    )
    expect([last.status, last.code]).toEqual([409, 'CONFLICT'])
    const begun = await call(
      page,
      'POST',
      '/auth/me/links/github',
      { returnTo: '/' },
      await confirmation(page, 'lena@social.test'),
    )
    await page.goto(begun.data.url as string)
    await atProvider(page, 'lena-at-github')
    await page.waitForURL(`${server.url}/`)
    expect((await call(page, 'GET', '/auth/me/links')).data.links).toHaveLength(2)
    const gone = await call(
      page,
      'DELETE',
      '/auth/me/links/google',
      undefined,
      await confirmation(page, 'lena@social.test'),
    )
    expect(gone.status).toBe(204)
    // The browser logs the request that the server refused.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
    await context.close()
  })

  it('accepts an invitation by a social account, whose token waits on the server', async () => {
    const host = await visit()
    await signsIn(host.page, 'Google', 'host@social.test')
    const sent = await call(host.page, 'POST', '/invitation/send', { email: 'guest@social.test' })
    const link = new URL(sent.data.acceptUrl as string)
    const { page, context, complaints } = await visit()
    await page.goto(`${link.pathname}${link.search}`)
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(`${fake.url}/**`)
    expect(page.url()).not.toContain(link.searchParams.get('token'))
    await atProvider(page, 'guest@social.test')
    await page.waitForURL(`${server.url}/`)
    const { data } = await call(page, 'GET', '/auth/me')
    expect(data.user).toMatchObject({ email: 'guest@social.test' })
    expect(data.organization).toMatchObject({ role: 'member' })
    await nothingIsKept(page)
    // A person with another address cannot accept the invitation, and sees the reason.
    const other = await call(host.page, 'POST', '/invitation/send', { email: 'second@social.test' })
    const stranger = await visit()
    const url = new URL(other.data.acceptUrl as string)
    await stranger.page.goto(`${url.pathname}${url.search}`)
    await stranger.page.getByRole('button', { name: 'Continue with Google' }).click()
    await atProvider(stranger.page, 'stranger@social.test')
    await stranger.page.getByRole('alert').waitFor()
    expect((await call(stranger.page, 'GET', '/auth/me')).status).toBe(401)
    expect([...host.complaints, ...complaints]).toEqual([])
    for (const each of [host.context, context, stranger.context]) await each.close()
  })

  it('says what to do where the account is not there, and leaves the form as it was', async () => {
    const { page, context } = await visit()
    fake.people.set('unknown', { email: 'unknown@social.test', email_verified: false })
    await page.goto('/oauth/start')
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await atProvider(page, 'unknown')
    expect(await page.getByRole('alert').textContent()).toContain('password')
    await context.close()
  })
})
