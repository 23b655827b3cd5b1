/** How often the console asks the server: for each screen, in an idle tab, and with ten tabs. */
import type { Browser } from 'playwright-core'
import type { BenchOptions, BenchTable } from '../harness.js'
import { type Served, visit } from './visit.js'

const ORG = '/console/demo'
const TABS = 10
const SHOWN = 5

/** What the navigation leads to, and what the first row of each list opens. */
async function screensOf(browser: Browser, served: Served): Promise<string[]> {
  const one = await visit(browser, served, 'demo-owner')
  await one.page.goto(`${ORG}/rules`)
  await one.settled()
  const links = one.page.locator(`nav a[href^="${ORG}"]`)
  const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
  const opened: string[] = []
  for (const path of new Set(addresses)) {
    await one.measure(`go('${path}')`)
    await one.settled()
    const row = one.page.locator('main tbody tr a')
    if ((await row.count()) > 0) opened.push((await row.first().getAttribute('href')) ?? '')
  }
  await one.context.close()
  return [...new Set([...addresses, ...opened])].filter((path) => path.startsWith(ORG)).sort()
}

/** Goes from screen to screen as a click does, without what an earlier one has read. */
async function ofScreens(browser: Browser, served: Served, screens: readonly string[]) {
  const counted: { path: string; asked: readonly string[] }[] = []
  for (const path of screens) {
    const one = await visit(browser, served, 'demo-owner')
    await one.page.goto(path === `${ORG}/rules` ? `${ORG}/pipelines` : `${ORG}/rules`)
    await one.settled()
    one.asked()
    await one.measure(`go('${path}')`)
    await one.settled()
    counted.push({ path, asked: one.asked() })
    await one.context.close()
  }
  return counted.sort((a, b) => b.asked.length - a.asked.length)
}

async function ofIdleTab(browser: Browser, served: Served, ms: number): Promise<number> {
  const one = await visit(browser, served, 'demo-owner')
  await one.page.goto(`${ORG}/findings`)
  await one.settled()
  one.asked()
  await one.page.waitForTimeout(ms)
  const { length } = one.asked()
  await one.context.close()
  return length
}

/** @returns the event streams that are open with so many tabs of one browser. */
async function ofTabs(browser: Browser, served: Served, tabs: number): Promise<number> {
  const one = await visit(browser, served, 'demo-owner')
  let open = 0
  const isStream = (url: string) => new URL(url).pathname === '/api/events'
  one.context.on('request', (request) => {
    if (isStream(request.url())) open += 1
  })
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    one.context.on(end as 'requestfinished', (request) => {
      if (isStream(request.url())) open -= 1
    })
  }
  await one.page.goto(`${ORG}/rules`)
  await one.settled()
  for (let tab = 1; tab < tabs; tab++) await (await one.context.newPage()).goto(`${ORG}/rules`)
  await one.page.waitForTimeout(3000)
  const streams = open
  await one.context.close()
  return streams
}

/** Ids are others in each run. */
const withoutIds = (text: string): string => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')

export async function requestsTable(browser: Browser, served: Served, { quick }: BenchOptions): Promise<BenchTable> {
  const minutes = quick ? 0.05 : 3
  const screens = await screensOf(browser, served)
  const counted = await ofScreens(browser, served, screens.slice(0, quick ? 3 : undefined))
  const idle = await ofIdleTab(browser, served, minutes * 60_000)
  const within = counted.filter(({ asked }) => asked.length <= 3).length
  return {
    title: `How often the console asks, ${screens.length} screens`,
    unit: 'requests',
    columns: ['what', 'requests', 'wanted'],
    rows: [
      ['screens with at most 3', `${within} of ${counted.length}`, 'all'],
      ...counted
        .slice(0, SHOWN)
        .map(({ path, asked }) => [
          withoutIds(`\`${path.slice(ORG.length) || '/'}\`: ${asked.join(', ')}`),
          asked.length,
          '3',
        ]),
      [`an idle tab in ${minutes} minutes, beside its stream`, idle, String(minutes)],
      [`event streams of ${quick ? 2 : TABS} tabs`, await ofTabs(browser, served, quick ? 2 : TABS), '1'],
    ],
    note: `Each screen, and what the first row of its list opens, is reached as by a click, by a person who has read nothing of it; the ${SHOWN} that ask most are named.`,
  }
}
