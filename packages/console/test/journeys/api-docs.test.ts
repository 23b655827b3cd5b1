/**
 * The API documentation for a newcomer: it loads, explains how to sign in, and "Try it" sends requests as the signed-in
 * person.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoConsole, demoConsole, describeConsole } from '../support/console.js'

describeConsole('the documentation of the API', () => {
  let demo: DemoConsole
  beforeAll(async () => {
    demo = await demoConsole()
  }, 120_000)
  afterAll(() => demo?.stop())

  it('says how to sign in, finds an operation and calls it with the token that was entered', {
    timeout: 120_000,
  }, async () => {
    const login = await fetch(`${demo.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'demo-owner', password: demo.password }),
    })
    const { data } = (await login.json()) as { data: { accessToken: string } }
    const { page, complaints, close } = await demo.open()
    page.setDefaultTimeout(60_000)
    await page.goto('/api/docs')
    await page.locator('.opblock-tag').first().waitFor()
    expect(await page.locator('.info').textContent()).toMatch(/Sign in\. Call POST \/auth\/login/)
    expect(await page.locator('.errors-wrapper').count()).toBe(0)

    await page.locator('.auth-wrapper .authorize').first().click()
    await page.locator('.modal-ux input').first().fill(data.accessToken)
    await page.locator('.modal-ux button.authorize').first().click()
    await page.locator('.modal-ux .btn-done').first().click()

    await page.locator('.operation-filter-input').fill('identity me')
    await page.locator('#operations-tag-identity_auth').waitFor({ state: 'detached' })
    await page.locator('#operations-tag-identity_me').click()
    const operation = page.locator('.opblock-get').filter({ hasText: '/auth/me' }).first()
    await operation.locator('button').first().click()
    await operation.locator('.execute').click()
    const answer = operation.locator('.live-responses-table')
    await answer.waitFor()
    expect(await answer.textContent()).toMatch(/200[\s\S]*"username": "demo-owner"/)

    // The token is still there after the page was reloaded.
    await page.reload()
    await page.locator('.auth-wrapper .authorize.locked').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})
