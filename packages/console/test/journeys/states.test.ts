/** Every screen in each state that data can be in: none, 10,000 records, a server that fails, and a person who may not see it. */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { permissionsOf } from '../../src/app/section.js'
import { SECTIONS } from '../../src/app/sections.js'
import {
  type Api,
  type DemoConsole,
  demoConsole,
  describeConsole,
  faultsOf,
  type Visit,
  withAnswers,
  withPermissions,
} from '../support/console.js'
import { seed } from '../support/seed.js'

const screens = SECTIONS.filter(({ superAdmin }) => superAdmin !== true).flatMap((section) =>
  Object.keys(section.routes)
    .filter((path) => !path.includes('$'))
    .map((path) => ({ path, section })),
)
const lists = screens.map(({ path }) => path)
const ROWS = 50
const TOTAL = 10_000

type Body = Record<string, unknown>
const isList = (value: unknown): value is Body[] => Array.isArray(value) && typeof value[0] === 'object'

/** An answer of a list as it is with this many records of the kinds that it has. */
function multiplied(data: Body): Body {
  if (typeof data['pagination'] !== 'object') return data
  const grown = Object.entries(data).map(([key, value]) => {
    if (!isList(value)) return [key, value]
    const rows = Array.from({ length: ROWS }, (_, n) => {
      const row = value[n % value.length] ?? {}
      return 'id' in row ? { ...row, id: randomUUID() } : { ...row, revision: n + 2 }
    })
    return [key, rows]
  })
  const pagination = { ...data['pagination'], total: TOTAL, hasMore: true }
  return { ...Object.fromEntries(grown), pagination }
}

/** The same without any record. */
function emptied(data: Body): Body {
  const bare = Object.entries(data).map(([key, value]) => [key, Array.isArray(value) ? [] : value])
  const pagination = typeof data['pagination'] === 'object' ? { pagination: { ...data['pagination'], total: 0 } } : {}
  return { ...Object.fromEntries(bare), ...pagination }
}

/** Who is signed in and what the server has stay as they are. */
const isRecord = (path: string) => !/\/(auth\/me|config|organization|events|stream)$/.test(path)

const answering = (visit: Visit, change: (data: Body) => Body) =>
  withAnswers(visit, (data, path) => (isRecord(path) ? change(data as Body) : data))

