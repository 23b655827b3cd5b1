/**
 * Single sign-on: a domain is proved by its DNS record, enforcement names what is missing, and every part is
 * accessible.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeConsole, withPermissions } from '../support/console.js'
import { type Looks, looksOf } from '../support/looks.js'

describeConsole('single sign-on', () => {
  let demo: DemoConsole
  let owner: Api
  beforeAll(async () => {
    demo = await demoConsole({ settings: { LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
  })
  afterAll(() => demo?.stop())

  it('a domain is added after a confirmation, its record is there to copy, and enforcement says what is missing', async () => {
    const { page, complaints, close } = await demo.open({ user: 'demo-owner' })
    await page.goto('/console/demo/sign-on?tab=domains')
    await page.getByRole('button', { name: 'New domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('shop.example')
    await page.getByRole('button', { name: 'Create' }).click()
    const confirm = page.getByRole('dialog').last()
    await confirm.getByLabel('Password', { exact: true }).last().fill(demo.password)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'TXT record: shop.example' }).waitFor()
    const { id } = (await owner<{ organization: { id: string } }>('GET', '/auth/me')).organization
    const { domains } = await owner<{ domains: { domain: string; record: { name: string; value: string } }[] }>(
      'GET',
      `/organization/${id}/domains`,
    )
    expect(domains).toMatchObject([{ domain: 'shop.example', status: 'pending' }])
    await page.getByText(domains[0]?.record.value ?? '', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Enforcement' }).click()
    await page.getByText('Passwords work beside the provider').waitFor()
    expect(await page.getByText('missing', { exact: true }).count()).toBeGreaterThan(0)
    await page.getByText('A proven domain').waitFor()
    expect(await page.getByRole('button', { name: 'Enforce' }).isDisabled()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })

  it('is locked without the feature, and forbidden without its permission', async () => {
    const { page, close } = await demo.open({ user: 'demo-owner' })
    await withPermissions(page, owner, (each) => each !== 'sso')
    await page.goto('/console/demo/sign-on')
    await page.getByText('This organization does not have this section').waitFor()
    await close()
    const member = await demo.open({ user: 'demo-member' })
    await member.page.goto('/console/demo/sign-on')
    await member.page.getByText('org:idp').waitFor()
    await member.close()
  })

  describe('is sound in light, dark and at 320 px', () => {
    let looks: Looks
    beforeAll(async () => {
      looks = await looksOf(demo, 'demo-owner')
    })
    it.each(['providers', 'domains', 'enforcement', 'scim', 'refused'])('%s', (tab) => looks.at(`sign-on?tab=${tab}`))
    it('a new provider', () =>
      looks.at('sign-on', ({ page }) => page.getByRole('button', { name: 'New provider' }).click()))
  })
})
