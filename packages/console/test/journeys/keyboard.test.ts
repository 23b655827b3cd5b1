/** The journeys once more by keyboard alone, on a phone: whatever is pressed was reached by Tab or by a shortcut. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type DemoConsole, demoConsole, describeOnBoth } from '../support/console.js'
import { seed } from '../support/seed.js'

/** No screen has so many places for the focus. */
const TABS_MAX = 300
const WIDTH = 390

/** Presses Tab until the element has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  const first = wanted.first()
  await first.waitFor()
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    if (await first.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

async function press(page: Page, wanted: Locator): Promise<void> {
  await reach(page, wanted)
  await page.keyboard.press('Enter')
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

await describeOnBoth('journeys by keyboard', (database) => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  beforeAll(async () => {
    demo = await demoConsole({ database })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
  })
  afterAll(() => demo?.stop())

  /** Begins at the overview and goes to a screen by its shortcut. */
  async function open(user: string, key: string, heading: string) {
    const visit = await demo.open({ user, width: WIDTH })
    await visit.page.goto('/console/demo/overview')
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    await visit.page.keyboard.press('g')
    await visit.page.keyboard.press(key)
    await visit.page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    return visit
  }

  it('why it was blocked, an exemption, and the decision of the second person', async () => {
    const first = await demo.open({ user: 'demo-owner', width: WIDTH })
    await first.page.goto(`/console/demo/checks?result=block&rule=${ruleId}`)
    await press(first.page, first.page.getByRole('link', { name: 'checkout' }))
    const sheet = first.page.getByRole('dialog')
    await sheet.getByText('labels.team must be present').first().waitFor()
    await press(first.page, sheet.getByRole('button', { name: 'Ask for an exemption' }))
    await first.page.getByRole('dialog', { name: 'Exemption from' }).waitFor()
    await first.page.keyboard.type('The team is being formed')
    await press(first.page, first.page.getByRole('button', { name: 'Send request' }))
    await first.page.getByText('Somebody else has to decide').waitFor()
    const second = await open('demo-admin', 'e', 'Exemptions')
    await press(second.page, second.page.getByRole('link', { name: 'checkout' }))
    await press(second.page, second.page.getByRole('button', { name: 'Approve' }))
    await second.page.getByText('The exemption is approved.').waitFor()
    const { exemptions } = await owner<{ exemptions: object[] }>('GET', '/compliance/exemptions')
    expect(exemptions).toMatchObject([{ status: 'approved', reason: 'The team is being formed' }])
    expect([...first.complaints, ...second.complaints]).toEqual([])
    await Promise.all([first.close(), second.close()])
  })

  it('a rule is written and saved', async () => {
    const { page, complaints, close } = await open('demo-owner', 'r', 'Rules')
    await press(page, page.getByRole('link', { name: 'New rule' }))
    await type(page, page.getByLabel('Name', { exact: true }), 'Pipelines have a pager')
    await type(page, page.getByLabel('Field', { exact: true }), 'labels.pager')
    await page.getByText('3 of 3 stored entities fail it').waitFor()
    await press(page, page.getByRole('button', { name: 'Save rule' }))
    await page.getByRole('heading', { name: 'Pipelines have a pager' }).waitFor()
    const { rules } = await owner<{ rules: object[] }>('GET', '/compliance/rules?name=pager')
    expect(rules).toMatchObject([{ name: 'Pipelines have a pager', field: 'labels.pager', mode: 'observe' }])
    expect(complaints).toEqual([])
    await close()
  })

  it('a scan is started and followed to its end', async () => {
    const active = async () => {
      const { scans } = await owner<{ scans: { status: string }[] }>('GET', '/compliance/scans?limit=100')
      return scans.filter(({ status }) => status === 'pending' || status === 'running').length
    }
    await expect.poll(active).toBe(0)
    const { page, complaints, close } = await open('demo-owner', 's', 'Scans')
    await press(page, page.getByRole('button', { name: 'Scan now' }))
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Scan now' }))
    await page.waitForURL('**/scans/*-*')
    await page.getByRole('heading', { name: 'Scan of' }).waitFor()
    await page.getByText('Completed').waitFor()
    const { scan } = await owner<{ scan: object }>('GET', `/compliance/scans/${page.url().split('/').pop()}`)
    expect(scan).toMatchObject({ status: 'completed', totalEntities: 3 })
    expect(complaints).toEqual([])
    await close()
  })

  it('the auditor has the trail verified, and the focus returns to what opened the verdict', async () => {
    const { page, complaints, close } = await open('demo-owner', 'a', 'Audit trail')
    await press(page, page.getByRole('button', { name: 'Verify' }))
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

  it('a colleague is invited', async () => {
    const { page, complaints, close } = await open('demo-owner', 'm', 'People')
    await press(page, page.getByRole('button', { name: 'Invite' }))
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('kim@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('/invite/accept?token=').waitFor()
    const { invitations } = await owner<{ invitations: { email: string }[] }>('GET', '/invitation')
    expect(invitations.map(({ email }) => email)).toContain('kim@example.com')
    expect(complaints).toEqual([])
    await close()
  })
})
