/** The console for journeys: a real server with the demo, and Debian's Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { grantHostSuperAdmin, startServer, withHost } from '@plumbline/server'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { describe, it } from 'vitest'
import { chromiumPath } from '../../../server/test/support/chromium.js'
import { postgresDatabase, postgresMissing } from '../../../server/test/support/stores.js'
import { answerTo, signInAs } from './by-cookie.js'

const build = fileURLToPath(new URL('../../../server/dist/console/index.html', import.meta.url))

/** Skips the suite with a reason if Chromium is missing. In CI, nothing may be skipped. */
export function describeConsole(name: string, body: () => void): void {
  const isRequired = process.env.PLUMBLINE_REQUIRE_SERVICES === '1'
  if (chromiumPath !== undefined || isRequired) describe(name, body)
  else describe.skip(`${name} (no Chromium: apt-get install chromium)`, body)
}

export type Database = 'SQLite' | 'PostgreSQL'

/** The same on each database. Where no PostgreSQL answers, its part is skipped with the reason. */
export async function describeOnBoth(name: string, body: (database: Database) => void): Promise<void> {
  describeConsole(`${name} on SQLite`, () => body('SQLite'))
  const missing = await postgresMissing()
  if (missing === null) describeConsole(`${name} on PostgreSQL`, () => body('PostgreSQL'))
  else describe.skip(`${name} on PostgreSQL (${missing})`, () => void it('is not tested', () => undefined))
}

/** How long a page waits for a condition. A busy machine needs time. */
export const WAIT_MS_MAX = 60_000

export interface DemoConsole {
  readonly url: string
  readonly password: string
  /** The sign-in link of `demo-owner` that the terminal shows. */
  readonly link: string
  /** Returns a function that calls the API as this person of the demo. */
  as(user: string): Promise<Api>
  open(options?: OpenOptions): Promise<Visit>
  stop(): Promise<void>
}

export interface OpenOptions {
  /** Who is signed in. No page is open yet. */
  readonly user?: string
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
}

export type Api = <T = Record<string, never>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<T>

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors and warnings of the browser: script errors, violations of the content security policy. */
  readonly complaints: readonly string[]
  /** Waits until every request but the event stream has its answer, and the page shows it. */
  settled(): Promise<void>
  /** The same for what is in view: what is further down is not reached. */
  answered(): Promise<void>
  /** Opens the address as a link in the page does: what the page has loaded stays. */
  go(path: string): Promise<void>
  close(): Promise<void>
}

let browser: Promise<Browser> | null = null

/** One browser for all test files of a process. It ends with the process. */
export function browserOfProcess(): Promise<Browser> {
  browser ??= chromium.launch(chromiumPath === undefined ? {} : { executablePath: chromiumPath })
  return browser
}

interface DemoOptions {
  readonly database?: Database
  /** Settings of the server, which replace those of the other journeys. */
  readonly settings?: Readonly<Record<string, string>>
  /** A person who becomes a system administrator. */
  readonly superAdmin?: string
}

export async function demoConsole({
  database = 'SQLite',
  settings = {},
  superAdmin,
}: DemoOptions = {}): Promise<DemoConsole> {
  if (!existsSync(build)) throw new Error('the console is not built: run `npm run build` first')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-console-'))
  const postgres = database === 'PostgreSQL' ? await postgresDatabase() : null
  let shown = ''
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    PLUMBLINE_DEMO: 'true',
    PASSWORD_HASH_COST: '4',
    // The journeys of a file sign in more often than the limit for one address allows.
    AUTH_LIMITER_MAX: '200',
    // A file opens more pages than one person does in a quarter of an hour.
    LIMITER_MAX: '1000',
    NODE_ENV: 'test',
    LOG_LEVEL: process.env.SHOWN_LOG ?? 'silent',
    SHUTDOWN_DELAY_MS: '0',
    ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
    ...settings,
  }
  const print = (text: string) => {
    shown += text
  }
  let server = await startServer({ environment, print })
  const password = /password\s+(\S+)/.exec(shown)?.[1] ?? ''
  const link = /\S+\/console\/link#\S+/.exec(shown)?.[0] ?? ''
  if (superAdmin !== undefined) {
    // The host command runs while the server is stopped, so that neither waits for the other.
    await server.stop()
    await withHost({ environment }, (host) => grantHostSuperAdmin(host, superAdmin))
    server = await startServer({ environment, print })
  }
  const contexts: BrowserContext[] = []
  const { url } = server
  return {
    url,
    password,
    link,
    as: (user) => apiOf(url, user, password),
    async open(options = {}) {
      const opened = await visit(await browserOfProcess(), url, password, options)
      contexts.push(opened.context)
      return opened
    },
    async stop() {
      for (const context of contexts) await context.close()
      await server.stop()
      await postgres?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function apiOf(url: string, identifier: string, password: string): Promise<Api> {
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ identifier, password }),
  })
  const { data } = (await login.json()) as { data: { accessToken: string } }
  return async <T>(method: string, path: string, body?: unknown, more = {}) => {
    const headers = { ...json, authorization: `Bearer ${data.accessToken}`, ...more }
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T
  }
}

