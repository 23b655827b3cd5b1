/**
 * An identity provider for trials, `plumbline sso fake`: `oidc-provider` with its own sign-in pages, a name server, and
 * controls by HTTP. It signs in every person who types a name, so run it only on your own machine.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { CannotStart } from '../../runtime/cannot-start.js'
import { signInAs } from './browse.js'
import { type FakeDns, startFakeDns } from './dns.js'
import { createFakeGithub, type FakeGithub } from './github.js'

export interface FakePerson {
  readonly email?: string
  readonly email_verified?: unknown
  readonly groups?: readonly string[]
}

export interface FakeSso {
  readonly url: string
  readonly dnsPort: number
  readonly clientId: string
  readonly clientSecret: string
  /** People by the name that is typed at the provider. */
  readonly people: Map<string, FakePerson>
  readonly records: FakeDns['records']
  /** The settings to start the server with. */
  readonly settings: Readonly<Record<string, string>>
  /** Signs with another key from now on and publishes only that key. People who are on its pages must start again. */
  rotate(): Promise<void>
  /** What the provider would send to a server when the person signs out of it (back-channel logout). */
  logoutToken(name: string): Promise<string>
  close(): Promise<void>
}

export interface FakeSsoOptions {
  readonly port?: number
  readonly dnsPort?: number
  /** The domain for addresses of people that no control describes. */
  readonly domain?: string
}

const CLIENT_ID = 'plumbline'
const CLIENT_SECRET = 'a-secret-of-the-fake-provider'
const BODY_MAX = 65_536
const HOUR_S = 3600
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const SENT_MS = 10_000

/** `oidc-provider` with one key. */
interface Made {
  readonly callback: (request: IncomingMessage, response: ServerResponse) => unknown
  logoutToken(name: string): Promise<string>
}

interface Inside {
  /** The address of the provider. */
  url: string
  readonly people: FakeSso['people']
  readonly records: FakeDns['records']
  isAway: boolean
  github: FakeGithub
  made: Made
  rotate: () => Promise<void>
}

