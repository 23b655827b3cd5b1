/** Accounts elsewhere on the account screen: a person links one after a confirmation, signs in by it, and removes it. */
import { type FakeSso, startFakeSso } from '@plumbline/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoConsole, demoConsole, describeConsole, faultsOf, type Visit } from '../support/console.js'
import { atProvider } from '../support/provider.js'

interface Linked {
  readonly links: readonly { readonly provider: string; readonly email: string | null }[]
}

describeConsole('accounts that are linked', () => {
  let fake: FakeSso
  let demo: DemoConsole
  beforeAll(async () => {
    fake = await startFakeSso({ domain: 'social.test' })
    demo = await demoConsole({ settings: { ...fake.settings } })
  })
  afterAll(async () => {
    await demo?.stop()
    await fake?.close()
  })

  const linked = async () => (await (await demo.as('demo-owner'))<Linked>('GET', '/auth/me/links')).links
  const confirm = async ({ page }: Visit) => {
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.locator('input[type=password]').fill(demo.password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('one is linked after a confirmation, signs in, and is removed after another confirmation', async () => {
    const visit = await demo.open({ user: 'demo-owner' })
    const { page } = visit
    await page.goto('/console/demo/account')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Accounts elsewhere' }) })
    await section.getByRole('button', { name: 'Link Google' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await section.getByRole('button', { name: 'Link GitHub' }).click()
    await confirm(visit)
    await atProvider(page, { provider: fake.url, server: demo.url }, 'owner-at-github@social.test')
    await page.waitForURL('**/console/demo/account')
    await section.getByRole('button', { name: 'Remove link to GitHub' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(await linked()).toMatchObject([{ provider: 'github', email: 'owner-at-github@social.test' }])
    expect(await faultsOf(page)).toEqual([])

    const other = await demo.open()
    await other.page.goto('/oauth/start')
    await other.page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await atProvider(other.page, { provider: fake.url, server: demo.url }, 'owner-at-github@social.test')
    await other.page.waitForURL('**/console/demo/**')
    const me = await other.page.evaluate(async () => (await (await fetch('/api/auth/me')).json()).data)
    expect(me.user.username).toBe('demo-owner')
    await other.close()

    await section.getByRole('button', { name: 'Remove link to GitHub' }).click()
    // GitHub does not ask a person again, and this person has no second factor.
    const ways = page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('radio')
    await ways.first().waitFor()
    expect(await ways.evaluateAll((all) => all.map((each) => each.closest('label')?.textContent))).toEqual(['Password'])
    await confirm(visit)
    await page.getByText('The link is removed.').waitFor()
    await section.getByRole('button', { name: 'Link GitHub' }).waitFor()
    expect(await linked()).toEqual([])
    expect(visit.complaints).toEqual([])
    await visit.close()
  })
})
