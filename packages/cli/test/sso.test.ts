/** Sign-on from nothing to a signed-in colleague, on the command line, against `plumbline sso fake`. */
import { type FakeSso, startFakeSso } from '@plumbline/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../src/main.js'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { collector, memoryIo, runCli } from './support/memory-io.js'

let fake: FakeSso
let server: PersonServer
beforeAll(async () => {
  fake = await startFakeSso()
  server = await personServer({
    BILLING_ENABLED: 'false',
    STEP_UP_LIMITER_MAX: '50',
    AUTH_LIMITER_MAX: '500',
    ...fake.settings,
  })
  await cli(['login'], { stdin: `${PERSON}\n${PASSWORD}\n` })
})
afterAll(async () => {
  await remove(server)
  await fake.close()
})

const cli = (argv: string[], { stdin, env = {} }: { stdin?: string; env?: Record<string, string> } = {}) =>
  runCli(argv, {
    env: { ...server.env, ...env },
    cwd: server.folder,
    now: new Date(),
    ...(stdin === undefined ? {} : { stdin }),
  })

const control = (path: string, body: object) =>
  fetch(`${fake.url}/_fake/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A browser: it keeps cookies by host, and does what the pages of the server do. */
class Browser {
  private readonly cookies = new Map<string, Map<string, string>>()

  async ask(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = this.jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const each of answer.headers.getSetCookie()) {
      const [pair = ''] = each.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }

  private jarOf(url: string): Map<string, string> {
    const { host } = new URL(url)
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar)
    return jar
  }

  private async post(path: string, body: object) {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.ask(`${server.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { code?: string; data: { url: string; kind: string; location: string } }
  }

  /** From the page that a program names to the end: what the callback answered. */
  async signIn(startUrl: string, name: string) {
    const ticket = new URL(startUrl).searchParams.get('ticket')
    const way = startUrl.includes('/oauth/') ? 'oauth' : 'sso'
    const { data } = await this.post(`/auth/${way}/start`, { ticket })
    const back = new URL(await this.atProvider(data.url, name))
    const provider = back.pathname.split('/').at(-1) ?? ''
    return this.post(`/auth/${way}/${provider}/callback`, Object.fromEntries(back.searchParams))
  }

  private async atProvider(address: string, name: string): Promise<string> {
    let next: { url: string; init?: RequestInit } = { url: address }
    for (let hop = 0; hop < 15; hop++) {
      const answer = await this.ask(next.url, next.init)
      const location = answer.headers.get('location')
      if (location !== null) {
        const url = new URL(location, next.url)
        if (url.pathname.startsWith('/auth/callback/')) return url.href
        next = { url: url.href }
        continue
      }
      const text = await answer.text()
      const [, action = ''] = /action="([^"]+)"/.exec(text) ?? []
      const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(text) ?? []
      expect(prompt, text.slice(0, 400)).not.toBe('')
      const body = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt })
      next = { url: new URL(action, next.url).href, init: { method: 'POST', body } }
    }
    throw new Error('the provider sends in circles')
  }
}

/** `plumbline login` with its own credentials, while a browser does its part. */
async function signsIn(way: string[], file: string, act: (start: string, browser: Browser) => Promise<void>) {
  const stdout = collector()
  const stderr = collector()
  const env = { ...server.env, PLUMBLINE_CREDENTIALS: `${server.folder}/${file}` }
  const world = { env, cwd: server.folder, now: new Date() }
  const ends = main(['login', ...way, '--no-browser'], memoryIo(world, stdout.stream, stderr.stream))
  const start = await until(() => /open in your browser: (\S+)/.exec(stderr.text())?.[1], ends)
  if (start !== undefined) await act(start, new Browser())
  return { code: await ends, text: stdout.text() + stderr.text() }
}

