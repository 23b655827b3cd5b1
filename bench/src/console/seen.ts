/** What a person waits for: the first paint, a long list, the verdict after a key, the slowest reaction of a walk. */
import type { Browser, Route } from 'playwright-core'
import { answerTo } from '../../../packages/console/test/support/by-cookie.js'
import { type BenchOptions, type BenchTable, median } from '../harness.js'
import { launch, type Served, type Visit, visit } from './visit.js'

const ORG = '/console/demo'
const ROWS = 500
const PAGE = 50

interface Line {
  readonly name: string
  readonly samples: readonly number[]
  readonly wanted: string
}

type Body = { readonly data: Record<string, unknown> }

/** Answers reads of this address with what the server says, changed. */
async function withAnswer({ page }: Visit, part: string, change: (data: Body['data']) => Body['data']): Promise<void> {
  await page.route(
    (url) => url.pathname === part,
    async (route: Route) => {
      const response = await answerTo(route, page.context())
      const body = (await response.json()) as Body
      await route.fulfill({ response, json: { ...body, data: change(body.data) } })
    },
  )
}

/** The sign-in page in a browser that has nothing of it, on a slow network and with a quarter of the processor. */
async function paint(browser: Browser, served: Served, latency: number, megabits: number): Promise<number> {
  const one = await visit(browser, served)
  const session = await one.context.newCDPSession(one.page)
  const bytes = (megabits * 1e6) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytes,
    uploadThroughput: bytes / 2,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await one.page.goto('/console/sign-in')
  await one.page.getByLabel('Password').waitFor()
  await one.settled()
  const paintedMs = await one.measure<number>('paintedMs()')
  await one.context.close()
  return paintedMs
}

/** From the last byte of the answer to the frame with the last row. */
async function longList(browser: Browser, served: Served, rows: number): Promise<number> {
  const one = await visit(browser, served, 'demo-owner')
  await withAnswer(one, '/api/pipelines', (data) => {
    const [first] = data.pipelines as Record<string, unknown>[]
    const pipelines = Array.from({ length: rows }, (_, n) => ({ ...first, id: `row-${n}`, pipelineName: `row ${n}` }))
    return { ...data, pipelines, pagination: { ...(data.pagination as object), total: ROWS } }
  })
  await one.page.goto(`${ORG}/rules`)
  await one.settled()
  await one.measure(`go('${ORG}/pipelines')`)
  const ms = await one.measure<number>(`rowsMs('/api/pipelines', ${rows})`)
  await one.context.close()
  return ms
}

const digits = (n: number): string => {
  let text = ''
  for (let at = n + 1; text.length < 40; at = (at * 48271) % 2147483647) text += String(at % 10)
  return text
}

/** A condition whose effect changes with every key. */
async function keys(browser: Browser, served: Served, entities: number, rounds: number): Promise<number[]> {
  const one = await visit(browser, served, 'demo-owner')
  const { page } = one
  await withAnswer(one, '/api/compliance/inventory', (data) => {
    const [first] = data.entities as { attributes: object }[]
    const made = Array.from({ length: entities }, (_, n) => ({
      ...first,
      id: `entity-${n}`,
      attributes: { ...first?.attributes, description: digits(n) },
    }))
    return { ...data, entities: made }
  })
  await page.goto(`${ORG}/rules/new`)
  await page.getByLabel('Name').fill('measured')
  await page.getByLabel('Field', { exact: true }).fill('description')
  await page.getByLabel('Operator').selectOption('contains')
  const value = page.getByLabel('Value', { exact: true })
  await value.fill('7')
  await value.focus()
  await one.settled()
  const samples: number[] = []
  for (let round = 0; round < rounds; round++) {
    // The server's count changes the same panel 400 ms after a key.
    await page.waitForTimeout(900)
    await one.settled()
    await one.measure(`watchKey('section[aria-label="What it would stop"]')`)
    await page.keyboard.press(round % 2 === 0 ? String(round % 10) : 'Backspace')
    samples.push(await one.measure<number>('keyMs()'))
  }
  await one.context.close()
  return samples
}