describeConsole('every screen', () => {
  let demo: DemoConsole
  let owner: Api
  let visit: Visit
  let seeded: Awaited<ReturnType<typeof seed>>
  beforeAll(async () => {
    demo = await demoConsole({ settings: { LIMITER_MAX: '0' } })
    owner = await demo.as('demo-owner')
    seeded = await seed(owner)
  })
  afterAll(() => demo?.stop())
  beforeEach(async () => {
    visit = await demo.open({ user: 'demo-owner' })
  })
  afterEach(() => visit.close())

  /** Its text, once it has loaded. */
  const shown = async (path: string, isFresh = false): Promise<string> => {
    const { page } = visit
    const address = `/console/demo/${path}`
    await (isFresh ? page.goto(address) : visit.go(address))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await visit.settled()
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(beyond, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
    return (await page.locator('main').textContent()) ?? ''
  }

  it('without a record says what is missing, and shows no half-made number', async () => {
    const changed = await answering(visit, emptied)
    // What is written in backticks is shown as code.
    for (const path of [...lists, 'findings?group=control', 'pipelines?tab=templates'])
      expect(await shown(path), path).not.toMatch(/undefined|NaN|\[object|Invalid Date|`/)
    expect(changed()).toBeGreaterThan(lists.length)
    expect(visit.complaints).toEqual([])
  })

  it('with 10,000 records shows one page of them, their number and the way on', async () => {
    await answering(visit, multiplied)
    const paged: string[] = []
    for (const path of lists) {
      if (!(await shown(path)).includes(`1–${ROWS} of 10,000`)) continue
      paged.push(path)
      expect(await visit.page.getByRole('button', { name: 'Next' }).first().isEnabled(), path).toBe(true)
    }
    expect(paged).toEqual(expect.arrayContaining(['audit', 'checks', 'findings', 'inbox', 'pipelines', 'plugins']))
    expect(visit.complaints).toEqual([])
  })

  it('with 10,000 records of a list inside a record shows one page of them, their number and the way on', async () => {
    const { page } = visit
    await owner('POST', '/compliance/scan-schedules', { target: 'all', cronExpression: '0 2 1 1 *' })
    const { plugins } = await owner<{ plugins: { id: string }[] }>('GET', '/plugins?limit=1')
    await answering(visit, (data) => (isList(data['entities']) ? { ...data, total: TOTAL } : multiplied(data)))
    for (const path of [
      'scans?tab=schedules',
      `scans/${seeded.scanId}`,
      `plugins/${plugins[0]?.id}?tab=versions`,
      `rules/${seeded.ruleId}?tab=history`,
      `pipelines/${seeded.pipelineId}?tab=revisions`,
    ]) {
      expect(await shown(path), path).toContain(`1–${ROWS} of 10,000`)
      await page.getByRole('button', { name: 'Next' }).first().click()
      await page.getByText('51–100 of 10,000').waitFor()
      expect(new URL(page.url()).searchParams.get('page'), path).toBe('2')
    }
    expect(await shown(`pipelines/${seeded.pipelineId}`)).toContain('All checks (10,000)')
    expect(await shown('findings?group=rule')).toMatch(/9,\d{3} findings are in other groups/)
    expect(await faultsOf(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  it('a scan shows what it blocked and what it warned of, each by itself, and never what passed', async () => {
    const { page } = visit
    await page.goto(`/console/demo/scans/${seeded.scanId}`)
    await page.getByRole('link', { name: 'checkout' }).waitFor()
    await page.getByLabel(/^Warned/).check()
    await page.getByText('No entity has this result').waitFor()
    expect(new URL(page.url()).search).toBe('?result=warn')
    expect(await faultsOf(page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })

  it('a thread begins with its newest messages, and leads to the older ones', async () => {
    const { page } = visit
    const { user, organization } = await owner<{ user: { id: string }; organization: { id: string } }>(
      'GET',
      '/auth/me',
    )
    const admin = await demo.as('demo-admin')
    const { message } = await admin<{ message: { id: string } }>('POST', '/messages', {
      recipientOrgId: organization.id,
      recipientUserId: user.id,
      subject: 'The long one',
      content: 'It begins here',
    })
    for (let n = 1; n <= ROWS; n += 1) await admin('POST', `/messages/${message.id}/reply`, { content: `Answer ${n}.` })
    await page.goto(`/console/demo/inbox?sheet=${message.id}`)
    const thread = page.getByRole('dialog', { name: 'The long one' })
    await thread.getByText(`1–${ROWS} of ${ROWS + 1}`).waitFor()
    await thread.getByText(`Answer ${ROWS}.`).waitFor()
    await thread.getByRole('button', { name: 'Next' }).click()
    await thread.getByText('It begins here').waitFor()
    expect(visit.complaints).toEqual([])
  })

  it('says that the server failed, offers to try again, and is right after it without a reload', async () => {
    const { page } = visit
    let isDown = true
    await page.route('**/api/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (!isDown || route.request().method() !== 'GET' || !isRecord(pathname)) return route.continue()
      const json = {
        success: false,
        statusCode: 500,
        code: 'INTERNAL_ERROR',
        message: 'a fault',
        requestId: 'r-states',
      }
      return route.fulfill({ status: 500, json })
    })
    const silent: string[] = []
    for (const path of lists) if (!(await shown(path, true)).includes('The server failed')) silent.push(path)
    // The first reads nothing, the second what stayed; the others say that this server lacks them.
    expect(silent).toEqual(['pipelines/new', 'organization', 'images', 'billing'])
    await shown('pipelines')
    expect(await faultsOf(page)).toEqual([])
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The server failed').waitFor({ state: 'detached' })
    await page.getByRole('table').waitFor()
  })

  const nothing = randomUUID()
  it.each([
    ['overview', '/compliance/exemptions'],
    ['rules', '/compliance/rules/coverage'],
    ['rules/new', '/compliance/inventory'],
    ['plugins', '/plugins/plugin-usage'],
    ['delivery?tab=sources', '/reports/parked'],
    ['drafts?tab=settings', '/pipelines/providers'],
    [`exemptions?sheet=${nothing}`, `/compliance/exemptions/${nothing}`],
    [`library?sheet=${nothing}`, `/compliance/rules/${nothing}`],
  ])('%s says that one of its reads failed', async (path, read) => {
    const { page } = visit
    const json = { success: false, statusCode: 500, code: 'INTERNAL_ERROR', message: 'a fault', requestId: 'r-one' }
    await page.route(
      ({ pathname }) => pathname === `/api${read}`,
      (route) => route.fulfill({ status: 500, json }),
    )
    const text = await shown(path)
    expect(text).toContain('The server failed')
    // An unknown number is not zero.
    if (path === 'plugins') expect(text).not.toMatch(/None0/)
    await page.unrouteAll()
    if (path.includes('sheet=')) return
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The server failed').waitFor({ state: 'detached' })
  })

  it.each([
    ['exemptions', 'rule'],
    ['exemptions', 'entity'],
    ['audit', 'actor'],
    ['audit', 'target'],
  ])('%s shows that it is filtered by %s, and a way out', async (path, name) => {
    await shown(`${path}?${name}=${nothing}`)
    await visit.page.getByRole('button', { name: /^Remove the filter/ }).click()
    await expect.poll(() => new URL(visit.page.url()).searchParams.has(name)).toBe(false)
  })

  it('has the menu of the organization beside an address that leads nowhere', async () => {
    await shown('nothing/here')
    await visit.page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    await visit.page.getByRole('navigation').getByRole('link', { name: 'Findings' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Findings' }).waitFor()
    expect(visit.complaints).toEqual([])
  })

  it('names the permission that a person lacks', async () => {
    await withPermissions(visit.page, owner, () => false)
    const { sections } = await owner<{ sections: Record<string, boolean> }>('GET', '/config')
    const named: string[] = []
    for (const { path, section } of screens) {
      const [permission] = permissionsOf(section)
      if (permission === undefined || (section.server !== undefined && sections[section.server] !== true)) continue
      expect(await shown(path), path).toContain(`It needs the permission ${permission}`)
      named.push(path)
    }
    expect(named).toEqual(expect.arrayContaining(['rules', 'rules/new', 'findings', 'pipelines', 'plugins', 'audit']))
    expect(await faultsOf(visit.page)).toEqual([])
    expect(visit.complaints).toEqual([])
  })
})
