/** The console as people meet it: a real server with the demo, and Debian's Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '@plumbline/server'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const build = fileURLToPath(new URL('../../../server/dist/console/index.html', import.meta.url))

/** Skipped with the reason where Chromium is missing; in CI nothing may be skipped. */
export function describeConsole(name: string, body: () => void): void {
  const isRequired = process.env.PLUMBLINE_REQUIRE_SERVICES === '1'
  if (executablePath !== undefined || isRequired) describe(name, body)
  else describe.skip(`${name} (no Chromium: apt-get install chromium)`, body)
}

export interface DemoConsole {
  readonly url: string
  readonly password: string
  /** The sign-in link that the terminal shows, of `demo-owner`. */
  readonly link: string
  /** Calls the API as this person of the demo. */
  as(user: string): Promise<Api>
  open(options?: OpenOptions): Promise<Visit>
  stop(): Promise<void>
}

export interface OpenOptions {
  readonly user?: string
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
}

export type Api = <T = Record<string, never>>(method: string, path: string, body?: unknown) => Promise<T>

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of: script errors, refused policies. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

export async function demoConsole(): Promise<DemoConsole> {
  if (!existsSync(build)) throw new Error('the console is not built: run `npm run build` first')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-console-'))
  let shown = ''
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    PLUMBLINE_DEMO: 'true',
    PASSWORD_HASH_COST: '4',
    // The journeys of a file sign in more often than one address may.
    AUTH_LIMITER_MAX: '200',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY_MS: '0',
  }
  const print = (text: string) => {
    shown += text
  }
  const server = await startServer({ environment, print })
  const password = /password\s+(\S+)/.exec(shown)?.[1] ?? ''
  const link = /\S+\/console\/link#\S+/.exec(shown)?.[0] ?? ''
  let browser: Browser | null = null
  const { url } = server
  return {
    url,
    password,
    link,
    as: (user) => apiOf(url, user, password),
    async open(options = {}) {
      browser ??= await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }) })
      return visit(browser, url, password, options)
    },
    async stop() {
      await browser?.close()
      await server.stop()
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
  return async <T>(method: string, path: string, body?: unknown) => {
    const headers = { ...json, authorization: `Bearer ${data.accessToken}` }
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

/** Chromium's own style for what is typed into a text that can be edited; harmless, and known. */
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
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isHarmless(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  if (user !== undefined) {
    await page.goto('/console/sign-in')
    await signIn(page, user, password)
    await page.waitForURL('**/overview')
  }
  return { page, context, complaints, close: () => context.close() }
}

export async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User name or e-mail address').fill(user)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export interface Fault {
  readonly id: string
  readonly target: string
  readonly summary: string
}

/** What axe finds wrong, to WCAG 2.2 AA. */
export async function faultsOf(page: Page): Promise<readonly Fault[]> {
  // Through the debugger, for the page's own policy lets no other script in.
  await page.evaluate(readFileSync(axePath, 'utf8'))
  return page.evaluate(async () => {
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
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values: tags } })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => ({ id, target: node.target.join(' '), summary: node.failureSummary })),
    )
  })
}