async function until<T>(look: () => T | undefined, ends: Promise<unknown>): Promise<T | undefined> {
  let isOver = false
  void ends.finally(() => {
    isOver = true
  })
  for (;;) {
    const found = look()
    if (found !== undefined || isOver) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const PASS = { stdin: `${PASSWORD}\n` }
const SETUP = ['sso', 'setup', '--client-id', 'plumbline', '--client-secret-env', 'IDP_SECRET']

describe('sign-on on the command line', () => {
  it('says what is missing before anything is set up', async () => {
    const { stdout } = await cli(['sso', 'status'])
    expect(stdout).toContain('none: run `plumbline sso setup`')
    expect((await cli(['sso', 'setup', '--client-id', 'x'], PASS)).stderr).toContain('--issuer is required')
    expect((await cli([...SETUP, '--issuer', fake.url], PASS)).stderr).toContain('IDP_SECRET holds no secret')
    expect((await cli(['login', '--sso', 'acme', '--no-browser'])).stderr).toContain('NOT_FOUND')
  })

  it('is set up, with the redirect address to enter at the provider', async () => {
    const env = { IDP_SECRET: fake.clientSecret }
    const made = await cli([...SETUP, '--issuer', fake.url, '--json'], { ...PASS, env })
    expect(made.code, made.stderr).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({ issuer: fake.url, hasSecret: true, alg: 'RS256' })
    expect(made.stderr).toMatch(/redirect address: http:\S+\/auth\/callback\/sso\//)
    expect(made.stdout + made.stderr).not.toContain(fake.clientSecret)
    const changed = await cli(['sso', 'setup', '--session-hours', '4', '--jit', 'yes', '--json'], PASS)
    expect(JSON.parse(changed.stdout)).toMatchObject({ sessionHours: 4, jit: true, hasSecret: true })
    expect((await cli(['sso', 'setup'], PASS)).code).toBe(2)
  })

  it('proves a domain by its record', async () => {
    const added = await cli(['sso', 'domains', 'add', 'acme.test', '--json'], PASS)
    const { record } = JSON.parse(added.stdout)
    expect(added.stderr).toContain(`${record.name} TXT ${record.value}`)
    expect((await cli(['sso', 'domains', 'verify', 'acme.test'])).code).toBe(1)
    await control('dns', record)
    expect((await cli(['sso', 'domains', 'verify', 'ACME.test'])).code).toBe(0)
    expect((await cli(['sso', 'domains', 'list'])).stdout).toMatch(/acme\.test +verified/)
    expect((await cli(['sso', 'domains', 'verify', 'other.test'])).stderr).toContain('has no domain')
  })

  it('is tried out in the browser', async () => {
    const asked = await cli(['sso', 'test', '--no-browser'])
    const start = /open in your browser: (\S+)/.exec(asked.stderr)?.[1] ?? ''
    const { data } = await new Browser().signIn(start, 'tess')
    expect(data).toMatchObject({ kind: 'test', wouldBe: 'created', email: 'tess@acme.test' })
    expect((await cli(['sso', 'status'])).stdout).toMatch(/tested +20/)
  })

  it('lets a colleague in, and keeps the session where no other person reads it', async () => {
    const { code, text } = await signsIn(['--sso', 'acme'], 'nina.json', async (start, browser) => {
      const { data } = await browser.signIn(start, 'nina')
      expect(data.kind).toBe('program')
      // A page that guesses the port, and not the path, is answered nothing.
      const guess = new URL(data.location)
      guess.pathname = '/'
      expect((await fetch(guess)).status).toBe(404)
      expect(await (await fetch(data.location)).text()).toContain('You are signed in')
    })
    expect(code, text).toBe(0)
    const who = await cli(['whoami', '--json'], { env: { PLUMBLINE_CREDENTIALS: `${server.folder}/nina.json` } })
    expect(who.stdout).toContain('nina@acme.test')
  })

  it('says no reason to the person who is refused, and the reason to the administrator', async () => {
    await control('people', { name: 'mallory', email: 'mallory@elsewhere.test', email_verified: true })
    const { start } = { start: (await cli(['sso', 'test', '--no-browser'])).stderr }
    const seen = await new Browser().signIn(/browser: (\S+)/.exec(start)?.[1] ?? '', 'mallory')
    expect(seen.data).toMatchObject({ kind: 'test', wouldBe: 'refused' })
    await expect(refusedAs('mallory')).resolves.toBe('SSO_REFUSED')
    const { stdout } = await cli(['sso', 'refusals', '--json'])
    expect(JSON.parse(stdout)[0]).toMatchObject({ action: 'identity.sso.refused', details: { reason: 'domain' } })
    expect((await cli(['sso', 'refusals'])).stdout).toMatch(/domain/)
    const others = await cli(['sso', 'refusals'], { env: { PLUMBLINE_CREDENTIALS: `${server.folder}/nina.json` } })
    expect(others).toMatchObject({ code: 3, stdout: '' })
  })

  /** As a program begins it, without the wait for an answer that never comes. */
  async function refusedAs(name: string): Promise<string | undefined> {
    const body = { kind: 'program', loopback: 'http://127.0.0.1:9/x', challenge: 'c'.repeat(43) }
    const answer = await fetch(`${server.url}/api/auth/sso/acme/authorize`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data } = (await answer.json()) as { data: { url: string } }
    return (await new Browser().signIn(data.url, name)).code
  }

  it('is not enforced while it would lock people out', async () => {
    const { code, stderr } = await cli(['sso', 'enforce', '--yes'], PASS)
    expect(code).toBe(3)
    expect(stderr).toContain('second factor')
    expect((await cli(['sso', 'status'])).stdout).toMatch(/to enforce +the owner/)
  })

  it('says that the provider is away', async () => {
    await control('away', {})
    await cli(['sso', 'setup', '--session-hours', '5'], PASS)
    expect((await cli(['sso', 'test', '--no-browser'])).stderr).toContain('PROVIDER_UNAVAILABLE')
    await control('back', {})
  })

  it.each(['google', 'github'])(
    'signs in by an account at %s, which is listed and stays the last way in',
    async (id) => {
      const { code, text } = await signsIn(['--provider', id], `${id}.json`, async (start, browser) => {
        const { data } = await browser.signIn(start, `sam-${id}@social.test`)
        expect((await fetch(data.location)).status).toBe(200)
      })
      expect(code, text).toBe(0)
      const env = { PLUMBLINE_CREDENTIALS: `${server.folder}/${id}.json` }
      expect((await cli(['whoami', '--json'], { env })).stdout).toContain(`sam-${id}@social.test`)
      expect((await cli(['sso', 'links', 'list'], { env })).stdout).toContain(`${id}  sam-${id}@social.test`)
      // There is no password to confirm it by.
      expect((await cli(['sso', 'links', 'delete', id], { ...PASS, env })).code).toBe(3)
    },
  )

  it('deletes a domain', async () => {
    expect((await cli(['sso', 'domains', 'delete', 'acme.test'], PASS)).code).toBe(0)
    expect(JSON.parse((await cli(['sso', 'domains', 'list', '--json'])).stdout)).toEqual([])
  })
})
