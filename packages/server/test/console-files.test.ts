/** The console's files: what is in the folder and nothing else, in the best form, for as long as it may be kept; without a build, a way to one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyConsole } from '../scripts/copy-console.js'
import { type App, createApp } from '../src/app.js'
import { webConsole } from '../src/console/index.js'
import { DOMAINS } from '../src/domains.js'
import type { Site } from '../src/runtime/http/site.js'
import { silentLog } from '../src/runtime/log/log.js'
import type { Store } from '../src/runtime/store/db.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

const SCRIPT = `export const words = ${JSON.stringify('plumb line '.repeat(400))}\n`
const HTML = `<!doctype html><meta name="plumbline-base-path" content="/api" /><script type="module" src="/console/assets/app-h4sh.js"></script>\n`
const SECRET = 'a secret beside the folder'

let store: Store
let folder: string
let app: App
const site = webConsole.site as Site
const appWith = (at: string, settings: Record<string, string> = {}): App =>
  createApp({
    store,
    settings: testSettings(settings),
    log: silentLog,
    domains: DOMAINS.map((each) => (each.name === 'console' ? { ...each, site: { ...site, folder: at } } : each)),
  })

beforeAll(async () => {
  store = await sqliteStore()
  folder = mkdtempSync(join(tmpdir(), 'plumbline-console-'))
  writeFileSync(join(folder, 'secret.txt'), SECRET)
  const built = join(folder, 'built')
  mkdirSync(join(built, 'assets'), { recursive: true })
  writeFileSync(join(built, 'index.html'), HTML)
  writeFileSync(join(built, 'assets', 'app-h4sh.js'), SCRIPT)
  writeFileSync(join(built, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(built, '.plumbline-stamp'), 'stamp')
  await copyConsole(built, join(folder, 'console'))
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'console', 'link.txt'))
  app = appWith(join(folder, 'console'))
})
afterAll(async () => {
  await app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', of = app): Promise<Response> =>
  of.http.fetch(new Request(`http://server.test${path}`, { method, headers }), {})
const SCRIPT_PATH = '/console/assets/app-h4sh.js'

describe('the files of the console', () => {
  it('answer every address of the console, the home and the links of e-mails with its index', async () => {
    for (const path of ['/', '/console', '/console/', '/console/acme/rules/1.2.3?tab=history', ...site.entries]) {
      const answer = await ask(path)
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expect(await answer.text()).toBe(HTML)
    }
  })

  it('allow no script, frame, form or connection but ours, and tell no other site the address', async () => {
    for (const path of ['/console', SCRIPT_PATH]) {
      const { headers } = await ask(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain(
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types plumbline-worker",
      )
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('come in the best form that the client accepts, made at build, with a tag of each', async () => {
    const tags = new Set<string>()
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0', null, (bytes: Buffer) => bytes],
    ] as const) {
      const answer = await ask(SCRIPT_PATH, { 'accept-encoding': accepted })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, coding])
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(answer.headers.get('content-length')).toBe(String(bytes.length))
      expect(decode(bytes).toString()).toBe(SCRIPT)
      const tag = answer.headers.get('etag') ?? ''
      tags.add(tag)
      const again = await ask(SCRIPT_PATH, { 'accept-encoding': accepted, 'if-none-match': `"other", ${tag}` })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    expect(tags.size).toBe(3)
  })

  it('answer HEAD with the headers of GET, and one range of the bytes as they are', async () => {
    const whole = await ask(SCRIPT_PATH)
    const head = await ask(SCRIPT_PATH, {}, 'HEAD')
    expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
      200,
      '',
      whole.headers.get('content-length'),
    ])
    await fc.assert(
      fc.asyncProperty(fc.nat(SCRIPT.length + 5), fc.nat(SCRIPT.length + 5), async (first, last) => {
        const part = await ask(SCRIPT_PATH, { range: `bytes=${first}-${last}`, 'accept-encoding': 'br' })
        if (last < first) return void expect(part.status).toBe(200)
        if (first >= SCRIPT.length) return void expect(part.status).toBe(416)
        expect(part.status).toBe(206)
        expect(await part.text()).toBe(SCRIPT.slice(first, last + 1))
      }),
      { numRuns: 40 },
    )
    const stale = await ask(SCRIPT_PATH, { range: 'bytes=0-3', 'if-range': '"older"' })
    expect([stale.status, await stale.text()]).toEqual([200, SCRIPT])
  })

  it('are those of the folder: no spelling of an address leads out of it, and no link either', async () => {
    const ups = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '..\\', '....//', '%252e%252e/', '/', './', '%00']
    const names = [
      'secret.txt',
      'built/index.html',
      'etc/passwd',
      'link.txt',
      '.plumbline-stamp',
      'assets/app-h4sh.js.br',
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...ups), { maxLength: 4 }),
        fc.constantFrom(...names),
        async (way, name) => {
          for (const start of ['/console/', '/console/assets/', '/console//']) {
            const answer = await ask(start + way.join('') + name)
            const text = await answer.text()
            expect(text).not.toContain(SECRET)
            expect([200, 404]).toContain(answer.status)
            if (answer.status === 200) expect(text).toBe(HTML)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('answer 404 for a script that is gone, never the index', async () => {
    const answer = await ask('/console/assets/app-0lder.js')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json'])
  })

  it('take nothing: other methods, other addresses and the API stay as they are', async () => {
    expect((await ask('/console', {}, 'POST')).status).toBe(404)
    expect((await ask('/consoles')).status).toBe(404)
    expect((await ask('/api/auth/me')).status).toBe(401)
    expect((await ask('/api/nowhere')).status).toBe(404)
  })

  it('tell the page where the API is', async () => {
    const other = appWith(join(folder, 'console'), { BASE_PATH: '/plumb/api' })
    expect(await (await ask('/console', {}, 'GET', other)).text()).toContain('content="/plumb/api"')
    await other.close()
  })

  it('without a build: the pages of before, and a page that says how to build it', async () => {
    const bare = appWith(join(folder, 'nothing'))
    const page = await ask('/console', {}, 'GET', bare)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('npm run build')])
    expect(await (await ask('/', {}, 'GET', bare)).text()).toContain('Plumbline is running')
    expect(await (await ask('/reset-password', {}, 'GET', bare)).text()).toContain('Set a new password')
    await bare.close()
  })

  it('are of the module `console`', async () => {
    const modules = DOMAINS.map(({ name }) => name).filter((name) => name !== 'console')
    const without = appWith(join(folder, 'console'), { PLUMBLINE_MODULES: modules.join(',') })
    expect((await ask('/console', {}, 'GET', without)).status).toBe(404)
    expect(await (await ask('/', {}, 'GET', without)).text()).toContain('Plumbline is running')
    await without.close()
  })
})
