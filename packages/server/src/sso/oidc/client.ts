/**
 * The protocol of OpenID Connect, by `openid-client` over our own egress: code flow with PKCE, and the ID token
 * verified with the provider's keys and the one configured algorithm. The library is loaded at the first sign-in.
 */
import type { FetchImplementation } from 'jose'
import { EgressFailed } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'
import { Refusal } from '../../runtime/errors.js'
import { type Configurer, createConfigurer, type OidcOptions, type Peer } from './configured.js'
import type { Claims } from './judge.js'

export type { Peer } from './configured.js'

import { checkMetadata } from './metadata.js'
import { SignInRefused } from './reasons.js'

export interface Begin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly scopes: readonly string[]
  readonly loginHint?: string
  /** Whether the provider must authenticate the person again. */
  readonly again: boolean
}

export interface Returned {
  readonly code?: string
  readonly iss?: string
  readonly error?: string
  readonly state: string
}

export interface OidcClient {
  /** Looks at what the provider publishes now. @throws Refusal `PROVIDER_UNAVAILABLE` that says what is wrong. */
  check(peer: Pick<Peer, 'issuer'>): Promise<void>
  /** The address to send the browser to. @throws Refusal `PROVIDER_UNAVAILABLE`. */
  authorizeUrl(peer: Peer, begin: Begin): Promise<string>
  /** The claims of a verified ID token. @throws SignInRefused; Refusal `PROVIDER_UNAVAILABLE`. */
  exchange(peer: Peer, returned: Returned, flow: Pick<Begin, 'nonce' | 'verifier'>): Promise<Claims>
  /** The provider's sign-out address; null if it has none. */
  logoutUrl(peer: Peer, returnTo: string): Promise<string | null>
  /** The claims of a verified logout token. @throws SignInRefused; Refusal `PROVIDER_UNAVAILABLE`. */
  logoutClaims(peer: Peer, token: string): Promise<Claims>
}

const unavailable = (cause: unknown): Refusal =>
  new Refusal('PROVIDER_UNAVAILABLE', 'the identity provider does not answer now; try again', { cause })

export function createOidcClient({ egress, allowedOrigins, now }: OidcOptions): OidcClient {
  const { fetching, configured } = createConfigurer({ egress, allowedOrigins, now })

  return {
    check: ({ issuer }) => checkMetadata(issuer, { fetching, allowedOrigins }),
    async authorizeUrl(peer, { state, nonce, verifier, scopes, loginHint, again }) {
      const oidc = await import('openid-client')
      try {
        const { config } = await configured(peer)
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: peer.redirectUri,
          scope: ['openid', ...scopes].join(' '),
          response_type: 'code',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(loginHint === undefined ? {} : { login_hint: loginHint }),
          ...(again ? { prompt: 'login', max_age: '0' } : {}),
        })
        return url.href
      } catch (error) {
        throw error instanceof Refusal ? error : unavailable(error)
      }
    },
    async exchange(peer, returned, { nonce, verifier }) {
      const oidc = await import('openid-client')
      if (returned.error !== undefined) throw new SignInRefused('provider', wordOf(returned.error))
      try {
        const { config, keepKeys } = await configured(peer)
        const url = new URL(peer.redirectUri)
        for (const [name, value] of Object.entries(returned)) if (value !== undefined) url.searchParams.set(name, value)
        try {
          const tokens = await oidc.authorizationCodeGrant(config, url, {
            pkceCodeVerifier: verifier,
            expectedState: returned.state,
            // guard: the-nonce-of-a-sign-in
            expectedNonce: nonce,
            idTokenExpected: true,
          })
          return tokens.claims() as unknown as Claims
        } finally {
          keepKeys()
        }
      } catch (error) {
        throw refusalOf(error, oidc.ResponseBodyError)
      }
    },
    async logoutUrl(peer, returnTo) {
      const { config } = await configured(peer)
      const { end_session_endpoint: end } = config.serverMetadata()
      if (end === undefined || typeof readTarget(end, allowedOrigins) === 'string') return null
      const url = new URL(end)
      url.searchParams.set('client_id', peer.clientId)
      url.searchParams.set('post_logout_redirect_uri', returnTo)
      return url.href
    },
    logoutClaims: (peer, token) => logoutClaimsOf(peer, token, { fetching, configured, now }),
  }
}

/** @throws SignInRefused; Refusal `PROVIDER_UNAVAILABLE`. */
async function logoutClaimsOf(
  peer: Peer,
  token: string,
  { fetching, configured, now }: Configurer & Pick<OidcOptions, 'now'>,
): Promise<Claims> {
  const { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify } = await import('jose')
  try {
    // Anybody can send one, so that the provider is asked only about a token that claims to be its own.
    // guard: no-provider-is-asked-about-the-token-of-another
    if (decodeJwt(token).iss !== peer.issuer) throw new SignInRefused('issuer')
  } catch (error) {
    throw error instanceof SignInRefused ? error : new SignInRefused('token')
  }
  const { config, kept } = await configured(peer).catch((error: unknown) => {
    throw unavailable(error)
  })
  const { jwks_uri: address } = config.serverMetadata()
  if (address === undefined) throw unavailable(new Error('the provider publishes no keys'))
  // Its keys are read once, and again at most every 30 s when a token names an unknown one.
  kept.logoutKeys ??= createRemoteJWKSet(new URL(address), {
    [customFetch]: (url: string, { headers, method, signal }: Parameters<FetchImplementation>[1]) =>
      fetching(url, { method, headers: Object.fromEntries(headers), body: null, redirect: 'manual', signal }),
  })
  try {
    const { payload } = await jwtVerify(token, kept.logoutKeys, {
      algorithms: [peer.alg],
      issuer: peer.issuer,
      audience: peer.clientId,
      typ: 'logout+jwt',
      currentDate: new Date(now()),
      maxTokenAge: 300,
      clockTolerance: 60,
      requiredClaims: ['iat', 'jti', 'events'],
    })
    return payload
  } catch (error) {
    if (error instanceof EgressFailed || KEYS_UNREADABLE.has((error as { code?: string }).code ?? ''))
      throw unavailable(error)
    throw new SignInRefused('token', error instanceof Error ? error.message.slice(0, 100) : null)
  }
}

/** What `jose` says when the answer with the keys is none: another status, no JSON, no key set, too late. */
const KEYS_UNREADABLE: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT'])

/** The provider's error code for the audit log, never free text from the provider. */
const wordOf = (text: string): string => (/^[a-z_]{1,40}$/.test(text) ? text : 'unknown')

/** No message contains text from the provider. */
function refusalOf(error: unknown, bodyError: abstract new (...of: never[]) => Error): Error {
  if (error instanceof Refusal || error instanceof SignInRefused) return error
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof EgressFailed) return unavailable(error)
  }
  if (error instanceof bodyError)
    return new SignInRefused('provider', wordOf(String((error as { error?: unknown }).error)))
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'OAUTH_TIMEOUT') return unavailable(error)
  if (typeof message === 'string' && /"iss"|issuer/.test(message)) return new SignInRefused('issuer')
  return new SignInRefused('token', typeof code === 'string' ? code.slice(0, 60) : null)
}
