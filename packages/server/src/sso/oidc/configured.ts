/** The configuration of the library for one provider: our egress, our clock, and the cached metadata. */
import type { JWTVerifyGetKey } from 'jose'
import type { Configuration, CustomFetch, ExportedJWKSCache, ServerMetadata } from 'openid-client'
import { type Egress, EgressFailed } from '../../runtime/egress/egress.js'
import { readTarget } from '../../runtime/egress/target.js'

/** The data of a provider that the protocol needs. */
export interface Peer {
  readonly id: string
  readonly revision: number
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | null
  readonly alg: string
  readonly redirectUri: string
}

export interface Known {
  readonly server: ServerMetadata
  readonly readAtMs: number
  jwks: ExportedJWKSCache | undefined
  /** When its keys were read again because a token named an unknown one. */
  soughtAtMs: number | null
  /** The keys for tokens of back-channel logout. */
  logoutKeys: JWTVerifyGetKey | undefined
}

const METADATA_MS = 600_000
/** How long `openid-client` keeps keys, and how old they must be before it reads them again for an unknown one. */
const KEPT_S = 300
const SEEKING_S = 60
const ANSWER_MAX = 262_144
const ANSWER_MS = 10_000
const KNOWN_MAX = 500

export interface OidcOptions {
  readonly egress: Egress
  readonly allowedOrigins: readonly string[]
  readonly now: () => number
}

interface Configured {
  readonly config: Configuration
  readonly kept: Known
  /** Keeps the keys that this configuration read, for the next one. */
  keepKeys(): void
}

export interface Configurer {
  readonly fetching: CustomFetch
  configured(peer: Peer): Promise<Configured>
}

export function createConfigurer({ egress, allowedOrigins, now }: OidcOptions): Configurer {
  const known = new Map<string, Known>()

  const fetching: CustomFetch = async (address, { method, headers, body, signal }) => {
    const target = readTarget(address, allowedOrigins)
    if (typeof target === 'string') throw new EgressFailed('refused', `an address of the provider ${target}`)
    if (method !== 'GET' && method !== 'POST') throw new EgressFailed('refused', 'no such method is sent')
    return egress.fetch(
      target,
      {
        method,
        headers,
        ...(body === undefined || body === null ? {} : { body: bytesOf(body) }),
        ...(signal === undefined ? {} : { signal }),
      },
      { bytesMax: ANSWER_MAX, timeoutMs: ANSWER_MS },
    )
  }

  /**
   * Each call has its own configuration, because the clock skew changes. What was learned about the provider is cached
   * separately.
   */
  async function configured(peer: Peer): Promise<Configured> {
    const oidc = await import('openid-client')
    const skew = Math.round((now() - Date.now()) / 1000)
    const metadata = {
      id_token_signed_response_alg: peer.alg,
      ...(peer.clientSecret === null ? {} : { client_secret: peer.clientSecret }),
      [oidc.clockSkew]: skew,
    }
    const key = `${peer.id} ${peer.revision}`
    // guard: the-signature-of-an-id-token
    const prepare = [oidc.enableNonRepudiationChecks]
    const insecure = allowedOrigins.some((origin) => origin.startsWith('http:')) ? [oidc.allowInsecureRequests] : []
    let kept = known.get(key)
    if (kept === undefined || now() - kept.readAtMs >= METADATA_MS || now() < kept.readAtMs) {
      const found = await oidc.discovery(new URL(peer.issuer), peer.clientId, metadata, undefined, {
        [oidc.customFetch]: fetching,
        execute: [...insecure],
        timeout: ANSWER_MS / 1000,
      })
      if (known.size >= KNOWN_MAX) known.clear()
      kept = {
        server: found.serverMetadata(),
        readAtMs: now(),
        jwks: undefined,
        soughtAtMs: null,
        logoutKeys: undefined,
      }
      known.set(key, kept)
    }
    const auth = authOf(oidc, kept.server, peer.clientSecret)
    const config = new oidc.Configuration(kept.server, peer.clientId, metadata, auth)
    config[oidc.customFetch] = fetching
    config.timeout = ANSWER_MS / 1000
    for (const apply of [...prepare, ...insecure]) apply(config)
    return { config, kept, keepKeys: showKeys(oidc, config, kept, now) }
  }

  return { fetching, configured }
}

const secondsNow = (): number => Math.floor(Date.now() / 1000)

/**
 * Shows the kept keys to a configuration. A provider may sign with a new key just after its keys were read. The library
 * would refuse that key until they are a minute old, so they are shown to it as that old.
 * @returns keeps the keys that the configuration read.
 */
function showKeys(
  oidc: typeof import('openid-client'),
  config: Configuration,
  kept: Known,
  now: () => number,
): () => void {
  const { jwks, soughtAtMs } = kept
  // guard: an-unknown-key-is-sought-once-a-minute
  const maySeek = soughtAtMs === null || now() - soughtAtMs >= SEEKING_S * 1000
  const uat = maySeek ? secondsNow() - SEEKING_S : Number.POSITIVE_INFINITY
  const given = jwks === undefined ? undefined : { ...jwks, uat: Math.min(jwks.uat, uat) }
  if (given !== undefined) oidc.setJwksCache(config, given)
  return () => {
    const read = oidc.getJwksCache(config)
    if (read === undefined || read.uat === given?.uat) return
    if (given !== undefined && secondsNow() - given.uat < KEPT_S) kept.soughtAtMs = now()
    kept.jwks = read
  }
}

const bytesOf = (body: NonNullable<Parameters<CustomFetch>[1]['body']>): string | Uint8Array => {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new EgressFailed('refused', 'no such body is sent')
}

/** How the client secret is sent: in the body, unless the provider accepts only the header. */
function authOf(oidc: typeof import('openid-client'), server: ServerMetadata, secret: string | null) {
  if (secret === null) return oidc.None()
  const methods = server.token_endpoint_auth_methods_supported
  const headerOnly = methods !== undefined && !methods.includes('client_secret_post')
  return headerOnly ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
}
