/** A page of the console in Chromium, with the functions of `in-page.js`. */
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core'
import { signInAs } from '../../../packages/console/test/support/by-cookie.js'
import { chromiumPath } from '../../../packages/server/test/support/chromium.js'

const inPage = fileURLToPath(new URL('in-page.js', import.meta.url))
const WAIT_MS_MAX = 120_000

export interface Served {
  readonly url: string
  readonly password: string
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Addresses of the API that the page asked for since the last call, the event stream left out. */
  asked(): string[]
  /** Waits until no request is open and nothing is loading. */
  settled(): Promise<void>
  /** Calls a function of `in-page.js`. */
  measure<T>(call: string): Promise<T>
}

export const launch = (): Promise<Browser> =>
  chromium.launch(chromiumPath === undefined ? {} : { executablePath: chromiumPath })

/** @param user nobody is signed in without it. */
export async function visit(browser: Browser, { url, password }: Served, user?: string): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(WAIT_MS_MAX)
  await context.addInitScript({ path: inPage })
  if (user !== undefined) await signInAs(context, url, user, password)
  const page = await context.newPage()
  const measure = <T>(call: string) => page.evaluate(`bench.${call}`) as Promise<T>
  return { page, context, measure, ...watched(page) }
}

const isOfApi = (request: Request) => {
  const { pathname } = new URL(request.url())
  return pathname.startsWith('/api/') && !/\/(events|stream)$/.test(pathname)
}

/** False for what is not shown, and for what is further down or gone. */
async function isInView(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox({ timeout: 1000 }).catch(() => null)
  return box !== null && box.y < (page.viewportSize()?.height ?? 0) && box.y + box.height > 0
}

function watched(page: Page): Pick<Visit, 'asked' | 'settled'> {
  const open = new Set<Request>()
  let seen: string[] = []
  page.on('request', (request) => {
    if (!isOfApi(request)) return
    open.add(request)
    seen.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (r) => open.delete(r))
  return {
    asked() {
      const since = seen
      seen = []
      return since
    },
    async settled() {
      const deadline = performance.now() + WAIT_MS_MAX
      for (let quiet = 0; quiet < 3; ) {
        if (performance.now() > deadline) throw new Error(`${page.url()} waits for ${[...open].map((r) => r.url())}`)
        await page.waitForTimeout(50)
        const waiting = await page.locator('.skeleton, main [aria-busy=true]').all()
        // What is further down is asked for when a person gets there.
        const inView = await Promise.all(waiting.map((each) => isInView(page, each)))
        quiet = open.size === 0 && !inView.includes(true) ? quiet + 1 : 0
      }
    },
  }
}
