/** The month behind the demo: what people find in it, that its parts agree, and that the trail of it verifies. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.js'
import { makeDemo, type ShownDemo } from '../src/demo/make.js'
import { prepareFirstStart } from '../src/identity/index.js'
import { DAY_MS } from '../src/runtime/clock.js'
import { silentLog } from '../src/runtime/log/log.js'
import type { Store } from '../src/runtime/store/db.js'
import { describeStores } from './support/describe-stores.js'
import { testSettings } from './support/settings.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
type Data = any

await describeStores('the month of the demo', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let app: App
  let demo: ShownDemo
  const failures: unknown[] = []
  beforeAll(async () => {
    store = await open()
    const settings = testSettings({ PLUMBLINE_DEMO_HISTORY: 'true' })
    app = createApp({ store, settings, log: silentLog, print: () => undefined })
    await prepareFirstStart(app.runtime)
    const log = { ...silentLog, write: (_name: string, { error }: Data) => void failures.push(error) }
    const made = await makeDemo({ runtime: app.runtime, store, settings, log })
    if (made === null) throw new Error('no demo was made')
    demo = made
  })
  afterAll(async () => {
    await app.close()
    await store.close()
  })

  const get = async (path: string, as = demo.token): Promise<Data> => {
    const headers = { authorization: `Bearer ${as}` }
    const answer = await app.http.fetch(new Request(`http://server.test/api${path}`, { headers }), {})
    const body = (await answer.json()) as Data
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body.data
  }

  it('is told whole', () => {
    expect(failures).toEqual([])
    expect(demo.hasHistory).toBe(true)
  })

  it('has exemptions in every state, and one that waits for each of two people', async () => {
    const { exemptions } = await get('/compliance/exemptions?limit=100')
    const states = new Set(exemptions.map(({ status }: Data) => status))
    expect([...states].sort()).toEqual(['approved', 'expired', 'pending', 'rejected', 'revoked'])
    const waiting = exemptions
      .filter(({ status }: Data) => status === 'pending')
      .map(({ createdBy }: Data) => createdBy)
    expect(waiting).toEqual(expect.arrayContaining([demo.people['demo-owner'], demo.people['demo-admin']]))
  })

  it('has blocked checks today, an upload among them', async () => {
    const { entries } = await get('/compliance/audit?result=block&limit=100')
    const today = entries.filter(({ createdAt }: Data) => Date.parse(createdAt) > app.runtime.clock.now() - 3_600_000)
    expect(today.map(({ target, action }: Data) => `${target} ${action}`).sort()).toEqual([
      'pipeline update',
      'pipeline update',
      'plugin upload',
    ])
  })

  it('goes back a month, and its figures agree with the log and the scans', async () => {
    // Midnight may have passed since the history was written: a day more is asked for than it goes back. Soon after
    // midnight there is one day less: the part of today begins 45 minutes back, on the day before.
    const { days, checks: sums } = await get('/compliance/summary?days=33')
    const { pass, warn, block }: Record<string, number> = sums
    const written = days.filter(({ checks }: Data) => checks.pass + checks.warn + checks.block > 0)
    expect([30, 31, 32]).toContain(written.length)
    const { scans } = await get('/compliance/scans?limit=50')
    expect(new Set(scans.map(({ status }: Data) => status))).toEqual(new Set(['completed', 'cancelled']))
    const { pagination } = await get('/compliance/audit?limit=1')
    expect((pass ?? 0) + (warn ?? 0) + (block ?? 0)).toBe(pagination.total)
  })

  it('leaves findings that are open, requested, exempted and fixed', async () => {
    const seen = new Set<string>()
    for (const state of ['open', 'requested', 'exempted', 'fixed']) {
      const { findings } = await get(`/compliance/findings?state=${state}&limit=10`)
      if (findings.length > 0) seen.add(state)
    }
    expect([...seen]).toEqual(['open', 'requested', 'exempted', 'fixed'])
  })

  it('leaves no credential that works but those that are shown', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token: demo.linkToken })
    const request = new Request('http://server.test/api/auth/login/link', { method: 'POST', headers, body })
    const { accessToken } = ((await (await app.http.fetch(request, {})).json()) as Data).data
    const { pats } = await get('/auth/pats', accessToken)
    const alive = pats.filter(({ expiresAt }: Data) => Date.parse(expiresAt) > app.runtime.clock.now())
    expect(alive.map(({ name }: Data) => name)).toEqual(['first start'])
  })

  it('has a trail that verifies', async () => {
    await app.drain(5000)
    const report = await get('/audit/verify')
    expect(report).toMatchObject({ ok: true, verdict: 'valid' })
    const { events } = await get('/audit?limit=1&sortOrder=asc')
    expect(app.runtime.clock.now() - Date.parse(events[0].createdAt)).toBeGreaterThan(29 * DAY_MS)
  })
})