/** @throws CannotStart when `oidc-provider` is not installed. */
export async function startFakeSso({
  port = 0,
  dnsPort = 0,
  domain = 'acme.test',
}: FakeSsoOptions = {}): Promise<FakeSso> {
  const make = await providerMaker()
  const dns = await startFakeDns(dnsPort)
  const people: FakeSso['people'] = new Map()
  const claimsOf: ClaimsOf = (name) => ({
    email: name.includes('@') ? name : `${name}@${domain}`,
    email_verified: true,
    ...people.get(name),
  })
  const github = createFakeGithub({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, isCallback, claimsOf })
  // Requests before the keys are ready get 503, so that a program that waits for the fake retries.
  const starting: Made = {
    callback: (_request, response) => response.writeHead(503).end('starting'),
    logoutToken: () => Promise.reject(new Error('the provider is starting')),
  }
  const rotate = async () => {
    inside.made = await make(inside.url, claimsOf)
  }
  const inside: Inside = { url: '', people, records: dns.records, isAway: false, github, made: starting, rotate }
  const server = createServer((request, response) => {
    void serve(inside, request, response).catch(() => response.destroy())
  })
  await listen(server, port).catch(async (error: unknown) => {
    await dns.close()
    throw error
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  inside.url = url
  await rotate()
  return {
    url,
    dnsPort: dns.port,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    people: inside.people,
    records: dns.records,
    settings: {
      IDP_ALLOWED_ORIGINS: url,
      DNS_SERVERS: `127.0.0.1:${dns.port}`,
      OAUTH_GOOGLE_CLIENT_ID: CLIENT_ID,
      OAUTH_GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_GOOGLE_ISSUER: url,
      OAUTH_GITHUB_CLIENT_ID: CLIENT_ID,
      OAUTH_GITHUB_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_GITHUB_URL: url,
      OAUTH_GITHUB_API_URL: url,
    },
    rotate,
    logoutToken: (name) => inside.made.logoutToken(name),
    async close() {
      await dns.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

type ClaimsOf = (name: string) => Readonly<Record<string, unknown>>

async function providerMaker(): Promise<(url: string, claimsOf: ClaimsOf) => Promise<Made>> {
  const { default: Provider } = await import('oidc-provider').catch(() => {
    throw new CannotStart('the fake provider needs `oidc-provider`: run `npm install oidc-provider@9`')
  })
  return async (url, claimsOf) => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const provider = new Provider(url, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: ['http://127.0.0.1/auth/callback/sso/none'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      pkce: { required: () => true },
      // Each lifetime is set, because the library otherwise warns on standard output.
      ttl: { Interaction: HOUR_S, Session: HOUR_S, Grant: HOUR_S, AccessToken: HOUR_S, IdToken: HOUR_S },
      findAccount: async (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...claimsOf(id) }),
      }),
      cookies: { keys: [randomBytes(24).toString('base64url')] },
    } as ConstructorParameters<typeof Provider>[1])
    // A real provider is told the redirect address during setup. The fake accepts the sign-in redirect address of any
    // server.
    provider.Client.prototype.redirectUriAllowed = (address: string) => isCallback(address)
    return {
      callback: provider.callback(),
      async logoutToken(name) {
        const client = await provider.Client.find(CLIENT_ID)
        const token = new provider.IdToken({ sub: name }, client === undefined ? {} : { client })
        Object.assign(token, { mask: { sub: null } })
        token.set('events', { [LOGOUT_EVENT]: {} })
        token.set('jti', randomBytes(16).toString('hex'))
        return token.issue({ use: 'logout' })
      },
    }
  }
}

function isCallback(address: string): boolean {
  const { protocol, pathname } = new URL(address)
  return (protocol === 'http:' || protocol === 'https:') && pathname.startsWith('/auth/callback/')
}

async function serve(inside: Inside, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://fake').pathname
  if (request.method === 'POST' && path.startsWith('/_fake/')) return control(inside, path, request, response)
  if (inside.isAway) {
    response.writeHead(503).end('away')
    return
  }
  if (path.startsWith('/login/oauth/') || path === '/user' || path === '/user/emails') {
    inside.github.answer(request, response, (await textOf(request)) ?? '')
    return
  }
  await inside.made.callback(request, response)
}

/**
 * The controls: `people` with `name` and claims, `dns` with `name` and `value`, `sign-in` and `sign-out` with `name` and
 * `address`, `rotate`, `away` and `back`.
 */
async function control(
  inside: Inside,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A page of another site can send a form, but not JSON.
  const body = request.headers['content-type'] === 'application/json' ? await jsonOf(request) : null
  const name = typeof body?.name === 'string' ? body.name : ''
  if (path === '/_fake/sign-in' && name !== '' && isAtProvider(inside, body?.address)) {
    await answerSignIn(String(body?.address), name, response)
    return
  }
  if (path === '/_fake/sign-out' && name !== '' && isWeb(body?.address)) {
    await answerSignOut(inside, String(body?.address), name, response)
    return
  }
  if (path === '/_fake/away' || path === '/_fake/back') inside.isAway = path === '/_fake/away'
  else if (path === '/_fake/rotate') await inside.rotate()
  else if (path === '/_fake/people' && name !== '') inside.people.set(name, claimsIn(body))
  else if (path === '/_fake/dns' && name !== '') {
    inside.records.set(name.toLowerCase(), typeof body?.value === 'string' ? [body.value] : [])
  } else {
    const say =
      'send JSON to /_fake/people {name, email?, email_verified?, groups?}, /_fake/dns {name, value}, /_fake/sign-in {name, address}, /_fake/sign-out {name, address}, /_fake/rotate, /_fake/away or /_fake/back\n'
    response.writeHead(400, { 'content-type': 'text/plain' }).end(say)
    return
  }
  response.writeHead(204).end()
}

const isAtProvider = ({ url }: Inside, address: unknown): boolean =>
  typeof address === 'string' && URL.canParse(address) && new URL(address).origin === url

/**
 * Answers what a browser would bring back, as the query of the redirect address and as JSON, or the reason why the
 * provider refuses.
 */
async function answerSignIn(address: string, name: string, response: ServerResponse): Promise<void> {
  try {
    const back = await signInAs(address, name)
    const answer = { location: back.href, returned: Object.fromEntries(back.searchParams) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    response.writeHead(409, { 'content-type': 'text/plain' }).end(`${why}\n`)
  }
}

const isWeb = (address: unknown): boolean =>
  typeof address === 'string' && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** Tells the server at the address that the person signed out, and answers what the server said. */
async function answerSignOut(inside: Inside, address: string, name: string, response: ServerResponse): Promise<void> {
  try {
    const body = new URLSearchParams({ logout_token: await inside.made.logoutToken(name) })
    const signal = AbortSignal.timeout(SENT_MS)
    const said = await fetch(address, { method: 'POST', body, redirect: 'manual', signal })
    await said.body?.cancel()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: said.status }))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    response.writeHead(502, { 'content-type': 'text/plain' }).end(`${why}\n`)
  }
}

interface Control {
  readonly name?: unknown
  readonly address?: unknown
  readonly value?: unknown
}

/** The claims that a control sets for a person, without the typed name. */
function claimsIn(body: Control | null): FakePerson {
  const { name: _, value: __, address: ___, ...claims } = body ?? {}
  return claims
}

async function textOf(request: IncomingMessage): Promise<string | null> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_MAX) return null
  }
  return text
}

async function jsonOf(request: IncomingMessage): Promise<Control | null> {
  const text = (await textOf(request)) ?? ''
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
