/** Identity providers for tests: a real one in process, and one that says what a test wants it to say. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { confirmed } from './organizations.js'
import type { Answer, SignedIn } from './sign-in.js'
import type { SsoApp } from './sso.js'

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )

export interface Party {
  readonly issuer: string
  close(): Promise<void>
}

const closing = (server: Server) => () =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** People by the name that they type at the provider. */
export type People = Record<string, { readonly email?: string; readonly email_verified?: unknown }>

export interface RealProvider extends Party {
  readonly people: People
  allow(redirectUri: string): void
}

/** `oidc-provider` with its own pages for signing in. */
export async function realProvider(): Promise<RealProvider> {
  const people: People = {}
  const redirectUris: string[] = ['http://plumbline.test/none']
  const server = createServer((request, response) => void handler(request, response))
  const issuer = await listen(server)
  const make = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: 'plumbline',
          client_secret: 'a-secret-of-the-client',
          redirect_uris: [...redirectUris],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      pkce: { required: () => true },
      findAccount: async (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people[id] }),
      }),
      cookies: { keys: ['of-the-test'] },
    } as ConstructorParameters<typeof Provider>[1])
  let handler = make().callback()
  return {
    issuer,
    people,
    allow(redirectUri) {
      redirectUris.push(redirectUri)
      handler = make().callback()
    },
    close: closing(server),
  }
}

/** What a browser does between us and the provider. @returns the parameters of the redirect address. */
export async function signInAt(authorizeUrl: string, name: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>()
  let next: { url: string; body?: string } = { url: authorizeUrl }
  for (let hop = 0; hop < 15; hop++) {
    const answer = await fetch(next.url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        ...(next.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(next.body === undefined ? {} : { method: 'POST', body: next.body }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await answer.text()
    const location = answer.headers.get('location')
    if (location !== null) {
      const url = new URL(location, next.url)
      if (url.pathname.startsWith('/auth/callback/')) return Object.fromEntries(url.searchParams)
      next = { url: url.href }
      continue
    }
    const [, action] = /action="([^"]+)"/.exec(text) ?? []
    const [, prompt] = /name="prompt" value="([^"]+)"/.exec(text) ?? []
    if (action === undefined || prompt === undefined) throw new Error(`${answer.status} ${text.slice(0, 500)}`)
    const body = prompt === 'login' ? `prompt=login&login=${name}&password=any` : `prompt=${prompt}`
    next = { url: new URL(action, next.url).href, body }
  }
  throw new Error('the provider sends in circles')
}

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

export interface Asked {
  readonly nonce: string
  readonly clientId: string
  readonly issuer: string
  readonly nowS: number
  sign(
    claims: Record<string, unknown>,
    more?: { alg?: string; kid?: string; key?: SigningKey; typ?: string },
  ): Promise<string>
  readonly stranger: SigningKey
}

export interface HostileProvider extends Party {
  /** What the token endpoint answers: the ID token, or a whole answer. */
  say: (asked: Asked) => Promise<string | Response>
  /** What the metadata are, besides what is right. */
  metadata: Record<string, unknown>
  /** The nonce of the sign-in under way. */
  nonce: string
  nowS: () => number
}

/** Speaks the protocol rightly but for what a test makes it say. */
export async function hostileProvider(): Promise<HostileProvider> {
  const good = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(good.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    void answerOf(request).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  const issuer = await listen(server)
  const json = (value: unknown): Response => Response.json(value)
  const self: HostileProvider = {
    issuer,
    say: async ({ sign }) => sign({}),
    metadata: {},
    nonce: '',
    nowS: () => Math.floor(Date.now() / 1000),
    close: closing(server),
  }
  async function answerOf(request: IncomingMessage): Promise<Response> {
    request.resume()
    const path = request.url ?? ''
    if (path.startsWith('/.well-known/')) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...self.metadata,
      })
    }
    if (path === '/jwks') return json({ keys: [jwk] })
    const nowS = self.nowS()
    const said = await self.say({
      nonce: self.nonce,
      clientId: 'plumbline',
      issuer,
      nowS,
      stranger: stranger.privateKey,
      sign: (claims, { alg = 'RS256', kid = 'k1', key = good.privateKey, typ = 'JWT' } = {}) => {
        const usual = { iss: issuer, aud: 'plumbline', sub: 'eve', nonce: self.nonce, iat: nowS, exp: nowS + 300 }
        const mail = { email: 'eve@acme.test', email_verified: true }
        return new SignJWT({ ...usual, ...mail, ...claims }).setProtectedHeader({ alg, kid, typ }).sign(key)
      },
    })
    if (typeof said !== 'string') return said
    return json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: said })
  }
  return self
}

export interface Started {
  readonly url: URL
  readonly cookie: string
  readonly state: string
}

/** Makes a provider the default one of an organization. @returns its id. */
export async function withProvider(app: SsoApp, as: SignedIn, issuer: string, more: object = {}): Promise<string> {
  const body = { issuer, clientId: 'plumbline', clientSecret: 'a-secret-of-the-client', ...more }
  const made = await confirmed(app, 'PUT', `/organization/${as.orgId}/idp`, { as, body })
  if (made.status !== 200) throw new Error(`idp: ${JSON.stringify(made.body)}`)
  return made.data.provider.id
}

/** The cookie of a browser, as it sends it back. */
export const cookieIn = (answer: Answer): string => (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''

export async function began(
  app: SsoApp,
  org: string,
  more: { body?: object; as?: Pick<SignedIn, 'accessToken'>; cookie?: string } = {},
): Promise<Started> {
  const answer = await app.call('POST', `/auth/sso/${org}/${more.as === undefined ? 'authorize' : 'attach'}`, {
    body: more.body ?? {},
    as: more.as ?? null,
    headers: more.cookie === undefined ? {} : { cookie: more.cookie },
  })
  if (answer.status !== 200) throw new Error(`authorize: ${JSON.stringify(answer.body)} ${app.errors}`)
  const url = new URL(answer.data.url)
  return { url, cookie: cookieIn(answer), state: url.searchParams.get('state') ?? '' }
}

export const came = (app: SsoApp, idpId: string, cookie: string | null, body: object): Promise<Answer> =>
  app.call('POST', `/auth/sso/${idpId}/callback`, { body, headers: cookie === null ? {} : { cookie } })
