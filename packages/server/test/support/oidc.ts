/** Identity providers for tests: a real one in this process, and one whose answers a test defines. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { signInAs } from '../../src/sso/fake/browse.js'
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

/** People by the name that they enter at the provider. */
export type People = Record<string, { readonly email?: string; readonly email_verified?: unknown }>

export interface RealProvider extends Party {
  readonly people: People
  allow(redirectUri: string): void
}

/** Starts `oidc-provider` with its own pages for the sign-in. */
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

/**
 * Follows the redirects between the server and the provider as a browser does.
 * @returns the parameters of the redirect address.
 */
export const signInAt = async (authorizeUrl: string, name: string): Promise<Record<string, string>> =>
  Object.fromEntries((await signInAs(authorizeUrl, name)).searchParams)

type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

export interface Asked {
  readonly nonce: string
  readonly clientId: string
  readonly issuer: string
  readonly nowS: number
  /** The code of this sign-in. Concurrent sign-ins each have their own. */
  readonly code: string
  sign(
    claims: Record<string, unknown>,
    more?: { alg?: string; kid?: string; key?: SigningKey; typ?: string; header?: object },
  ): Promise<string>
  readonly stranger: SigningKey
  /** The public key of `stranger`. */
  readonly strangerKey: object
}

export interface HostileProvider extends Party {
  /** The answer of the token endpoint: an ID token, or a whole response. */
  say: (asked: Asked) => Promise<string | Response>
  /** Changes to the correct metadata. */
  metadata: Record<string, unknown>
  /** The nonce of the current sign-in. */
  nonce: string
  /** The address of the person, unless the claims name another. */
  email: string
  /** How often its keys were read. */
  keyReads: number
  nowS: () => number
}

/** Starts a provider that follows the protocol, except where a test changes its answers. */
export async function hostileProvider(): Promise<HostileProvider> {
  const good = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const strangerKey = await exportJWK(stranger.publicKey)
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
    email: 'eve@acme.test',
    keyReads: 0,
    nowS: () => Math.floor(Date.now() / 1000),
    close: closing(server),
  }
  async function answerOf(request: IncomingMessage): Promise<Response> {
    const path = request.url ?? ''
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
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
    if (path === '/jwks') {
      self.keyReads += 1
      return json({ keys: [jwk] })
    }
    if (path === '/stranger') return json({ keys: [{ ...strangerKey, kid: 'k1', alg: 'RS256', use: 'sig' }] })
    const nowS = self.nowS()
    const said = await self.say({
      nonce: self.nonce,
      clientId: 'plumbline',
      issuer,
      nowS,
      code: new URLSearchParams(Buffer.concat(parts).toString()).get('code') ?? '',
      stranger: stranger.privateKey,
      strangerKey,
      sign: (claims, { alg = 'RS256', kid = 'k1', key = good.privateKey, typ = 'JWT', header = {} } = {}) => {
        const usual = { iss: issuer, aud: 'plumbline', sub: 'eve', nonce: self.nonce, iat: nowS, exp: nowS + 300 }
        const mail = { email: self.email, email_verified: true }
        return new SignJWT({ ...usual, ...mail, ...claims }).setProtectedHeader({ alg, kid, typ, ...header }).sign(key)
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

/** Adds a default provider to an organization. @returns its id. */
export async function withProvider(app: SsoApp, as: SignedIn, issuer: string, more: object = {}): Promise<string> {
  const body = { issuer, clientId: 'plumbline', clientSecret: 'a-secret-of-the-client', ...more }
  const made = await confirmed(app, 'PUT', `/organization/${as.orgId}/idp`, { as, body })
  if (made.status !== 200) throw new Error(`idp: ${JSON.stringify(made.body)}`)
  return made.data.provider.id
}

/** The cookie of an answer, as a browser sends it back. */
export const cookieIn = (answer: Answer): string => (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? ''

/**
 * Moves the clock of the app to the current time. The provider uses the time of the machine, and the clock of the app
 * stands still, so in a long suite the tokens of the provider would be from the future.
 */
export const catchUp = ({ clock }: SsoApp): void => {
  // Replicas are separate processes with a running clock.
  if ('set' in clock) clock.set(Math.max(clock.now(), Date.now()))
}

export async function began(
  app: SsoApp,
  org: string,
  more: { body?: object; as?: Pick<SignedIn, 'accessToken'>; cookie?: string; headers?: Record<string, string> } = {},
): Promise<Started> {
  catchUp(app)
  const answer = await app.call('POST', `/auth/sso/${org}/${more.as === undefined ? 'authorize' : 'attach'}`, {
    body: more.body ?? {},
    as: more.as ?? null,
    headers: { ...more.headers, ...(more.cookie === undefined ? {} : { cookie: more.cookie }) },
  })
  if (answer.status !== 200) throw new Error(`authorize: ${JSON.stringify(answer.body)} ${app.errors}`)
  const url = new URL(answer.data.url)
  return { url, cookie: cookieIn(answer), state: url.searchParams.get('state') ?? '' }
}

export const came = (app: SsoApp, idpId: string, cookie: string | null, body: object): Promise<Answer> =>
  app.call('POST', `/auth/sso/${idpId}/callback`, { body, headers: cookie === null ? {} : { cookie } })
