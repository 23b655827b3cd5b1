/** The client against the server it was generated from. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityRegistration } from '../../server/src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../server/src/identity/tenant-operations.js'
import { allOperations } from '../../server/test/support/operations.js'
import { stepUp } from '../../server/test/support/organizations.js'
import { identityApp, signUp } from '../../server/test/support/sign-in.js'
import { sqliteStore } from '../../server/test/support/stores.js'
import { apiSource } from '../scripts/api-source.js'
import { ApiError, createClient, retrying, unwrap } from '../src/index.js'

describe('the generated types', () => {
  it('are those of the operations of the server', async () => {
    const file = new URL('../src/api.ts', import.meta.url)
    expect(readFileSync(file, 'utf8') === (await apiSource()), 'run: npm run generate').toBe(true)
  })

  it('take no more room than an operation needs', async () => {
    const lines = (await apiSource()).split('\n').length
    expect(lines / (await allOperations()).length).toBeLessThan(66)
  })
})

describe('a client', () => {
  let app: Awaited<ReturnType<typeof identityApp>>
  let store: Awaited<ReturnType<typeof sqliteStore>>
  beforeAll(async () => {
    store = await sqliteStore()
    app = await identityApp(store, { operations: TENANT_OPERATIONS, domains: [identityRegistration] })
  })
  afterAll(() => store.close())

  const fetch = (request: Request) => Promise.resolve(app.http.fetch(request))

  it('sends token and organization, and takes the data out of the envelope', async () => {
    const ann = await signUp(app, 'ann')
    const client = createClient({
      url: 'http://server/',
      token: () => ann.accessToken,
      organization: ann.orgSlug,
      fetch,
    })
    const me = await unwrap(client.GET('/auth/me'))
    expect(me.user.username).toBe('ann')
    expect(me.organization?.id).toBe(ann.orgId)
  })

  it('reads a file without an envelope', async () => {
    const eve = await signUp(app, 'eve')
    const client = createClient({ url: 'http://server', token: eve.accessToken, fetch })
    const params = { path: { id: eve.orgId } }
    const whole = await client.GET('/organization/{id}/export', { params, headers: await stepUp(app, eve) })
    expect(whole.data).toMatchObject({ format: 'plumbline.org-export', complete: true })
    const query = { format: 'ndjson' } as const
    const lines = await client.GET('/organization/{id}/export', {
      params: { ...params, query },
      headers: await stepUp(app, eve),
      parseAs: 'text',
    })
    expect(String(lines.data).trimEnd().split('\n').length).toBeGreaterThan(1)
  })

  it('throws what the server refused with', async () => {
    const client = createClient({ url: 'http://server', token: 'no token', fetch })
    const error = await unwrap(client.GET('/auth/me')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 401, code: 'TOKEN_INVALID' })
    expect((error as ApiError).requestId).toMatch(/./)
  })
})

describe('retrying', () => {
  const answers = (...statuses: (number | 'lost')[]) => {
    const seen: Request[] = []
    const waits: number[] = []
    const send = async (request: Request) => {
      seen.push(request)
      const status = statuses[seen.length - 1] ?? 200
      if (status === 'lost') throw new TypeError('fetch failed')
      return new Response(await request.text(), { status, headers: status === 429 ? { 'retry-after': '2' } : {} })
    }
    const options = { sleep: async (ms: number) => void waits.push(ms) }
    return { seen, waits, fetch: retrying(send, options) }
  }
  const post = (headers: Record<string, string> = {}) =>
    new Request('http://server/api/x', { method: 'POST', body: 'body', headers })

  it('repeats a read after a refusal that passes, as late as the server says', async () => {
    const { fetch, seen, waits } = answers(503, 429, 200)
    expect((await fetch(new Request('http://server/api/x'))).status).toBe(200)
    expect(seen).toHaveLength(3)
    expect(waits).toEqual([200, 2000])
  })

  it('repeats a write with an Idempotency-Key, body and all, and no other write', async () => {
    const keyed = answers('lost', 200)
    expect(await (await keyed.fetch(post({ 'idempotency-key': 'k' }))).text()).toBe('body')
    const bare = answers(503, 200)
    expect((await bare.fetch(post())).status).toBe(503)
    expect(bare.seen).toHaveLength(1)
  })

  it('ends at once when the caller aborts in a pause, and sends nothing more', async () => {
    const stop = new AbortController()
    let sent = 0
    const unavailable = async () => {
      sent++
      return new Response(null, { status: 503 })
    }
    const fetch = retrying(unavailable, { sleep: () => new Promise(() => undefined) })
    const asked = fetch(new Request('http://server/api/x', { signal: stop.signal }))
    await new Promise((resolve) => setImmediate(resolve))
    stop.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
    expect(sent).toBe(1)
  })

  it('gives up after its attempts, and does not repeat what will not pass', async () => {
    const { fetch, seen } = answers(503, 503, 503, 200)
    expect((await fetch(new Request('http://server/api/x'))).status).toBe(503)
    expect(seen).toHaveLength(3)
    const refused = answers(403, 200)
    expect((await refused.fetch(new Request('http://server/api/x'))).status).toBe(403)
  })
})
