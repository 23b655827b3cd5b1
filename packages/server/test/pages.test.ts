/** Without the console, every link that an e-mail holds leads to a page of ours; the pages run nothing inline and fetch nothing elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.js'
import { MODULES } from '../src/runtime/declared.js'
import { createLog } from '../src/runtime/log/log.js'
import type { Store } from '../src/runtime/store/db.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

let app: App
let store: Store
beforeAll(async () => {
  store = await sqliteStore()
  app = createApp({
    store,
    settings: testSettings({ PLUMBLINE_MODULES: MODULES.filter((name) => name !== 'console').join(',') }),
    log: createLog({ level: 'silent' }),
  })
})
afterAll(async () => {
  await app.close()
  await store.close()
})

const ask = async (path: string): Promise<Response> => app.http.fetch(new Request(`http://server.test${path}`), {})

const source = fileURLToPath(new URL('../src', import.meta.url))
const links = new Set(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(/appUrl\([^)]*\)\}(\/[a-z-/]+)\?token=/g)])
    .map(([, path = '']) => path),
)

describe('the pages for people', () => {
  it('are there for every link of an e-mail', async () => {
    expect([...links]).toEqual(expect.arrayContaining(['/reset-password', '/verify-email', '/invite/accept']))
    for (const path of links) {
      const response = await ask(`${path}?token=plr_secret`)
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).not.toContain('plr_secret')
    }
  })

  it.each(['/', ...links])('%s is HTML that allows no script, frame or connection but ours', async (path) => {
    const response = await ask(path)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/)
    expect(policy).not.toContain('unsafe')
    const html = await response.text()
    expect(html).not.toMatch(/https?:|<script>|<style| on[a-z]+=| style=/)
    for (const [, link = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect([link, (await ask(link)).status]).toEqual([link, 200])
    }
  })

  it('have a script with a function for each', () => {
    const script = readFileSync(new URL('../assets/pages.js', import.meta.url), 'utf8')
    for (const path of links) expect(script).toContain(`'${path.slice(1).replace('/', '-')}':`)
    expect(script).not.toMatch(
      /innerHTML|insertAdjacentHTML|eval\(|localStorage|sessionStorage|document\.cookie|indexedDB/,
    )
  })
})
