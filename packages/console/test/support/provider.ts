/** The sign-in page of the fake providers. */
import type { Page } from 'playwright-core'

export interface Between {
  readonly provider: string
  readonly server: string
}

/** Types a name at the provider, agrees, and comes back to the server. */
export async function atProvider(page: Page, { provider, server }: Between, name: string): Promise<void> {
  await page.waitForURL(`${provider}/**`)
  await page.locator('input[name=login]').fill(name)
  const password = page.locator('input[name=password]')
  if ((await password.count()) > 0) await password.fill('any')
  await page.locator('button[type=submit], input[type=submit], button').first().click()
  const consent = page.getByRole('button', { name: 'Continue' })
  await Promise.race([consent.waitFor(), page.waitForURL(`${server}/**`)])
  if (page.url().startsWith(provider)) await consent.click()
  await page.waitForURL(`${server}/**`)
}
