/** Sign-on on the command line, from the set-up to a signed-in colleague, against `plumbline sso fake`. */
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

/** A browser that keeps the cookies of the server, and does what the pages of the server do. */
class Browser {
  private cookie = ''

  private async post(path: string, body: object) {
    const headers = { 'content-type': 'application/json', cookie: this.cookie }
    const answer = await fetch(`${server.url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    this.cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie
    return (await answer.json()) as { code?: string; data: { url: string; kind: string; location: string } }
  }

  /** Signs in, starting at the address that a program prints. @returns what the callback answered. */
  async signIn(startUrl: string, name: string) {
    const ticket = new URL(startUrl).searchParams.get('ticket')
    const way = startUrl.includes('/oauth/') ? 'oauth' : 'sso'
    const { data } = await this.post(`/auth/${way}/start`, { ticket })
    const answer = await control('sign-in', { name, address: data.url })
    expect(answer.status, `${way} ${name}`).toBe(200)
    const { location, returned } = (await answer.json()) as { location: string; returned: object }
    const provider = new URL(location).pathname.split('/').at(-1) ?? ''
    return this.post(`/auth/${way}/${provider}/callback`, returned)
  }
}

type Act = (start: string, browser: Browser) => Promise<void>

const signsIn = (way: string[], file: string, act: Act) => runs(['login', ...way, '--no-browser'], file, act)

/** Runs a command with its own credentials while a browser does its part. */
async function runs(argv: string[], file: string, act: Act) {
  const stdout = collector()
  const stderr = collector()
  const env = { ...server.env, PLUMBLINE_CREDENTIALS: `${server.folder}/${file}` }
  const world = { env, cwd: server.folder, now: new Date() }
  const ends = main(argv, memoryIo(world, stdout.stream, stderr.stream))
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
    expect((await cli(['login', '--sso', 'acme', '--no-browser'])).stderr).toContain(
      'no organization has single sign-on under this name',
    )
    const test = await cli(['sso', 'test', '--no-browser'])
    expect(test.stderr).toContain('error: the organization has no identity provider (NOT_FOUND)')
    expect(test.stderr).toContain('hint: run `plumbline sso setup`')
  })

  it('says that a port of a fake is taken, and reports nothing of the command', async () => {
    const port = new URL(fake.url).port
    for (const argv of [
      ['sso', 'fake', '--port', port, '--dns-port', '0'],
      ['sso', 'fake', '--port', '0', '--dns-port', String(fake.dnsPort)],
      ['ai', 'fake', '--port', port],
    ]) {
      const { code, stderr } = await cli(argv)
      expect([code, stderr]).toEqual([3, expect.stringMatching(/error: port \d+ is in use by another program/)])
    }
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
      // A page that guesses the port but not the path gets 404.
      const guess = new URL(data.location)
      guess.pathname = '/'
      expect((await fetch(guess)).status).toBe(404)
      expect(await (await fetch(data.location)).text()).toContain('You are signed in')
    })
    expect(code, text).toBe(0)
    const who = await cli(['whoami', '--json'], { env: { PLUMBLINE_CREDENTIALS: `${server.folder}/nina.json` } })
    expect(who.stdout).toContain('nina@acme.test')
  })

  it('confirms by the browser what a person without a password may do, for that session alone', async () => {
    const confirmsAs = (name: string) =>
      runs(['tokens', 'create', 'ci'], 'nina.json', async (start, browser) => {
        const { data } = await browser.signIn(start, name)
        if (data !== undefined) await fetch(data.location)
      })
    const made = await confirmsAs('nina')
    expect(made.code, made.text).toBe(0)
    expect(made.text).toMatch(/^plp_/)
    // With a personal access token there is no provider to ask, so the server asks for a password.
    const env = { PLUMBLINE_TOKEN: made.text.split('\n')[0] ?? '' }
    expect((await cli(['tokens', 'create', 'x'], { ...PASS, env })).code).toBe(3)
  })

  it('ends the session of who signs out of the provider', async () => {
    const { code } = await signsIn(['--sso', 'acme'], 'olaf.json', async (start, browser) => {
      await fetch((await browser.signIn(start, 'olaf')).data.location)
    })
    const whoami = () => cli(['whoami'], { env: { PLUMBLINE_CREDENTIALS: `${server.folder}/olaf.json` } })
    expect([code, (await whoami()).code]).toEqual([0, 0])
    const { id } = JSON.parse((await cli(['sso', 'setup', '--session-hours', '4', '--json'], PASS)).stdout)
    const address = `${server.url}/api/auth/sso/${id}/backchannel-logout`
    const told = await control('sign-out', { name: 'olaf', address })
    expect(await told.json()).toEqual({ status: 200 })
    expect((await whoami()).code).toBe(3)
    expect((await control('sign-out', { name: 'olaf', address: 'http://127.0.0.1:1' })).status).toBe(502)
    expect((await control('sign-out', { name: 'olaf', address: 'file:///x' })).status).toBe(400)
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

  /** Starts a sign-in like a program, without waiting for an answer that never comes. */
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

  it('gives Roles by groups of the provider, which sign-ins then follow', async () => {
    expect((await cli(['sso', 'setup', '--groups-claim', 'groups'], PASS)).code).toBe(0)
    expect(JSON.parse((await cli(['sso', 'groups', 'list', '--json'])).stdout)).toEqual({ groups: [], unmapped: [] })
    const set = await cli(['sso', 'groups', 'set', 'bosses', '--role', 'admin', '--json'], PASS)
    expect(set.code, set.stderr).toBe(0)
    expect((await cli(['sso', 'groups', 'set', 'bosses', '--role', 'King'], PASS)).stderr).toContain('there are: ')
    expect((await cli(['sso', 'groups', 'set', 'bosses'], PASS)).stderr).toContain('--role')
    await control('people', { name: 'bea', email: 'bea@acme.test', email_verified: true, groups: ['bosses'] })
    const { code, text } = await signsIn(['--sso', 'acme'], 'bea.json', async (start, browser) => {
      await fetch((await browser.signIn(start, 'bea')).data.location)
    })
    expect(code, text).toBe(0)
    const env = { PLUMBLINE_CREDENTIALS: `${server.folder}/bea.json` }
    expect(JSON.parse((await cli(['whoami', '--json'], { env })).stdout).organization.role).toBe('admin')
    // A second mapping keeps the first.
    expect((await cli(['sso', 'groups', 'set', 'developers', '--role', 'Member'], PASS)).code).toBe(0)
    const { stdout } = await cli(['sso', 'groups', 'list'])
    expect(stdout).toMatch(/bosses +Admin +1 by claim\n/)
    expect(stdout).toMatch(/developers +Member +0 by claim\n/)
    expect((await cli(['sso', 'groups', 'delete', 'bosses'], PASS)).code).toBe(0)
    expect(JSON.parse((await cli(['whoami', '--json'], { env })).stdout).organization.role).toBe('member')
    expect((await cli(['sso', 'groups', 'delete', 'bosses'], PASS)).stderr).toContain('no mapping names')
    const none = await cli(['sso', 'groups', 'list', '--idp', '01900000-0000-7000-8000-000000000000'])
    expect(none.stderr).toContain('NOT_FOUND')
  })

  it('gives a directory its token once, which the directory uses until it is deleted', async () => {
    const made = await cli(['scim', 'token', 'create', '--name', 'entra', '--expires-days', '30', '--json'], PASS)
    expect(made.code, made.stderr).toBe(0)
    expect(made.stderr).toContain('shown only once')
    const { token } = JSON.parse(made.stdout) as { token: string }
    expect(token).toMatch(/^pls_/)
    const scim = async (by: string, path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/scim+json' }
      return fetch(`${server.url}/api/scim/v2${path}`, { ...init, headers })
    }
    const body = JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'scott',
      emails: [{ value: 'scott@acme.test', primary: true }],
    })
    expect((await scim(token, '/Users', { method: 'POST', body })).status).toBe(201)
    const listed = await cli(['scim', 'token', 'list'])
    expect(listed.stdout).toMatch(/^entra +\S+ +…/)
    expect(listed.stdout).not.toContain(token)
    expect(listed.stdout).not.toContain('never used')
    expect((await cli(['scim', 'token', 'create', '--name', 'entra'], PASS)).code).toBe(0)
    expect((await cli(['scim', 'token', 'create', '--name', 'third'], PASS)).code).toBe(3)
    expect((await cli(['scim', 'token', 'delete', 'entra'], PASS)).stderr).toContain('name one by its id')
    const [first, second] = JSON.parse((await cli(['scim', 'token', 'list', '--json'])).stdout) as { id: string }[]
    for (const { id } of [first, second].flatMap((each) => each ?? [])) {
      expect((await cli(['scim', 'token', 'delete', id], PASS)).code).toBe(0)
    }
    expect((await scim(token, '/Users')).status).toBe(401)
    expect((await cli(['scim', 'token', 'delete', 'entra'], PASS)).stderr).toContain('has no SCIM token')
    const env = { PLUMBLINE_CREDENTIALS: `${server.folder}/nina.json` }
    expect((await cli(['scim', 'token', 'list'], { env })).code).toBe(3)
  })

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
      const confirms = (argv: string[]) =>
        runs(argv, `${id}.json`, async (start, browser) => {
          expect(start).toContain('/oauth/start?ticket=')
          const { data } = await browser.signIn(start, `sam-${id}@social.test`)
          expect(data.kind).toBe('program')
          await fetch(data.location)
        })
      const tokens = await confirms(['tokens', 'create', 'ci'])
      const removal = await confirms(['sso', 'links', 'delete', id])
      // GitHub does not ask a person to sign in again, and this person has no password for a confirmation.
      expect(tokens.code, tokens.text).toBe(id === 'github' ? 2 : 0)
      expect(removal.text).toContain(id === 'github' ? 'Password, to confirm' : 'CONFLICT')
      if (id === 'google') expect(tokens.text).toMatch(/^plp_/)
    },
  )

  it('looks whether a link is there before it asks for the password', async () => {
    const { code, stdout, stderr } = await cli(['sso', 'links', 'delete', 'nope', '--yes'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('you have no account at `nope` linked')
    expect(stderr).toContain('plumbline sso links list')
    expect(stderr).not.toContain('Password')
  })

  it('deletes a domain', async () => {
    expect((await cli(['sso', 'domains', 'delete', 'acme.test'], PASS)).code).toBe(0)
    expect(JSON.parse((await cli(['sso', 'domains', 'list', '--json'])).stdout)).toEqual([])
  })
})