/** The walks of the journeys that open, filter, sort and type, each from its first screen. */
const WALKS: Readonly<Record<string, (one: Visit) => Promise<void>>> = {
  async 'find why the upload was blocked'({ page, settled }) {
    await page.goto(`${ORG}/findings`)
    await settled()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('image', { delay: 60 })
    await settled()
    await page.keyboard.press('Escape')
    await page.locator('main tbody tr a, main tbody tr button').first().click()
  },
  async 'write a rule'({ page, settled }) {
    await page.goto(`${ORG}/rules/new`)
    await settled()
    await page.getByLabel('Name').pressSequentially('Pipelines name a team', { delay: 40 })
    await page.getByLabel('Field', { exact: true }).pressSequentially('labels.team', { delay: 40 })
    await page.getByRole('tab', { name: 'YAML' }).click()
    await settled()
    await page.getByRole('tab', { name: 'JSON' }).click()
  },
  async 'decide an exemption'({ page, settled }) {
    await page.goto(`${ORG}/exemptions`)
    await settled()
    await page.locator('main tbody tr a, main tbody tr button').first().click()
  },
  async 'watch a scan'({ page, settled }) {
    await page.goto(`${ORG}/scans`)
    await settled()
    await page.getByRole('button', { name: /scan/i }).first().click()
  },
  async 'verify the trail'({ page, settled }) {
    await page.goto(`${ORG}/audit`)
    await settled()
    await page.getByRole('button', { name: 'Verify' }).click()
  },
  async 'look for a pipeline'({ page, settled }) {
    await page.goto(`${ORG}/pipelines`)
    await settled()
    await page.getByRole('searchbox').first().pressSequentially('store', { delay: 60 })
    await settled()
    await page.locator('main thead button').first().click()
  },
}

async function slowest(browser: Browser, served: Served, walk: (one: Visit) => Promise<void>): Promise<number> {
  const one = await visit(browser, served, 'demo-owner')
  await walk(one)
  await one.settled()
  const ms = await one.measure<number>('worstMs()')
  await one.context.close()
  return ms
}

async function times(count: number, run: () => Promise<number>): Promise<number[]> {
  const samples: number[] = []
  for (let round = 0; round < count; round++) samples.push(await run())
  return samples
}

export async function seenTable(
  browser: Browser,
  served: Served,
  { quick }: BenchOptions,
  buildSeconds: number,
): Promise<BenchTable> {
  const rounds = quick ? 1 : 7
  // Chromium compiles scripts in the background and keeps them, so each first paint has a browser of its own.
  const fresh = async (latency: number, megabits: number) => {
    const own = await launch()
    try {
      return await paint(own, served, latency, megabits)
    } finally {
      await own.close()
    }
  }
  const lines: Line[] = [
    {
      name: 'sign-in painted: 1.6 Mbit/s, 150 ms a request, a quarter of the processor',
      samples: await times(rounds, () => fresh(150, 1.6)),
      wanted: '2,000',
    },
    {
      name: 'the same, 562 ms a request (“Slow 4G” of the developer tools)',
      samples: await times(rounds, () => fresh(562.5, 1.44)),
      wanted: '',
    },
    {
      name: `a list of ${ROWS} rows, in pages of ${PAGE} as every screen shows it`,
      samples: await times(rounds, () => longList(browser, served, PAGE)),
      wanted: '100',
    },
    {
      name: `${ROWS} rows at once, which no screen shows`,
      samples: await times(rounds, () => longList(browser, served, ROWS)),
      wanted: '',
    },
    { name: 'key to verdict, 1,000 entities', samples: await keys(browser, served, 1000, rounds * 3), wanted: '150' },
    {
      name: 'key to verdict, 10,000 entities',
      samples: await keys(browser, served, 10_000, rounds * 3),
      wanted: '300',
    },
  ]
  for (const [name, walk] of Object.entries(WALKS).slice(0, quick ? 1 : undefined)) {
    const samples = await times(quick ? 1 : 3, () => slowest(browser, served, walk))
    lines.push({ name: `slowest reaction: ${name}`, samples, wanted: '200' })
  }
  const show = (ms: number) => Math.round(ms).toLocaleString('en-US')
  return {
    title: 'What a person waits for, headless Chromium',
    unit: 'ms',
    columns: ['what', 'median', 'worst', 'wanted'],
    rows: [
      ...lines.map(({ name, samples, wanted }) => [name, show(median(samples)), show(Math.max(...samples)), wanted]),
      ['building the console', show(buildSeconds * 1000), '', '10,000'],
    ],
    note: 'A paint is the largest contentful paint of a browser without anything stored. A list counts from the last byte of its answer to the frame with the last row. A verdict counts from the key to the frame that shows it. A reaction is the longest interaction that the browser reports (steps of 8 ms; 0: none took 16 ms). The browser, the server and the measurement share the cores.',
  }
}
