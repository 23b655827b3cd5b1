/**
 * Every screen, and what the first row of its list opens, asks the server at most three times, changes such as marking a
 * message as read included. Not counted: what the page asks once for all screens, what is further down, and the same
 * request again, which the stream of changes can cause.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SECTIONS } from '../../src/app/sections.js'
import { type Api, type DemoConsole, demoConsole, describeConsole, type Visit } from '../support/console.js'
import { seed } from '../support/seed.js'

const MOST = 3
const SHARED = /^\/api\/(auth\/me|auth\/me\/preferences|config|messages\/unread\/count|events)$/
const lists = SECTIONS.flatMap(({ routes }) => Object.keys(routes)).filter((path) => !path.includes('$'))

interface Finding {
  readonly id: string
  readonly entityId: string
}

describeConsole('requests of a screen', () => {
  let demo: DemoConsole
  let owner: Api
  let ruleId = ''
  let visit: Visit
  let asked: string[] = []
  beforeAll(async () => {
    // Every link is opened as a page of its own, which asks for everything again.
    demo = await demoConsole({ settings: { LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
    ruleId = (await seed(owner)).ruleId
    visit = await demo.open({ user: 'demo-owner' })
    visit.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && !SHARED.test(pathname)) asked.push(`${request.method()} ${pathname}`)
    })
  })
  afterAll(() => demo?.stop())

  const isWithin = async (address: string): Promise<void> => {
    asked = []
    await visit.page.goto(address)
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    await visit.answered()
    expect(new Set(asked).size, `${address} asks ${asked.join(', ')}`).toBeLessThanOrEqual(MOST)
  }

  it.each(lists)('%s, and what its first row opens', async (path) => {
    await isWithin(`/console/demo/${path}`)
    const links = visit.page.locator('main tbody tr a')
    const first = (await links.count()) === 0 ? null : await links.first().getAttribute('href')
    if (first !== null) await isWithin(first)
  })

  it('what a link opens and the list does not have: a finding, an exemption that somebody else asked for', async () => {
    const member = await demo.as('demo-member')
    const { findings } = await owner<{ findings: Finding[] }>('GET', `/compliance/findings?ruleId=${ruleId}`)
    const [{ id, entityId } = {}] = findings
    const request = { ruleId, entityType: 'pipeline', entityId, reason: 'until next month' }
    const { exemption } = await member<{ exemption: { id: string } }>('POST', '/compliance/exemptions', request)
    const { page } = visit
    await isWithin(`/console/demo/findings?state=fixed&sheet=${id}`)
    await page.getByRole('dialog').getByText('Checks that found it').waitFor()
    await isWithin(`/console/demo/exemptions?show=soon&sheet=${exemption.id}`)
    await page.getByRole('dialog').getByText('demo-member').waitFor()
  })
})