/** Expected messages: a request that was aborted, and a 401. */
const isHarmless = (text: string) => text.includes('net::ERR_ABORTED') || text.includes('401 (Unauthorized)')

async function visit(browser: Browser, url: string, password: string, options: OpenOptions): Promise<Visit> {
  const { user, width = 1280, height = 800, scheme = 'light' } = options
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(WAIT_MS_MAX)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isHarmless(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (user !== undefined) await signInAs(context, url, user, password)
  return { page, context, complaints, ...waitsOf(page), go: goingIn(page), close: () => context.close() }
}

/** What this needs of the router of the page. */
interface PageRouter {
  readonly state: { readonly status: string; readonly resolvedLocation?: { readonly pathname: string } }
}

function goingIn(page: Page): Visit['go'] {
  return async (path) => {
    if (!page.url().includes('/console/')) return void (await page.goto(path))
    await page.evaluate(async (to) => {
      history.pushState(null, '', to)
      const router = (globalThis as unknown as { __TSR_ROUTER__: PageRouter }).__TSR_ROUTER__
      // The screen before must be gone, or it would be taken for this one.
      do await new Promise(requestAnimationFrame)
      while (router.state.status !== 'idle' || router.state.resolvedLocation?.pathname !== location.pathname)
    }, path)
  }
}

/** The event stream stays open, so the network of the page is never idle as Playwright sees it. */
const isStream = (request: Request) => /\/(events|stream)$/.test(new URL(request.url()).pathname)

function waitsOf(page: Page): Pick<Visit, 'settled' | 'answered'> {
  const pending = new Set<Request>()
  page.on('request', (request) => isStream(request) || pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  // Two frames: what an answer changes, and the request that this change can bring.
  const painted = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const quietTwice = async (isQuiet: () => Promise<boolean>) => {
    const deadline = Date.now() + WAIT_MS_MAX
    for (let quiet = 0; quiet < 2; ) {
      await painted()
      quiet = pending.size === 0 && (await isQuiet()) ? quiet + 1 : 0
      if (Date.now() > deadline) throw new Error(`the page still waits for ${[...pending].map((r) => r.url())}`)
    }
  }
  const waiting = page.locator('.skeleton, main [aria-busy=true]')
  return {
    settled: () =>
      quietTwice(async () => {
        if ((await waiting.count()) === 0) return true
        // What is further down is read when a person gets there.
        await waiting
          .first()
          .scrollIntoViewIfNeeded({ timeout: 1000 })
          .catch(() => {})
        return false
      }),
    answered: () =>
      quietTwice(async () => {
        const boxes = await Promise.all(
          (await waiting.all()).map((each) => each.boundingBox({ timeout: 1000 }).catch(() => null)),
        )
        const height = page.viewportSize()?.height ?? 0
        return boxes.every((box) => box === null || box.y >= height || box.y + box.height <= 0)
      }),
  }
}

export async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User name or e-mail address').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/**
 * From now on the page shows what a person with fewer permissions or features would see. The checks of the server stay
 * the same.
 */
export async function withPermissions(page: Page, api: Api, keeps: (name: string) => boolean): Promise<void> {
  const me = await api<{ permissions: string[]; features: string[] }>('GET', '/auth/me')
  const data = { ...me, permissions: me.permissions.filter(keeps), features: me.features.filter(keeps) }
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: { success: true, statusCode: 200, data } }))
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export interface Fault {
  readonly id: string
  readonly target: string
  readonly summary: string
}

/** The violations of WCAG 2.2 AA that axe finds. */
export async function faultsOf(page: Page, rules: readonly string[] = []): Promise<readonly Fault[]> {
  // Injected with the debugger, because the content security policy of the page allows no other script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(axePath, 'utf8'))
  return page.evaluate(async (only) => {
    const axe = (
      globalThis as unknown as {
        axe: { run: (root: Document, options: object) => Promise<{ violations: Violation[] }> }
      }
    ).axe
    interface Violation {
      id: string
      nodes: { target: string[]; failureSummary: string }[]
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const runOnly = only.length === 0 ? { type: 'tag', values: tags } : { type: 'rule', values: only }
    const { violations } = await axe.run(document, { runOnly })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => ({ id, target: node.target.join(' '), summary: node.failureSummary })),
    )
  }, rules)
}

/**
 * Changes the data of what the API answers to reads, as the page gets it.
 *
 * @param change gets the data of a JSON answer, and the path.
 * @returns how many answers were changed: a test that changed none shows nothing.
 */
export async function withAnswers(
  { page, context }: Pick<Visit, 'page' | 'context'>,
  change: (data: unknown, path: string) => unknown,
): Promise<() => number> {
  let changed = 0
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' || /\/(events|stream|config)$/.test(pathname)) return route.continue()
    const response = await answerTo(route, context)
    if (response.headers()['content-type']?.includes('json') !== true) return route.fulfill({ response })
    const body = (await response.json()) as { readonly data?: unknown }
    if (response.status() !== 200 || body.data === undefined) return route.fulfill({ response })
    changed += 1
    return route.fulfill({ response, json: { ...body, data: change(body.data, pathname) } })
  })
  return () => changed
}
