/**
 * Ways into the console beside the password, against a real identity provider: by the address at work, by a social
 * account, and into an organization that opens only with its single sign-on. Nothing that is typed is lost meanwhile.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeSso, startFakeSso } from '../../../server/src/sso/fake/start.js'
import { oneTimeCode } from '../../../server/test/support/one-time-code.js'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeOnBoth,
  faultsOf,
  signIn,
  type Visit,
} from '../support/console.js'

const DOMAIN = 'acme.test'

/** At the provider: types a name, and agrees where it asks. */
async function passProvider(page: Page, fake: FakeSso, name: string): Promise<void> {
  await page.waitForURL(`${fake.url}/**`)
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('[type=submit]').click()
  const consent = page.locator('form:has(input[name=prompt][value=consent])')
  const back = page.waitForURL((url) => url.origin !== new URL(fake.url).origin)
  await Promise.race([back, consent.waitFor()])
  if (page.url().startsWith(fake.url)) await consent.locator('[type=submit]').click()
  await back
}

await describeOnBoth('ways in beside the password', (database) => {
  let fake: FakeSso
  let demo: DemoConsole
  let owner: Api
  let orgId = ''
  beforeAll(async () => {
    fake = await startFakeSso({ domain: DOMAIN })
    const settings = { ...fake.settings, BILLING_ENABLED: 'false', LIMITER_MAX: '0', STEP_UP_LIMITER_MAX: '50' }
    demo = await demoConsole({ database, settings })
    owner = await demo.as('demo-owner')
    orgId = (await owner<{ organization: { id: string } }>('GET', '/auth/me')).organization.id
    const { issuer, clientId, clientSecret } = { issuer: fake.url, ...fake }
    await confirmed('PUT', `/organization/${orgId}/idp`, { issuer, clientId, clientSecret, jit: true })
    const { domain } = await confirmed<{ domain: { id: string; record: { name: string; value: string } } }>(
      'POST',
      `/organization/${orgId}/domains`,
      { domain: DOMAIN },
    )
    fake.records.set(domain.record.name, [domain.record.value])
    await owner('POST', `/organization/${orgId}/domains/${domain.id}/verify`)
  })
  afterAll(async () => {
    await demo?.stop()
    await fake?.close()
  })

  /** The pages of the provider ask other sites for their look. */
  async function open(user?: string): Promise<Visit> {
    const visit = await demo.open(user === undefined ? {} : { user })
    const isOther = ({ hostname }: URL) => hostname !== '127.0.0.1'
    await visit.context.route(isOther, (route) => route.fulfill({ contentType: 'text/css', body: '' }))
    return visit
  }

  async function confirmed<T>(method: string, path: string, body: object): Promise<T> {
    const proof = { method: 'password', password: demo.password }
    const { stepUpToken } = await owner<{ stepUpToken: string }>('POST', '/auth/step-up', proof)
    return owner<T>(method, path, body, { 'x-step-up-token': stepUpToken })
  }

  it('a new colleague signs in with the address at work, and arrives where they wanted to go', async () => {
    const { page, complaints, close } = await open()
    await page.goto('/console/demo/rules')
    await page.getByRole('button', { name: 'Single sign-on' }).click()
    const named = page.getByLabel('E-mail address at work, or organization')
    await named.fill('nina@elsewhere.test')
    await page.getByRole('button', { name: 'Go to the identity provider' }).click()
    await page.getByText('No organization has single sign-on for this address').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await named.fill('no-such-organization')
    await page.getByRole('button', { name: 'Go to the identity provider' }).click()
    await page.getByRole('alert').waitFor()
    await named.fill(`nina@${DOMAIN}`)
    await page.getByRole('button', { name: 'Go to the identity provider' }).click()
    await passProvider(page, fake, 'nina')
    await page.waitForURL('**/console/demo/rules')
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor()
    const { members } = await owner<{ members: { email: string; role: string }[] }>(
      'GET',
      `/organization/${orgId}/members?limit=100`,
    )
    expect(members).toContainEqual(expect.objectContaining({ email: `nina@${DOMAIN}`, role: 'member' }))
    // Of the organization that does not exist.
    expect(complaints).toEqual([expect.stringContaining('404')])
    await close()
  })

  it('a person without an account comes by a social account', async () => {
    const { page, complaints, close } = await open()
    await page.goto('/console/sign-in')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await passProvider(page, fake, 'sol@social.test')
    await page.waitForURL('**/console/**')
    await page.getByRole('button', { name: /^Account / }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it('an organization that opens only with its single sign-on says so, and opens with a proof for the session', async () => {
    const writing = await open('demo-admin')
    await writing.page.goto('/console/demo/rules/new')
    await writing.page.getByLabel('Name', { exact: true }).fill('Typed before')
    await writing.page.getByLabel('Field', { exact: true }).fill('labels.kept')
    const early = await open('demo-member')
    await enforce()
    await goesOn(writing)
    await early.page.goto('/console/demo/rules')
    await early.page.getByRole('heading', { name: 'demo opens only with its single sign-on' }).waitFor()
    expect(await faultsOf(early.page)).toEqual([])
    await prove(early.page, 'member-at-work')
    await early.page.waitForURL('**/console/demo/rules')
    await early.page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor()
    expect(early.complaints).toEqual([])
    await early.close()
    // A password leads to the provider.
    const late = await open()
    await late.page.goto('/console/demo/findings')
    await signIn(late.page, 'demo-admin', demo.password)
    await late.page.getByText('Your organization asks for its single sign-on').waitFor()
    expect(await faultsOf(late.page)).toEqual([])
    await late.page.getByRole('button', { name: 'Go to the identity provider' }).click()
    await passProvider(late.page, fake, 'admin-at-work')
    await late.page.waitForURL('**/console/demo/findings')
    await late.page.getByRole('heading', { name: 'Findings', level: 1 }).waitFor()
    await late.close()
  })

  /** The first proof of a session links the identity to the account, so it needs a confirmation. */
  async function prove(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Go to the identity provider' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.locator('input[type=password]').fill(demo.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await passProvider(page, fake, name)
  }

  /** The organization has closed since the page was opened: the proof is given in another tab, and what was typed is saved. */
  async function goesOn({ page, complaints, close }: Visit): Promise<void> {
    await page.getByRole('button', { name: 'Save rule' }).dispatchEvent('click')
    const over = page.getByRole('dialog', { name: 'demo opens only with its single sign-on' })
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      over.getByRole('link', { name: 'Sign in in another tab' }).click(),
    ])
    expect(await faultsOf(page)).toEqual([])
    await prove(other, 'admin-at-work')
    await other.waitForURL('**/console/demo/overview')
    await other.close()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await over.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before')
    await page.getByRole('button', { name: 'Save rule' }).click()
    await page.getByRole('heading', { name: 'Typed before' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  }

  /** What the owner does: tests the provider, sets a second factor, and asks everybody for the provider. */
  async function enforce(): Promise<void> {
    const { page, close } = await open('demo-owner')
    await page.goto('/console/demo/sign-on')
    await page.getByRole('button', { name: /^Test / }).click()
    await passProvider(page, fake, 'owner-at-work')
    await page.getByText('The test worked').waitFor()
    await close()
    const { secret } = await confirmed<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {})
    await confirmed('POST', '/auth/mfa/totp/confirm', { code: oneTimeCode(secret) })
    await confirmed('PUT', `/organization/${orgId}/idp/enforcement`, { enforced: true })
  }
})
